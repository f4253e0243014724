import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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


def test_a_higher_level_widens_the_interval(tmp_path):
    (narrow,), (wide,) = run(tmp_path, PLAIN, "--level", "0.5")[1], run(tmp_path, PLAIN, "--level", "0.95")[1]
    name = "predicted_decode_tokens_per_s_low"
    assert float(wide[name]) < float(narrow[name])


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


def test_a_file_that_is_no_table_is_told_so(tmp_path, capsys):
    words = refusal(tmp_path, capsys=capsys, text=PLAIN + '"' + "x" * 200_000 + '",GPU,1,1\n')
    assert "is no table of commas: field larger than field limit" in words


def test_a_table_of_nothing_but_bad_rows_comes_back_whole(tmp_path):
    code, rows = run(tmp_path, "device,model,mine\nRTX 9999,Llama 3 8B,a\nRTX 4090,,b\n")
    assert (code, [row["mine"] for row in rows]) == (1, ["a", "b"])
    assert rows[0]["problem"].startswith("column device: 'RTX 9999' is not in our tables")
    assert rows[1]["problem"].startswith(
        "column weights_byte: needed, as no known model is named. Give the size of"
    )
    assert {row[name] for row in rows for name in DIALECT.added[:-1]} == {""}


ROWS = (
    "RTX 4090,Llama 3 8B",
    "Apple M2,Llama 3 8B",
    "H100,Mixtral 8x7B",
    "RTX 9999,Llama 3 8B",
    "RTX 4090,x",
    "A,,x",
)


@settings(max_examples=15, deadline=None)
@given(rows=st.lists(st.sampled_from(ROWS), min_size=1, max_size=12))
def test_a_row_is_predicted_the_same_whatever_stands_beside_it(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("cases")
    _, predicted = run(folder, "device,model,mine\n" + "".join(row + "\n" for row in rows))
    _, alone = run(folder, "device,model,mine\n" + "".join(row + "\n" for row in ROWS))
    assert predicted == [alone[ROWS.index(row)] for row in rows]


def test_another_level_than_a_share_is_refused(tmp_path, capsys):
    assert run(tmp_path, PLAIN, "--level", "90") == (2, [])
    assert "strictly between 0 and 1; got 90. For 90 % pass 0.9" in capsys.readouterr().err


def test_another_release_may_be_named(tmp_path):
    assert run(tmp_path, NAMED, "--release", "2025-11") == run(tmp_path, NAMED)
