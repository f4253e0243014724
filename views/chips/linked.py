"""Chips with their links: numbers from the release, and from our table of links where the release is silent."""

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

from analysis.hardware.chip import Chip, link_of
from analysis.hardware.machine import Machine, machine_of
from analysis.hardware.matmul_rates import MatmulRates
from analysis.trend.calendar_year import decimal_year
from data import standing
from data.releases import Release

LINKS = standing.rows("chip_links", "product")
"""What our table says of links, by product; read-only."""

OFFERED = {str(row["word"]): row for row in standing.table("chip_links").to_dict("records") if row["word"]}
"""The rows of the chips that a link can name, by its word for them."""

NAMES = {word: str(row["product"]) for word, row in OFFERED.items()}
SHORT_NAMES = {word: str(row["short_name"] or row["product"]) for word, row in OFFERED.items()}
"""Names short enough to stand beside a line's end on a phone."""

DDR5_SERVER = "ddr5-server"
DDR5_WORDS = "a server socket with twelve channels of DDR5-6400"
CHIPS = {
    word: DDR5_WORDS if word == DDR5_SERVER else f"{NAMES[word]}, {OFFERED[word]['kind']}" for word in OFFERED
}


@cache
def matmul_rates() -> MatmulRates:
    """Return the best measured matrix rates of chips."""
    measured: Any = standing.table("published_matmul").to_dict("records")
    same_die: Any = standing.table("same_die").to_dict("records")
    return MatmulRates.from_rows(measured, same_die=same_die)


def machine_of_row(row: Mapping[str, Any], *, released_year: float, precision: str = "fp16") -> Machine:
    """Return the chip of a row of a release's accelerators as a training run uses it.

    Raises
    ------
    ValueError
        If the row has no rate at the precision, no bandwidth or no capacity.
    """
    chip = Chip.from_row(row, links=LINKS, released_year=released_year, needed=precision)
    return machine_of(chip, matmul_rates(), precision=precision)


def linked_chip(word: str, release: Release) -> Chip | None:
    """Return a chip that a link names; None where the release has no row, bandwidth, memory or link of it."""
    if word == DDR5_SERVER:
        return Chip.from_row(OFFERED[word], links=LINKS, released_year=math.inf)
    parts = release.accelerators
    parts = parts.loc[(parts["product"] == NAMES[word]) & parts["representative"]]
    if parts.empty:
        return None
    row: dict[str, Any] = parts.iloc[:1].to_dict("records")[0]
    known = row["memory_bandwidth_byte_per_s"] > 0 and row["memory_capacity_byte"] > 0 and link_of(row, LINKS)
    if not known:
        return None
    year = float(decimal_year(parts["released_on"].iloc[:1])[0])
    return Chip.from_row(row, links=LINKS, released_year=year)
