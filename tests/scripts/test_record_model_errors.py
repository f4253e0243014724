"""What the page of errors reads is what the models say today."""

import json

import pytest

from analysis.model_errors.comparison import as_text, from_text
from scripts import record_model_errors
from tests.analysis.model_errors.rows import row
from tests.length import LONG
from views.model_errors import settings
from views.model_errors.settings import FOLDER, rows

REFITTED = ("serving",)
"""Providers that fit anew for every source they leave out: 40 s."""


def test_the_record_was_made_of_these_tables_and_nobody_has_changed_it():
    assert json.loads(
        (FOLDER / record_model_errors.DIGESTS).read_text(encoding="utf-8")
    ) == record_model_errors.digests(FOLDER), "run `make records`."


@pytest.mark.parametrize(
    "name", [name for name in record_model_errors.PROVIDERS if LONG or name not in REFITTED]
)
def test_the_record_is_what_the_models_say_today(name):
    now = from_text(as_text(record_model_errors.PROVIDERS[name]()))
    before = from_text((FOLDER / f"{name}.csv").read_text(encoding="utf-8"))
    difference = record_model_errors.differs(now, before)
    assert not difference, (
        f"{difference}. A model or a table changed: run `python -m scripts.records model-errors` and commit "
        "data/derived/model_errors and README.md."
    )


def test_the_table_of_the_readme_is_that_of_the_record():
    text = record_model_errors.README.read_text(encoding="utf-8")
    assert record_model_errors.with_table(text, rows=rows()) == text, (
        "run `python -m scripts.records model-errors` and commit README.md."
    )


def test_a_readme_without_its_marks_is_refused():
    with pytest.raises(ValueError, match="README has lost the marks <!-- model errors: begin --> and"):
        record_model_errors.with_table("no marks", rows=[row()])


def test_the_table_says_how_far_off_each_model_is():
    table = record_model_errors.readme_table(
        [*(row(row_id=str(i)) for i in range(5)), row(model="training", predicted=90.0)]
    )
    assert "| decode | 12% | 100% | 1 | 5 |" in table
    assert "| training: speed | 10% |" in table
    assert record_model_errors.with_table(
        f"a\n{record_model_errors.START}\nold\n{record_model_errors.END}\nb", rows=[row()]
    ).startswith(f"a\n{record_model_errors.START}\n| prediction |")


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"predicted": 113.0}, "first diff: 113.0 != 112.0"),
        ({"engine": "MLX"}, 'column name="engine"'),
        ({"predicted": 112.01}, ""),
        ({"software_date": float("nan")}, "first diff: nan != 2024.4"),
    ],
)
def test_a_difference_is_named(*, other, said):
    difference = record_model_errors.differs([row(**other)], [row()])
    assert said in difference and bool(difference) == bool(said)
    assert "shape mismatch" in record_model_errors.differs([row()] * 2, [row()])


def test_a_stale_record_is_said_and_then_written(*, tmp_path, monkeypatch, capsys):
    readme = tmp_path / "README.md"
    readme.write_text(f"a\n{record_model_errors.START}\n{record_model_errors.END}\nb\n", encoding="utf-8")
    for name, value in {
        "FOLDER": tmp_path / "kept",
        "MONTH": tmp_path / "kept" / "month.txt",
        "README": readme,
    }.items():
        monkeypatch.setattr(record_model_errors, name, value)
    monkeypatch.setattr(record_model_errors, "PROVIDERS", {"decode": lambda: (row(),)})
    monkeypatch.setattr(record_model_errors, "read", lambda: settings.read(tmp_path / "kept"))
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "decode.csv").write_text(as_text([row(engine="MLX")]), encoding="utf-8")
    record_model_errors.record()
    assert 'decode: rows.iloc[:, 6] (column name="engine") are different' in capsys.readouterr().out
    assert from_text((tmp_path / "kept" / "decode.csv").read_text(encoding="utf-8")) == (row(),)
    record_model_errors.record()
    assert capsys.readouterr().out == "decode: on record\n"
    assert "| decode | 12% |" in readme.read_text(encoding="utf-8")
