"""The growth rates that others published of a series, as rivals of its forecasts."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from data import standing
from views import wording
from views.track_record.settings import TRAINING

ROW_OF: Mapping[str, tuple[str, str, str]] = {
    TRAINING: ("published", "row_id", "p013"),
    "memory-bandwidth": ("claims", "claim_id", "S0-02"),
    "memory-capacity": ("published", "row_id", "p024"),
    "fp32": ("published", "row_id", "p023"),
    "fp16": ("published", "row_id", "p028"),
    "flop-per-watt": ("published", "row_id", "p027"),
}
"""Table, key column and key of the rate published of each series."""
VALUE_OF = {"published": "value", "claims": "claimed_value"}
DOUBLING = ("memory-capacity", "fp32")
"""The series whose rate is told by its doubling time."""


@dataclass(frozen=True, kw_only=True)
class PublishedRate:
    """A published growth factor a year, and how it is told."""

    yearly_growth: float
    words: str


def published_rate(series: str) -> PublishedRate | None:
    """Return the rate published of a series; None where none is known."""
    if series not in ROW_OF:
        return None
    table, key, row = ROW_OF[series]
    rate = float(standing.rows(table, key)[row][VALUE_OF[table]])
    return PublishedRate(yearly_growth=rate, words=_words(rate, doubling=series in DOUBLING))


def _words(rate: float, *, doubling: bool) -> str:
    if doubling:
        return f"doubling in {math.log(2) / math.log(rate):.2g} years"
    return f"{wording.multiple(rate)} a year" if rate >= 2 else f"{100 * (rate - 1):.0f} % a year"
