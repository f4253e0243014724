"""A measured row that set nothing beside its prediction, and how far off a set of such rows is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.model_errors import Errors, errors_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Compared:
    """One measured row beside a prediction it had no part in.

    ``model`` is which of our models predicts; ``row_id`` the row of its standing table; ``case`` what was run, in
    words; ``architecture`` its name in the table of architectures, or empty; ``kind`` the class a reader knows it by.
    ``software_date`` is a decimal year, NaN where unknown. ``low`` and ``high`` bound the 90 % interval of this row,
    made without its group. ``way`` says how the row set nothing: "without its chip", "without its model", "without its
    source", "never used".
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
    way: str
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
    def ratio(self) -> float:
        """Return predicted over measured. [1]"""
        return self.predicted / self.measured

    @property
    def error(self) -> float:
        """Return by how much the prediction is higher than what was measured. [1]"""
        return self.ratio - 1

    @property
    def inside(self) -> bool:
        """Return whether what was measured lies in the row's 90 % interval."""
        return self.low <= self.measured <= self.high

    @property
    def left_out(self) -> str:
        """Return the name of what the prediction was made without; of its source where the row was never used."""
        model = self.architecture or self.case.partition(",")[0]
        match self.way:
            case "without its model":
                return model
            case "without its model on its chip":
                return f"{model} on {self.accelerator}"
            case "without its chip" | "without its device":
                return self.accelerator
            case _:
                return self.source_id


def summary(rows: Sequence[Compared]) -> Errors:
    """Return how far off the predictions of these rows are.

    Raises
    ------
    ValueError
        No rows.
    """
    return errors_of(
        np.array([row.ratio for row in rows]),
        inside=np.array([row.inside for row in rows], dtype=bool),
        groups=[f"{row.model}|{row.left_out}" for row in rows],
    )
