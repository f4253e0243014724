"""Measured rows with held-out predictions, the files that store them, and the predictions' errors."""

import csv
import io
import math
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from operator import attrgetter
from typing import Any

import numpy as np

from analysis.model_errors.errors import LEVEL, Errors, errors_of

DIGITS = 4
"""Significant digits in the recorded files: far finer than any error, and the same on every machine."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """One measured row with its held-out prediction.

    ``model`` names the predicting model; ``row_id`` is the row of its standing table; ``case`` describes what was run;
    ``architecture`` is its name in the table of architectures, or empty; ``kind`` is its class as shown to readers.
    ``software_date`` is a decimal year, NaN if unknown. ``low`` and ``high`` bound the 90% interval of this row, made
    without its source. ``held_out_by`` states what the fit excluded: "without its source", "without its model on its
    chip", "never used".
    """

    model: str
    row_id: str
    case: str
    architecture: str
    accelerator: str
    kind: str
    engine: str
    software_date: float
    measured: float
    predicted: float
    low: float
    high: float
    unit: str
    held_out_by: str
    source_id: str
    locator: str

    def __post_init__(self) -> None:
        for name in ("measured", "predicted"):
            value = getattr(self, name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(
                    f"{self.model}, row {self.row_id}: {name} is a number above zero in {self.unit}; got {value}. "
                    "Leave the row out where it was not measured or cannot be predicted."
                )
        if not 0 <= self.low <= self.high < math.inf:
            raise ValueError(
                f"{self.model}, row {self.row_id}: low and high are the ends of an interval in {self.unit}, low first; "
                f"got {self.low} to {self.high}. Make it from the errors of other groups."
            )

    @property
    def name(self) -> str:
        """Return the name of the model that was run."""
        return self.case.partition(", ")[0]

    @property
    def accelerators(self) -> str:
        """Return the number of accelerators of a training run as text."""
        return self.case.rpartition(", ")[2]

    @property
    def ratio(self) -> float:
        """Return the predicted value divided by the measured one. [1]"""
        return self.predicted / self.measured

    @property
    def error(self) -> float:
        """Return the relative error: predicted over measured, minus one. [1]"""
        return self.ratio - 1

    @property
    def factor_off(self) -> float:
        """Return the factor by which prediction and measurement differ, at least 1. [1]"""
        return max(self.ratio, 1 / self.ratio)

    @property
    def inside(self) -> bool:
        """Return whether the measurement is inside the prediction's 90% interval."""
        return self.low <= self.measured <= self.high


def comparison(
    row: Mapping[str, Any],
    *,
    predicted: float,
    half_width: float,
    software_date: float | str = math.nan,
    **others: Any,
) -> Comparison:
    """Return a row of a standing table as a comparison. ``others`` are fields whose columns differ by table.

    The 90% interval extends ``half_width`` to either side of the prediction's logarithm. A date in a table's format is
    parsed by :func:`decimal_year`.
    """
    date = decimal_year(software_date) if isinstance(software_date, str) else software_date
    described = {name: str(row[name]) for name in ("architecture", "source_id", "locator")}
    return Comparison(
        **described,
        **others,
        software_date=float(date),
        predicted=float(predicted),
        low=float(predicted * np.exp(-half_width)),
        high=float(predicted * np.exp(half_width)),
    )


def decimal_year(date: str) -> float:
    """Return the middle of the day, month or year at the start of a text, as a decimal year. NaN without a date. [year]

    The first date of a range, ``2025-12..2026``, counts.
    """
    dated = re.match(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", date)
    if not dated:
        return math.nan
    year, month, day = dated.groups()
    if not month:
        return float(year) + 0.5
    return float(year) + (int(month) - 1 + (int(day) - 0.5 if day else 15.2) / 30.4) / 12


def summary(rows: Sequence[Comparison]) -> Errors:
    """Return the error statistics of the given rows.

    Raises ValueError if there are no rows.
    """
    return errors_of(
        np.array([row.ratio for row in rows]),
        inside=np.array([row.inside for row in rows], dtype=bool),
        sources=[row.source_id for row in rows],
    )


def by_model(rows: Sequence[Comparison]) -> dict[str, Errors]:
    """Return the error statistics of each model, in the order of the rows."""
    return {
        name: summary([row for row in rows if row.model == name])
        for name in dict.fromkeys(row.model for row in rows)
    }


def error_of_ratios(rows: Sequence[Comparison], *, same: Sequence[str], differ: str) -> float:
    """Return the error that 90% of ratios of two predictions do not exceed, in logarithms. [1]

    The ratios are those of all pairs of rows that are the ``same`` in some attributes and ``differ`` in one, so errors
    that both rows have cancel. Each source has equal weight.
    """
    alike, other = attrgetter(*same), attrgetter(differ)
    errors = [
        (one.source_id, abs(math.log(one.ratio / two.ratio)))
        for one, two in combinations(rows, 2)
        if alike(one) == alike(two) and other(one) != other(two)
    ]
    counts = Counter(source for source, _ in errors)
    weights = [1 / counts[source] for source, _ in errors]
    return float(np.quantile([error for _, error in errors], LEVEL, weights=weights, method="inverted_cdf"))


COLUMNS = {field.name: field.name for field in fields(Comparison)} | {"held_out_by": "way"}
"""Column headings in a results file, keyed by field."""
NUMBERS = frozenset(field.name for field in fields(Comparison) if field.type is float)


def _cell(name: str, value: str | float) -> str:
    if isinstance(value, str):
        return value
    if math.isnan(value):
        return ""
    if name == "software_date":
        return f"{value:.2f}"
    return f"{value:.6g}" if value > 1e6 else f"{value:.{DIGITS}g}"


def as_text(rows: Sequence[Comparison]) -> str:
    """Return the content of a results file, ordered by model and by row."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS.values())
    for row in sorted(rows, key=lambda row: (row.model, row.row_id, row.case)):
        writer.writerow([_cell(name, getattr(row, name)) for name in COLUMNS])
    return buffer.getvalue()


def from_text(text: str) -> tuple[Comparison, ...]:
    """Return the rows in the text of a results file.

    Raises ValueError if the heading is not that of a results file.
    """
    reader = csv.DictReader(io.StringIO(text))
    if reader.fieldnames != list(COLUMNS.values()):
        raise ValueError(
            f"recorded rows have the columns {', '.join(COLUMNS.values())}; got {', '.join(reader.fieldnames or ())}. "
            "Run python -m scripts.records model-errors."
        )
    return tuple(_row(line) for line in reader)


def _row(line: Mapping[str, str]) -> Comparison:
    values: dict[str, Any] = {
        name: float(line[heading] or "nan") if name in NUMBERS else sys.intern(line[heading])
        for name, heading in COLUMNS.items()
    }
    return Comparison(**values)
