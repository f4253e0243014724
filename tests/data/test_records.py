from dataclasses import replace
from typing import Any

import pytest

from data import records
from data.records import Move, RecordedFigure

PLACE: Any = {"view": "growth-gap", "release": "2026-07", "figure": "gap"}
ENDS: Any = {"value": 3.5628184740829822, "low": 3.0, "high": 4.1, "interval": "3.0–4.1×"}
FIGURE = RecordedFigure(**PLACE, **ENDS, unit="x/year", text="3.6× a year")
TOLD: Any = {"was": "3.6×, about", "now": "3.5×", "kind": "method", "reason": "A reason."}
MOVE = Move(day="2026-12-01", **PLACE, **TOLD)


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({"value": 3.5628184740829822 * (1 + 1e-7), "text": "other words"}, True),
        ({"value": 3.57}, True),  # a reader sees the same text
        ({"value": 3.57, "text": "3.7×"}, False),
        ({"low": 3.1, "interval": "3.1–4.1×"}, False),
        ({"high": None, "interval": ""}, False),
        ({"value": None, "text": "no trend"}, False),
    ],
)
def test_figures_are_the_same_by_text_or_within_a_millionth(change, same):
    assert FIGURE.is_same(replace(FIGURE, **change)) == same
    assert replace(FIGURE, **change).is_same(FIGURE) == same


def test_record_and_log_are_read_as_they_were_written(tmp_path, monkeypatch):
    figures, log = [FIGURE, replace(FIGURE, figure="verdict", value=None, text="yes, so far")], (MOVE,)
    monkeypatch.setattr(records, "FIGURES", tmp_path / "figures.csv")
    monkeypatch.setattr(records, "MOVED", tmp_path / "moved.csv")
    records.FIGURES.write_text(records.figures_text(figures), encoding="utf-8")
    records.MOVED.write_text(records.moved_text(log), encoding="utf-8")
    assert list(known := records.figures.__wrapped__()) == [figure.key for figure in figures]
    assert all(figure.is_same(known[figure.key]) for figure in figures)
    assert records.figures_text(known.values()) == records.figures_text(figures)
    assert records.moves.__wrapped__() == log
