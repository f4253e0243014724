import pytest

from analysis.placement.case_columns import DIALECT
from tests.analysis.placement.command import NAMED, PLAIN, refusal, run


def test_named_things_are_looked_up_and_other_columns_passed_through(tmp_path):
    code, (row,) = run(tmp_path, NAMED)
    assert code == 0
    assert row["mine"] == "'=1+1"  # no spreadsheet runs it
    assert tuple(row)[-len(DIALECT.added) :] == DIALECT.added
    low, middle, high = (float(row[f"predicted_decode_tokens_per_s{end}"]) for end in ("_low", "", "_high"))
    assert low < 127.74 < high  # measured: XiongjieDai, GPU-Benchmarks-on-LLM-Inference, RTX 4090, 8B Q4_K_M
    assert low < middle < high
    assert float(row["predicted_prefill_tokens_per_s"]) > 1000


def test_the_error_is_given_where_a_measurement_is(tmp_path):
    text = PLAIN.replace("weights_gbyte\n", "weights_gbyte,measured_decode_tokens_per_s\n")
    _, rows = run(tmp_path, text.replace("4.9\n", "4.9,60\n") + "laptop,GPU,400,4.9,\n")
    expected = 100 * (float(rows[0]["predicted_decode_tokens_per_s"]) / 60 - 1)
    assert float(rows[0]["error_percent"]) == pytest.approx(expected, abs=0.01)
    assert rows[1]["error_percent"] == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (PLAIN.replace("400", "fast"), "_gbyte_per_s: a finite number is needed; got 'fast'"),
        (PLAIN.replace("4.9", "-1"), "row 2: column weights_gbyte: a number above 0 is needed; got -1"),
        (PLAIN.replace("400", ""), "row 2: column memory_bandwidth_gbyte_per_s: needed"),
        (PLAIN.replace("GPU", "TPU"), "row 2: column backend: one of GPU, CPU, NPU is needed; got 'TPU'"),
        (NAMED.replace("mine", "batch").replace("=1+1", "0.5"), "column batch: a number at least 1 is needed; got 0.5"),
        (
            PLAIN.replace("weights_gbyte", "weights_gbyte,active_weights_gbyte").replace("4.9", "4.9,5"),
            "row 2: column active_weights_gbyte: no more than the weights (4.9 GB) can be active; got 5",
        ),
    ],
)  # fmt: skip
def test_a_wrong_case_is_told_with_its_row_and_column(*, tmp_path, capsys, text, words):
    assert words in refusal(tmp_path, capsys=capsys, text=text)


def test_another_level_than_a_share_is_refused(tmp_path, capsys):
    assert run(tmp_path, PLAIN, "--level", "90") == (2, [])
    assert "strictly between 0 and 1; got 90. For 90 % pass 0.9" in capsys.readouterr().err
