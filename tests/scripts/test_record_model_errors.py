"""What the page of errors reads is what the models say today."""

import json

import pytest

from analysis.model_errors.comparison import as_text, from_text
from scripts import record_model_errors
from scripts.record_model_errors import (
    DIGESTS,
    PROVIDERS,
    differs,
    digests,
    record,
)
from tests.analysis.model_errors.rows import row
from tests.length import LONG
from views.model_errors.settings import FOLDER

REFITTED = ("serving", "serving_under_load")
"""Providers that fit anew for every source they leave out: 40 s."""


def test_the_record_was_made_of_these_tables_and_nobody_has_changed_it():
    assert json.loads((FOLDER / DIGESTS).read_text(encoding="utf-8")) == digests(FOLDER), (
        "run `make records`."
    )


@pytest.mark.parametrize("name", [name for name in PROVIDERS if LONG or name not in REFITTED])
def test_the_record_is_what_the_models_say_today(name):
    now = from_text(as_text(PROVIDERS[name]()))
    before = from_text((FOLDER / f"{name}.csv").read_text(encoding="utf-8"))
    difference = differs(now, before)
    assert not difference, (
        f"{difference}. A model or a table changed: run `python -m scripts.records model-errors` and commit "
        "data/derived/model_errors."
    )


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"predicted": 113.0}, "decode, row d1: predicted is 113.0, 112.0 on record"),
        ({"engine": "MLX"}, "decode, row d1: engine is MLX, llama.cpp on record"),
        ({"predicted": 112.01}, ""),
        ({"software_date": float("nan")}, "decode, row d1: software_date is nan, 2024.4 on record"),
    ],
)
def test_a_difference_is_named(*, other, said):
    assert differs([row(**other)], [row()]) == said


def test_a_stale_record_is_said_and_then_written(*, tmp_path, monkeypatch, capsys):
    for name, value in {
        "FOLDER": tmp_path / "kept",
        "MONTH": tmp_path / "kept" / "month.txt",
    }.items():
        monkeypatch.setattr(record_model_errors, name, value)
    monkeypatch.setattr(record_model_errors, "PROVIDERS", {"decode": lambda: (row(),)})
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "decode.csv").write_text(as_text([row(engine="MLX")]), encoding="utf-8")
    record()
    assert "decode, row d1: engine is llama.cpp, MLX on record" in capsys.readouterr().out
    assert from_text((tmp_path / "kept" / "decode.csv").read_text(encoding="utf-8")) == (row(),)
    record()
    assert capsys.readouterr().out == "decode: on record\n"
