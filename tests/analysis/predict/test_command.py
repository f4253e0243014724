from dataclasses import replace

import pytest

from analysis.placement import __main__ as placement
from analysis.predict.columns import CaseColumn, CaseError, Dialect
from analysis.predict.command import Command, run
from analysis.serving import __main__ as serving
from analysis.training_run import __main__ as training_run

COMMAND = Command(
    module="analysis.doubling",
    does="predict doubles",
    words="number, doubled.",
    dialect=Dialect(columns=(CaseColumn(name="number"),), added=("double", "problem"), needs=(("number",),)),
    predict=lambda cases, release, level: [
        {"double": str(2 * int(case["number"]))} if case["number"].isdigit() else CaseError("number: no number.")
        for case in cases
    ],
)  # fmt: skip
ALL = (placement.COMMAND, training_run.COMMAND, serving.COMMAND)


def command(tmp_path, text, *options):
    (tmp_path / "cases.csv").write_text(text, encoding="utf-8")
    return run(COMMAND, ["predict", str(tmp_path / "cases.csv"), *options])


def test_all_predicted_is_status_zero_and_printed_without_an_output(tmp_path, capsys):
    assert command(tmp_path, "number\n2\n") == 0
    assert capsys.readouterr() == ("number,double,problem\n2,4,\n", "")


def test_a_bad_row_keeps_its_place_and_makes_status_one(tmp_path, capsys):
    assert command(tmp_path, "number\n2\nx\n3\n", "--output", str(tmp_path / "out.csv")) == 1
    assert capsys.readouterr() == ("", "cases.csv, row 3: number: no number.\n")
    written = (tmp_path / "out.csv").read_text(encoding="utf-8")
    assert written == "number,double,problem\n2,4,\nx,,number: no number.\n3,6,\n"


def test_a_column_that_looks_misspelt_makes_status_one(tmp_path, capsys):
    assert command(tmp_path, "number,numbers\n2,3\n") == 0
    capsys.readouterr()
    columns = (CaseColumn(name="number"), CaseColumn(name="factor"))
    dialect = Dialect(columns=columns, added=("problem",), needs=(("number",),))
    other = replace(COMMAND, dialect=dialect, predict=lambda cases, release, level: [{}])
    (tmp_path / "cases.csv").write_text("number,factors\n2,3\n", encoding="utf-8")
    for options, status in (((), 1), (("--strict",), 2)):
        assert run(other, ["predict", str(tmp_path / "cases.csv"), *options]) == status
        printed = capsys.readouterr()
        assert "cases.csv: column factors is not read; was factor meant? Rename it to that, or" in printed.err
        assert (printed.out == "") == (status == 2)


def test_strict_writes_nothing_where_a_row_is_bad(tmp_path, capsys):
    assert command(tmp_path, "number\n2\nx\n", "--strict", "--output", str(tmp_path / "out.csv")) == 2
    assert capsys.readouterr().err == "cases.csv, row 3: number: no number.\n"
    assert not (tmp_path / "out.csv").exists()
    assert command(tmp_path, "number\n2\n", "--strict", "--output", str(tmp_path / "out.csv")) == 0


def test_no_more_than_ten_problems_are_told(tmp_path, capsys):
    assert command(tmp_path, "number\n" + "x\n" * 1014) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 11 and lines[-1] == "and 1,004 more rows."


def test_an_output_that_cannot_be_written_is_status_two(tmp_path, capsys):
    assert command(tmp_path, "number\n2\n", "--output", str(tmp_path / "no" / "out.csv")) == 2
    assert "out.csv cannot be written: No such file or directory." in capsys.readouterr().err


def test_columns_called_as_predicted_ones_are_kept_and_told(tmp_path, capsys):
    assert command(tmp_path, "number,Double\n2,9\n") == 0
    words = "cases.csv has columns with the names of predicted ones; copied: double as given_double.\n"
    assert capsys.readouterr() == ("number,given_double,double,problem\n2,9,4,\n", words)


def test_a_release_that_is_none_is_refused_with_those_that_are(tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        command(tmp_path, "number\n2\n", "--release", "2020-01")
    assert "argument --release: invalid choice: '2020-01' (choose from" in capsys.readouterr().err


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.module)
def test_the_help_of_each_says_how_bad_rows_are_treated_and_names_every_column(one, capsys):
    with pytest.raises(SystemExit, match="0"):
        run(one, ["predict", "--help"])
    words = " ".join(capsys.readouterr().out.split())
    assert "A row that cannot be predicted stays in the output, with the reason" in words
    assert "Exit status: 0 if all rows are predicted; 1 if a row has a problem" in words
    for option in ("--output", "--release", "--strict"):
        assert option in words
    for column in one.dialect.columns:
        for name in column.names:
            assert name in words.replace("- ", "-")


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.module)
def test_names_of_columns_are_unlike_and_slips_lead_to_one(one):
    names = [name for column in one.dialect.columns for name in column.names]
    assert len(names) == len(set(names))
    assert set(one.dialect.slips.values()) <= set(names)
    assert not set(one.dialect.slips) & set(names)
    assert {name for alternatives in one.dialect.needs for name in alternatives} <= set(names)
    assert one.dialect.added[-1] == "problem"


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.module)
def test_an_answer_fills_added_columns_and_no_others(one):
    rows = {
        "analysis.placement": {"device": "RTX 4090", "model": "Llama 3 8B"},
        "analysis.training_run": {
            "layers": "24",
            "hidden": "2304",
            "heads": "24",
            "vocabulary": "51200",
            "sequence_length": "2048",
            "global_batch": "512",
            "accelerator": "A100",
        },
        "analysis.serving": {"model": "Llama 3 8B", "accelerator": "H100"},
    }
    good, bad = one.predict([rows[one.module], {}], release="", level=0.9)
    assert set(good) <= set(one.dialect.added)
    assert isinstance(bad, CaseError)
