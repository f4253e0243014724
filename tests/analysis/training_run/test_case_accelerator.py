"""The accelerator of a run is told by name or by numbers."""

import pytest

from analysis.case_table import CaseError
from analysis.training_run.case_accelerator import BY_NUMBERS, accelerator_row, accelerator_words
from data import releases
from tests.analysis.training_run.command import GPT_3, NAMES, read, run

ROWS = releases.load("2026-07").accelerators.to_dict("records")
H100 = {
    "peak_flop_per_s": "989.4e12",
    "memory_bandwidth_byte_per_s": "3.35e12",
    "memory_capacity_byte": "80e9",
}


def test_a_name_alone_is_the_row_of_our_table():
    (row,) = (row for row in ROWS if row["product"] == "H100 SXM" and row["name"].endswith("80GB"))
    for word in ("accelerator", "device", "gpu"):
        assert (
            accelerator_row({word: "H100"}, precision="fp16", accelerators=ROWS)["product"] == row["product"]
        )


def test_numbers_come_before_those_of_the_name():
    row = accelerator_row(
        {"accelerator": "H100", "memory_capacity_gbyte": "141"}, precision="fp8", accelerators=ROWS
    )
    assert (row["product"], row["memory_capacity_byte"]) == ("H100 SXM", 141e9)
    words = accelerator_words({"memory_capacity_gbyte": "141"}, product="H100 SXM")
    assert words == "H100 SXM with memory_capacity_gbyte 141"
    assert accelerator_words({"accelerator": "H100"}, product="H100 SXM") == "H100 SXM"


def test_all_numbers_stand_for_an_accelerator_of_any_name_or_none():
    for name, product in (("", BY_NUMBERS), ("my chip", "my chip")):
        row = accelerator_row({**H100, "accelerator": name}, precision="fp8", accelerators=ROWS)
        assert row == {
            "product": product,
            "peak_fp8_dense_flop_per_s": 989.4e12,
            "memory_bandwidth_byte_per_s": 3.35e12,
            "memory_capacity_byte": 80e9,
        }


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"accelerator": "B52"}, "no accelerator is called 'B52'; for example"),
        ({**H100, "accelerator": "B52", "memory_capacity_byte": ""}, "no accelerator is called 'B52'; for example"),
        ({**H100, "peak_flop_per_s": "989"}, "peak_flop_per_s is 1e+11 or more; got '989'. Check its unit."),
        ({"memory_bandwidth_gbyte_per_s": "0.5"}, "memory_bandwidth_gbyte_per_s is 1 or more; got '0.5'. Check its"),
        ({**H100, "memory_capacity_byte": "80"}, "memory_capacity_byte is 1e+08 or more; got '80'. Check its unit."),
    ],
)  # fmt: skip
def test_what_is_no_accelerator_is_refused_with_what_to_give(row, words):
    with pytest.raises(CaseError) as refusal:
        accelerator_row(row, precision="fp16", accelerators=ROWS)
    assert words in str(refusal.value)


def test_a_run_is_predicted_on_an_accelerator_by_numbers(tmp_path, capsys):
    names = [*NAMES, *H100]
    bare = [("" if name == "accelerator" else cell) for name, cell in zip(NAMES, GPT_3, strict=True)]
    named = [("H100" if name == "accelerator" else cell) for name, cell in zip(NAMES, GPT_3, strict=True)]
    code, output, err = run(
        tmp_path, capsys, (*bare, *H100.values()), (*named, "", "", ""), (*bare, *list(H100.values())[:2], ""),
        names=names,
    )  # fmt: skip
    numbers, name, lacking = read(output)
    assert code == 1
    assert numbers["accelerator_used"].startswith(
        "accelerator by numbers with peak_flop_per_s 989.4e12, memory_"
    )
    assert float(numbers["step_s"]) == pytest.approx(float(name["step_s"]), rel=0.25)
    assert lacking["problem"] == "accelerator is needed; it is empty. Give a name, such as H100 SXM."
    assert "row 4: accelerator is needed" in err
