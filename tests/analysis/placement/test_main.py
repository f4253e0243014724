import csv
import io

import pytest

from analysis.placement.__main__ import main
from analysis.placement.case_columns import ADDED

NAMED = "device,model,format,context_tokens,mine\nRTX 4090,Llama 3 8B,Q4_K_M,1024,=1+1\n"
PLAIN = "device_class,backend,memory_bandwidth_gbyte_per_s,weights_gbyte\nlaptop,GPU,400,4.9\n"


def run(tmp_path, text, *options):
    cases, out = tmp_path / "cases.csv", tmp_path / "out.csv"
    cases.write_text(text, encoding="utf-8")
    code = main(["predict", str(cases), "--output", str(out), *options])
    return code, list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8")))) if out.exists() else []


def refusal(tmp_path, capsys, text):
    """Return what is said of a table that --strict refuses; without it, the same is said and nothing is lost."""
    code, rows = run(tmp_path, text, "--strict")
    assert (code, rows) == (2, [])
    words = capsys.readouterr().err
    code, rows = run(tmp_path, text)
    assert code in (1, 2) and (code == 1) == bool(rows)
    assert capsys.readouterr().err == words
    (tmp_path / "out.csv").unlink(missing_ok=True)
    return words


def test_named_things_are_looked_up_and_other_columns_passed_through(tmp_path):
    code, (row,) = run(tmp_path, NAMED)
    assert code == 0
    assert row["mine"] == "'=1+1"  # no spreadsheet runs it
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
        (PLAIN.replace("4.9", "-1"), "row 2: column weights_gbyte: a number above 0 is needed; got -1"),
        (PLAIN.replace("400", ""), "row 2: column memory_bandwidth_gbyte_per_s: needed"),
        (PLAIN.replace("4.9", ""), "row 2: column weights_gbyte: needed, as no known model is named"),
        (PLAIN.replace("GPU", "TPU"), "row 2: column backend: one of GPU, CPU, NPU is needed; got 'TPU'"),
        (PLAIN + "laptop,GPU,400,4.9,7\n", "row 3: more cells than the heading has columns (4)"),
        (NAMED.replace("RTX 4090", "RTX 9999"), "row 2: column device: 'RTX 9999' is not in our tables (nearest: "),
        (NAMED.replace("Llama 3 8B", "Lama 3 9B"), "row 2: column model: 'Lama 3 9B' is not in our tables (nearest: "),
        (NAMED.replace("Q4_K_M", "Q99"), "row 2: column format: 'Q99' is not in our tables (nearest: "),
        (NAMED.replace("mine", "batch").replace("=1+1", "0.5"), "column batch: a number at least 1 is needed; got 0.5"),
        ("weights_gbyte,weights_gbyte\n1,1\n", "column weights_gbyte stands twice in the heading"),
        (PLAIN.partition("\n")[0] + "\n", "holds no cases"),
        (
            PLAIN.replace("weights_gbyte", "weights_gbyte,active_weights_gbyte").replace("4.9", "4.9,5"),
            "row 2: column active_weights_gbyte: no more than the weights (4.9 GB) can be active; got 5",
        ),
    ],
)  # fmt: skip
def test_a_wrong_case_is_told_with_its_row_and_column(tmp_path, capsys, text, words):
    assert words in refusal(tmp_path, capsys, text)


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("memory_bandwidth_gbyte_per_s", "1.008e12", "If these are byte/s, write 1008."),
        ("weights_gbyte", "4920000000", "at most 20000 GB; the largest models have 8,000 GB; got 4920000000. If"),
        ("peak_tflop_per_s", "1.65e14", "If these are FLOP/s, write 165."),
        ("batch", "1e7", "at most 1e+06 requests at once; got 1e7. Check its unit."),
        ("weights_gbyte", "4,92", "Write it like 1008 or 4.92, with a point for decimals, or leave it empty."),
    ],
)  # fmt: skip
def test_values_beyond_any_device_are_refused_with_the_likely_unit(tmp_path, capsys, column, value, words):
    row = {"memory_bandwidth_gbyte_per_s": "1008", "weights_gbyte": "4.92", column: f'"{value}"'}
    text = ",".join(row) + "\n" + ",".join(row.values()) + "\n"
    assert words in refusal(tmp_path, capsys, text)


def test_a_bandwidth_that_looks_like_terabytes_is_told(tmp_path):
    _, (row,) = run(tmp_path, "memory_bandwidth_gbyte_per_s,weights_gbyte\n1.008,4.9\n")
    assert "1.008 GB/s is slower than any device of our tables: were TB/s meant?" in row["note"]


def test_a_model_that_does_not_fit_the_named_device_is_told(tmp_path):
    head = "device,model,format,batch,context_tokens\n"
    _, rows = run(tmp_path, head + "RTX 4090,Llama 3.1 70B,FP16,,\nRTX 4090,Llama 3.1 8B,Q4_K_M,,\n"
                  "RTX 4090,Llama 3.1 8B,Q4_K_M,64,32768\n")  # fmt: skip
    words = "do not fit the 24 GB of NVIDIA RTX 4090: speed as if they did"
    assert "weights and cache (141 GB) " + words in rows[0]["note"]
    assert words not in rows[1]["note"]
    assert words in rows[2]["note"]


def test_blank_rows_are_skipped_and_rows_keep_the_number_they_have_in_the_file(tmp_path, capsys):
    code, rows = run(tmp_path, PLAIN + ",,,\n\nphone,GPU,60,2\n , ,,\n")
    assert code == 0
    assert [row["device_class"] for row in rows] == ["laptop", "phone"]
    (tmp_path / "out.csv").unlink()
    assert "row 5: column weights_gbyte: a number above 0" in refusal(
        tmp_path, capsys, PLAIN + ",,,\n\nphone,GPU,60,-2\n"
    )


def test_up_to_ten_wrong_rows_are_told_at_once_one_a_line(tmp_path, capsys):
    lines = refusal(tmp_path, capsys, PLAIN + "laptop,GPU,x,4\n" + "laptop,TPU,400,4\n" * 12).splitlines()
    assert len(lines) == 11
    assert lines[0].startswith("cases.csv, row 3: column memory_bandwidth_gbyte_per_s: ")
    assert lines[1].startswith("cases.csv, row 4: column backend: ")
    assert lines[10] == "and 3 more rows."


@pytest.mark.parametrize("mark", [";", "\t"])
def test_tables_parted_by_semicolons_or_tabs_are_read(tmp_path, mark):
    assert run(tmp_path, PLAIN.replace(",", mark)) == run(tmp_path, PLAIN)


def test_headings_are_read_in_any_case(tmp_path):
    text = "Device_Class,BACKEND,Memory Bandwidth GByte per s,Weights_GByte\n" + PLAIN.partition("\n")[2]
    code, (row,) = run(tmp_path, text)
    assert code == 0
    assert row["Weights_GByte"] == "4.9"
    assert row["predicted_decode_tokens_per_s"] == run(tmp_path, PLAIN)[1][0]["predicted_decode_tokens_per_s"]


@pytest.mark.parametrize(
    ("heading", "meant"),
    [
        ("memory_bandwidth_gbps", "memory_bandwidth_gbyte_per_s"),
        ("bandwidth", "memory_bandwidth_gbyte_per_s"),
        ("Memory_Bandwith_GByte_per_s", "memory_bandwidth_gbyte_per_s"),
    ],
)
def test_a_heading_that_is_nearly_ours_is_named_with_ours(tmp_path, capsys, heading, meant):
    text = PLAIN.replace("memory_bandwidth_gbyte_per_s", heading)
    assert f"column {heading} is not read; was {meant} meant?" in refusal(tmp_path, capsys, text)


def test_a_table_without_a_heading_of_ours_is_told_so(tmp_path, capsys):
    words = refusal(tmp_path, capsys, "RTX 4090,Llama 3 8B,Q4_K_M\nRTX 4090,Llama 3 8B,F16\n")
    assert "no column of the heading is one of ours; got RTX 4090, Llama 3 8B, Q4_K_M. The first row" in words
    assert "holds no cases. Add a row" in refusal(tmp_path, capsys, "")


def test_a_file_that_is_no_table_is_told_so(tmp_path, capsys):
    words = refusal(tmp_path, capsys, PLAIN + '"' + "x" * 200_000 + '",GPU,1,1\n')
    assert "is no table of commas: field larger than field limit" in words


def test_columns_of_the_readers_own_are_passed_through_though_they_are_like_ours(tmp_path):
    head = "device_class,backend,memory_bandwidth_gbyte_per_s,weights_gbyte,measured_prefill_tokens_per_s,batch_id\n"
    code, (row,) = run(tmp_path, head + "laptop,GPU,400,4.9,300,7\n")
    assert (code, row["measured_prefill_tokens_per_s"], row["batch_id"]) == (0, "300", "7")


def test_names_that_could_be_several_devices_are_refused_with_their_names(tmp_path, capsys):
    words = refusal(tmp_path, capsys, NAMED.replace("RTX 4090", "Ascend 910B"))
    assert (
        "column device: 'Ascend 910B' could be any of Huawei Ascend 910B, Huawei Ascend 910B Pro, " in words
    )


def test_what_a_short_name_was_taken_for_is_told(tmp_path):
    head = "device,model,format\n"
    _, rows = run(
        tmp_path,
        head + "H100,Meta-Llama-3-8B,4-bit\nApple M4 Max,Llama 3 8B,int4\nRTX 4090,Llama 3 8B,Q4_K_M\n",
    )
    assert "H100 taken as NVIDIA H100 SXM5 80GB; there are also NVIDIA H100 PCIe" in rows[0]["note"]
    assert "format 4-bit taken as Q4_K_M, 4.84 bits a weight" in rows[0]["note"]
    assert (
        "Apple M4 Max taken as Apple M4 Max (40-core GPU); there are also Apple M4 Max (32" in rows[1]["note"]
    )
    assert "format int4 taken as MLC q4f16, 4.5 bits a weight" in rows[1]["note"]
    assert rows[2]["note"] == ""


def test_an_unknown_device_goes_by_its_numbers_and_says_so(tmp_path, capsys):
    head = "device,memory_bandwidth_gbyte_per_s,weights_gbyte\n"
    _, (row,) = run(tmp_path, head + "my board,100,2\n")
    assert "device 'my board' is not in our tables: predicted from its numbers and maker" in row["note"]
    (tmp_path / "out.csv").unlink()
    text = NAMED.replace("RTX 4090", "Hailo-10H")
    words = "needed, as the tables have none of Hailo-10H (Raspberry Pi AI HAT+ 2)"
    assert words in refusal(tmp_path, capsys, text)


def test_a_stated_peak_moves_prompt_reading_and_measured_cards_lie_within(tmp_path):
    head = "device_class,backend,memory_bandwidth_gbyte_per_s,peak_tflop_per_s,weights_gbyte\n"
    peaks = (30, 165, 660, 2000)
    _, rows = run(tmp_path, head + "".join(f"desktop_gpu,GPU,1008,{peak},4.918\n" for peak in peaks))
    name = "predicted_prefill_tokens_per_s"
    speeds = [float(row[name]) for row in rows]
    assert speeds == sorted(speeds) and len(set(speeds)) == len(peaks)
    assert "as this is the size of Llama-3-8B-Instruct in Q4_K_M" in rows[0]["note"]
    for row in rows[1:3]:  # 8,500 to 9,700 measured on an RTX 4090 (d026, d052)
        assert float(row[name + "_low"]) < 8500 and float(row[name + "_high"]) > 9700


def test_weights_without_a_format_are_16_bit_unless_their_size_says_otherwise(tmp_path):
    head = "device_class,backend,memory_bandwidth_gbyte_per_s,weights_gbyte,format\n"
    _, rows = run(
        tmp_path,
        head + "".join(f"laptop,GPU,400,{cells}\n" for cells in ("3.3,", "3.3,FP16", "16.06,", "16.06,FP16")),
    )
    name = "predicted_prefill_tokens_per_s"
    assert float(rows[0][name]) == pytest.approx(float(rows[1][name]), rel=0.02)
    assert "no format given: parameters counted at 16 bits each" in rows[0]["note"]
    assert float(rows[2][name]) == pytest.approx(float(rows[3][name]), rel=0.02)


def test_help_says_which_peak_is_meant(capsys):
    with pytest.raises(SystemExit):
        main(["predict", "--help"])
    assert "dense peak of the tensor or matrix units at 16 bits" in " ".join(capsys.readouterr().out.split())


def test_a_missing_file_is_named(tmp_path, capsys):
    assert main(["predict", str(tmp_path / "none.csv")]) == 2
    assert "none.csv cannot be read: No such file or directory. Check its name." in capsys.readouterr().err
