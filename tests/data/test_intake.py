import numpy as np
import pytest

from data import curation_tables, epoch, releases
from data.intake import Taken, notes, take
from tests.data import exports


def taken(models: bytes, hardware: bytes | None = None, *, strict: bool = False) -> dict[str, Taken]:
    newest = releases.load(releases.latest())
    files = {"training_runs": ("m.csv", models), "accelerators": ("h.csv", hardware)}
    return take(
        {table: (file, content) for table, (file, content) in files.items() if content is not None},
        lines=curation_tables.read(),
        ground={"training_runs": newest.training_runs, "accelerators": newest.accelerators},
        strict=strict,
    )


@pytest.mark.parametrize("when", ["2025-02", "2025-06"])
def test_an_older_export_is_taken_and_its_missing_columns_are_told(when):
    own = taken(exports.older("models", when), exports.older("hardware", when), strict=True)
    runs, parts = (taken.curated.frame for taken in own.values())
    assert set(runs["name"]) == {"Llama 3.1-405B", "GPT-4 (Mar 2023)"}
    assert {"NVIDIA H100 SXM5 80GB", "NVIDIA H200 SXM"} & set(parts["name"])
    text = "\n".join(notes(own))
    assert "m.csv has no column" in text and "'Numerical format'" in text and "these stay unknown" in text
    assert "h.csv has no column 'FP8 performance (FLOP/s)', 'FP4 performance (FLOP/s)'" in text


def test_rows_are_counted_against_those_a_release_has_until_about_the_last_date_of_the_file():
    days = releases.load(releases.latest()).training_runs["published_on"].to_numpy(dtype="datetime64[D]")
    names = [f"M{number}" for number in range(800)]
    whole = int(np.sum(np.isnat(days) | (days <= np.datetime64("2025-04-15"))))
    rows = [{"name": name, "published_on": "2025-02-14"} for name in names]
    assert taken(exports.models(*rows))["training_runs"].subset == ""
    subset = taken(exports.models(*rows[:300]))["training_runs"].subset
    assert subset == f"m.csv: 300 of {whole} rows: is this the whole export?"
    assert "1 of" in taken(exports.models({"published_on": "1999-03-02"}))["training_runs"].subset


def test_rows_left_out_in_reading_and_by_bounds_come_together_in_order():
    rows = [{"name": f"M{number}"} for number in range(60)]
    rows[3]["mfu"] = "45"
    rows[1]["published_on"] = "?"
    own = taken(exports.models(*rows))
    assert [line.partition(": a")[0] for line in notes(own) if "row left out" in line] == [
        "row left out: m.csv, row 3 ('M1'), column 'Publication date'",
        "row left out: m.csv, row 5 ('M3'), column 'mfu'",
    ]
    assert {row["name"] for row in rows} - set(own["training_runs"].curated.frame["name"]) == {"M1", "M3"}
    with pytest.raises(epoch.ExportError, match="row 3"):
        taken(exports.models(*rows), strict=True)


def test_a_renamed_row_outside_its_bounds_is_named_by_its_row():
    (line, *_) = (line for line in curation_tables.read().renames if line["table"] == "training_runs")
    rows = [{"name": "A"}, {"name": line["was"], "mfu": "45"}]
    assert f"row 3 ({line['now']!r}), column 'mfu'" in notes(taken(exports.models(*rows)))[1]


def test_twenty_rows_left_out_are_named_and_the_others_counted():
    rows = [{"name": f"M{number}", "mfu": "45" if number < 21 else ""} for number in range(500)]
    lines = [line for line in notes(taken(exports.models(*rows))) if "left out" in line]
    assert len(lines) == 21 and lines[-1] == "and 1 more rows left out"


def test_a_value_outside_its_bounds_is_refused_where_every_row_must_be_right():
    with pytest.raises(epoch.ExportError, match=r"row 3 .*column 'mfu'"):
        taken(exports.models({}, {"name": "Beta", "mfu": "45"}), strict=True)


def test_runs_may_name_the_accelerators_that_come_with_them():
    own = taken(exports.models({"hardware": "NVIDIA Test 100"}), exports.hardware())
    assert own["training_runs"].curated.unmatched == ()
    alone = taken(exports.models({"hardware": "NVIDIA Test 100"}))
    assert alone["training_runs"].curated.unmatched == ("NVIDIA Test 100",)
