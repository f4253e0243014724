"""Recorded answers at default settings: the figures of every view and release, and a log of moved figures.

``data/derived/figures.csv`` is the record and ``moved.csv`` the log; ``make records`` writes both.
"""

import csv
import json
import math
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal

from data import contract, standing, table_text

FOLDER = contract.DIRECTORY / "derived"
FIGURES = FOLDER / "figures.csv"
MOVED = FOLDER / "moved.csv"
PREDICTIONS = FOLDER / "predictions.csv"
SERVING_FIT = FOLDER / "serving_fit.json"
TOLERANCE = 1e-6
"""Relative difference below which numbers are equal. Versions of Python and numpy differ by 2e-14. [1]"""

Kind = Literal["rows", "correction", "method"]
"""Reason why a figure moved: new rows, a correction, or new code for the same sealed release."""


@dataclass(frozen=True, kw_only=True)
class RecordedFigure:
    """A figure in a view's answer at default settings. Readers see ``label``, ``text`` and ``interval``.

    ``is_key`` is true for key figures of the view.
    """

    view: str
    release: str
    figure: str
    value: float | None
    low: float | None
    high: float | None
    unit: str
    text: str
    interval: str
    label: str = ""
    is_key: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        """Return the figure's view, release and name."""
        return self.view, self.release, self.figure

    @property
    def words(self) -> tuple[str, str, str, bool]:
        """Return what readers see: number, interval, label, and whether it is a key figure."""
        return self.text, self.interval, self.label, self.is_key

    def is_same(self, other: "RecordedFigure") -> bool:
        """Return whether readers see the same number: equal texts, or values within the tolerance."""
        numbers = ((self.value, other.value), (self.low, other.low), (self.high, other.high))
        return self.words[:2] == other.words[:2] or (
            self.value is not None and all(_close(*pair) for pair in numbers)
        )


@dataclass(frozen=True, kw_only=True)
class Move:
    """A figure that moved in a release: its text before and after, and the reason.

    With ``method`` it moved within the release; with ``rows`` or ``correction`` it differs from the previous release.
    """

    day: str
    view: str
    release: str
    figure: str
    was: str
    now: str
    kind: Kind
    reason: str


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """A prediction recorded before its measurement. ``measured_tokens_per_s`` is None until then."""

    row_id: str
    predicted_on: str
    accelerator: str
    model: str
    case: str
    assumed: str
    predicted_tokens_per_s: float
    predicted_low_tokens_per_s: float
    predicted_high_tokens_per_s: float
    level: float
    made_with: str
    measured_tokens_per_s: float | None
    measured_by: str

    @property
    def is_inside(self) -> bool:
        """Return whether the measurement exists and is inside the interval."""
        low, high = self.predicted_low_tokens_per_s, self.predicted_high_tokens_per_s
        return self.measured_tokens_per_s is not None and low <= self.measured_tokens_per_s <= high


@cache
def predictions() -> tuple[Prediction, ...]:
    """Return the recorded predictions in the order of the file. The result is cached."""
    numbers = [item.name for item in fields(Prediction) if item.name.endswith("_per_s")]
    return tuple(Prediction(**line) for line in _lines(PREDICTIONS, "level", *numbers))


def blind_tests(predicted: str) -> dict[str, dict[str, Any]]:
    """Return the newest blind tests of ``decode``, ``prefill`` or ``training``, keyed by subset of rows.

    Each has the errors of an earlier fit on speeds that it had not seen.
    """
    table = standing.table("blind_tests")
    rows = table.loc[(table["tested_on"] == table["tested_on"].max()) & (table["predicted"] == predicted)]
    counts = {name: "Int64" for name in ("n_rows", "n_devices", "n_unknown_devices")}
    return {row["subset"]: row for row in rows.astype(counts).to_dict("records")}


def _lines(path: Path, *numbers: str) -> list[dict[str, Any]]:
    """Return the lines of a CSV file, each keyed by column. Cells are text, but float or None in ``numbers``."""
    with path.open(encoding="utf-8", newline="") as file:
        lines: list[dict[str, Any]] = list(csv.DictReader(file))
    return [line | {name: float(line[name]) if line[name] else None for name in numbers} for line in lines]


def _close(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=TOLERANCE)


@cache
def figures() -> dict[tuple[str, str, str], RecordedFigure]:
    """Return the recorded figures in order, keyed by view, release and name. They are cached."""
    lines = _lines(FIGURES, "value", "low", "high")
    rows = [RecordedFigure(**line | {"is_key": line["is_key"] == "true"}) for line in lines]
    return {row.key: row for row in rows}


@cache
def moves() -> tuple[Move, ...]:
    """Return the log of figures that moved, oldest first. It is cached."""
    return tuple(Move(was=line.pop("from"), now=line.pop("to"), **line) for line in _lines(MOVED))


def moved_by_method(view: str, *, release: str) -> tuple[Move, ...]:
    """Return the figures that new code moved in a view's answer from a sealed release, newest first."""
    mine = [move for move in moves() if (move.view, move.release, move.kind) == (view, release, "method")]
    return tuple(sorted(mine, key=lambda move: move.day, reverse=True))


def figures_text(rows: Iterable[RecordedFigure]) -> str:
    """Return the record as CSV, with numbers rounded to nine digits, so that it is the same on every machine."""
    return text_of("recorded_figures", ([_cell(cell) for cell in astuple(row)] for row in rows))


def moved_text(log: Iterable[Move]) -> str:
    """Return the log of moved figures as CSV."""
    return text_of("moved_figures", map(astuple, log))


def _cell(cell: str | float | None) -> str:
    if isinstance(cell, bool):
        return str(cell).lower()
    return cell if isinstance(cell, str) else "" if cell is None else f"{cell:.9g}"


def text_of(table: str, rows: Iterable[Iterable[Any]]) -> str:
    """Return rows of a table as CSV, with the names of its columns first."""
    return table_text.csv_of([contract.columns(table), *rows])


@cache
def serving_fit() -> dict[str, Any]:
    """Return the recorded serving model, which ``python -m scripts.records serving`` fits to measured points.

    ``factors`` are by name. ``quantiles`` give by kind of time how many standard deviations cover the shares
    :data:`analysis.serving.predict.LEVELS` of points, each predicted without its accelerator, its source or a random
    half of all points, taking the largest. ``full_load_within_factor`` are the shares of throughputs at full load
    predicted within a factor of 1.5: without the point's ``source``, and by ``bandwidth`` only.
    """
    return json.loads(SERVING_FIT.read_text(encoding="utf-8"))
