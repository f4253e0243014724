import csv
import io

import pytest

from analysis.placement.__main__ import ADDED, main

NAMED = "device,model,format,context_tokens,mine\nRTX 4090,Llama 3 8B,Q4_K_M,1024,=1+1\n"
PLAIN = "device_class,backend,memory_bandwidth_gbyte_per_s,weights_gbyte\nlaptop,GPU,400,4.9\n"


def run(tmp_path, text, *options):
    cases, out = tmp_path / "cases.csv", tmp_path / "out.csv"
    cases.write_text(text, encoding="utf-8")
    code = main(["predict", str(cases), "--output", str(out), *options])
    return code, list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8")))) if out.exists() else []


def refusal(tmp_path, capsys, text):
    code, rows = run(tmp_path, text)
    assert (code, rows) == (2, [])
    return capsys.readouterr().err


def test_named_things_are_looked_up_and_other_columns_passed_through(tmp_path):
    code, (row,) = run(tmp_path, NAMED)
    assert code == 0
    assert row["mine"] == "=1+1"
    assert list(row)[-len(ADDED) :] == list(ADDED)
    low, middle, high = (float(row[f"predicted_decode_tokens_per_s{end}"]) for end in ("_low", "", "_high"))
    assert low < 127.74 < high  # measured: XiongjieDai, GPU-Benchmarks-on-LLM-Inference, RTX 4090, 8B Q4_K_M
    assert low < middle < high
    assert float(row["predicted_prefill_tokens_per_s"]) > 1000


def test_plain_numbers_need_only_bandwidth_and_weights(tmp_path):
    code, (row,) = run(tmp_path, "memory_bandwidth_gbyte_per_s,weights_gbyte\n400,4.9\n")
    assert code == 0
    assert 40 < float(row["predicted_decode_tokens_per_s"]) < 85
    assert "no device class given: fell back to all GPU devices" in row["note"]


def test_a_format_is_told_from_the_size_of_a_known_model(tmp_path):
    head = "device,model,format,weights_gbyte\n"
    _, rows = run(tmp_path, head + "RTX 4090,Llama 3 8B,F16,16.06\nRTX 4090,Llama 3 8B,,16.06\n")
    name = "predicted_decode_tokens_per_s"
    assert rows[0][name] == rows[1][name]


def test_an_unknown_class_falls_back_to_its_kind_and_says_so(tmp_path):
    _, rows = run(tmp_path, PLAIN + "wristwatch,NPU,60,1\n")
    assert "fell back" not in rows[0]["note"]
    assert "class 'wristwatch' was not measured on NPU: fell back to all NPU devices" in rows[1]["note"]


def test_the_error_is_given_where_a_measurement_is(tmp_path):
    text = PLAIN.replace("weights_gbyte\n", "weights_gbyte,measured_decode_tokens_per_s\n")
    _, rows = run(tmp_path, text.replace("4.9\n", "4.9,60\n") + "laptop,GPU,400,4.9,\n")
    expected = 100 * (float(rows[0]["predicted_decode_tokens_per_s"]) / 60 - 1)
    assert float(rows[0]["error_percent"]) == pytest.approx(expected, abs=0.01)
    assert rows[1]["error_percent"] == ""


def test_a_mixture_is_faster_than_a_dense_model_of_its_size(tmp_path):
    head = "device_class,backend,memory_bandwidth_gbyte_per_s,weights_gbyte,active_weights_gbyte\n"
    _, rows = run(tmp_path, head + "laptop,GPU,400,60,3\nlaptop,GPU,400,60,60\n")
    fast, slow = (float(row["predicted_decode_tokens_per_s"]) for row in rows)
    assert fast > 5 * slow


def test_a_higher_level_widens_the_interval(tmp_path):
    (narrow,), (wide,) = run(tmp_path, PLAIN, "--level", "0.5")[1], run(tmp_path, PLAIN, "--level", "0.95")[1]
    name = "predicted_decode_tokens_per_s_low"
    assert float(wide[name]) < float(narrow[name])


def test_without_output_the_table_is_printed(tmp_path, capsys):
    (tmp_path / "cases.csv").write_text(PLAIN, encoding="utf-8")
    assert main(["predict", str(tmp_path / "cases.csv")]) == 0
    assert capsys.readouterr().out.startswith("device_class,backend,")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (PLAIN.replace("400", "fast"), "_gbyte_per_s: a finite number is needed; got 'fast'"),
        (PLAIN.replace("400", "inf"), "_gbyte_per_s: a finite number is needed; got 'inf'"),
        (PLAIN.replace("4.9", "-1"), "row 1, column weights_gbyte: a number above 0 is needed; got -1"),
        (PLAIN.replace("400", ""), "row 1, column memory_bandwidth_gbyte_per_s: needed"),
        (PLAIN.replace("4.9", ""), "row 1, column weights_gbyte: needed, as no known model is named"),
        (PLAIN.replace("GPU", "TPU"), "row 1, column backend: one of GPU, CPU, NPU is needed; got 'TPU'"),
        (PLAIN + "laptop,GPU,400,4.9,7\n", "row 2: more cells than the heading has columns (4)"),
        (NAMED.replace("RTX 4090", "RTX 9999"), "row 1, column device: 'RTX 9999' is not in our tables (nearest: "),
        (NAMED.replace("Llama 3 8B", "Lama 3 9B"), "row 1, column model: 'Lama 3 9B' is not in our tables (nearest: "),
        (NAMED.replace("Q4_K_M", "Q99"), "row 1, column format: 'Q99' is not in our tables (nearest: "),
        (NAMED.replace("mine", "batch").replace("=1+1", "0.5"), "column batch: a number at least 1 is needed; got 0.5"),
        ("weights_gbyte,weights_gbyte\n1,1\n", "column weights_gbyte stands twice in the heading"),
        ("weights_gbyte\n", "holds no cases"),
        (
            PLAIN.replace("weights_gbyte", "weights_gbyte,active_weights_gbyte").replace("4.9", "4.9,5"),
            "row 1, column active_weights_gbyte: no more than the weights (4.9 GB) can be active; got 5",
        ),
    ],
)  # fmt: skip
def test_a_wrong_case_is_refused_with_its_row_and_column_and_nothing_is_written(
    tmp_path, capsys, text, words
):
    assert words in refusal(tmp_path, capsys, text)


def test_a_missing_file_is_named(tmp_path, capsys):
    assert main(["predict", str(tmp_path / "none.csv")]) == 2
    assert "none.csv cannot be read as a CSV file in UTF-8" in capsys.readouterr().err
