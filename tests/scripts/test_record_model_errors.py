import json

import pytest

from analysis.model_errors.comparison import as_text, from_text
from scripts import record_model_errors as command
from tests.analysis.model_errors.rows import row
from tests.length import LONG
from views.model_errors import settings
from views.model_errors.settings import FOLDER, rows

REFITTED = ("serving",)
"""Providers that fit anew for every source they leave out: 40 s."""


def test_the_record_was_made_of_these_tables_and_nobody_has_changed_it():
    recorded = json.loads((FOLDER / command.DIGESTS).read_text(encoding="utf-8"))
    assert recorded == command.digests(FOLDER), "run `make records`."


@pytest.mark.parametrize("name", [name for name in command.PROVIDERS if LONG or name not in REFITTED])
def test_the_record_is_what_the_models_say_today(name):
    now = from_text(as_text(command.PROVIDERS[name]()))
    before = from_text((FOLDER / f"{name}.csv").read_text(encoding="utf-8"))
    difference = command.differs(now, before)
    assert not difference, (
        f"{difference}. A model or a table changed: run `python -m scripts.records model-errors` and commit "
        "data/derived/model_errors and README.md."
    )


def test_the_table_of_the_readme_is_that_of_the_record():
    text = command.README.read_text(encoding="utf-8")
    what_to_do = "run `python -m scripts.records model-errors` and commit README.md."
    assert command.with_table(text, rows=rows()) == text, what_to_do


def test_the_table_says_how_far_off_each_model_is_between_the_marks_of_the_readme():
    rows = [*(row(row_id=str(i)) for i in range(5)), row(model="training", predicted=90.0)]
    readme = command.with_table(f"a\n{command.START}\nold\n{command.END}\nb", rows=rows)
    assert readme.startswith(f"a\n{command.START}\n| prediction |") and "old" not in readme
    assert "| decode | 12% | 100% | 1 | 5 |" in readme
    assert "| training: speed | 10% |" in readme
    with pytest.raises(ValueError, match="README has lost the marks <!-- model errors: begin --> and"):
        command.with_table("no marks", rows=rows)


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
    difference = command.differs([row(**other)], [row()])
    assert said in difference and bool(difference) == bool(said)
    assert "shape mismatch" in command.differs([row()] * 2, [row()])


def test_a_stale_record_is_said_and_then_written(*, tmp_path, monkeypatch, capsys):
    readme = tmp_path / "README.md"
    readme.write_text(f"a\n{command.START}\n{command.END}\nb\n", encoding="utf-8")
    folder = tmp_path / "kept"
    for name, value in {"FOLDER": folder, "MONTH": folder / "month.txt", "README": readme}.items():
        monkeypatch.setattr(command, name, value)
    monkeypatch.setattr(command, "PROVIDERS", {"decode": lambda: (row(),)})
    monkeypatch.setattr(command, "read", lambda: settings.read(folder))
    folder.mkdir()
    (folder / "decode.csv").write_text(as_text([row(engine="MLX")]), encoding="utf-8")
    command.record()
    assert 'decode: rows.iloc[:, 6] (column name="engine") are different' in capsys.readouterr().out
    assert from_text((folder / "decode.csv").read_text(encoding="utf-8")) == (row(),)
    command.record()
    assert capsys.readouterr().out == "decode: on record\n"
    assert "| decode | 12% |" in readme.read_text(encoding="utf-8")
