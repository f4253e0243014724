"""The date of the software that a run is taken to use, and by how much published runs say that it matters."""

from dataclasses import replace

import numpy as np

from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.training_run.pace import Pace, Paces, Traits, software_year
from analysis.training_run.published import traits_of
from analysis.trend.calendar_year import from_decimal_year
from data.standing import rows
from views import wording

CHIPS_TIME = "chip"
"""The word of a link for software of the chip's time."""
WORTH_TELLING = 0.25
"""Software that is no more than this older than the newest known is not held against it. [year]"""


def year_of(text: str, *, machine: Machine, known: Paces) -> float:
    """Return the date of the software that a link asks for: the middle of its year or month. [year]"""
    if text == CHIPS_TIME:
        return software_year(machine.chip.released_year, newest=known.newest(_maker(machine.chip.name)))
    year, _, month = text.partition("-")
    return int(year) + ((int(month) - 0.5) / 12 if month else 0.5)


def traits(model: Architecture, *, machine: Machine, precision: str, year: float) -> Traits:
    """Return what a run shares with published ones, its software of a date given as a decimal year."""
    kinds = rows("training_kinds", "chip")
    return traits_of(model, product=machine.chip.name, precision=precision, year=year, kinds=kinds)


def newest_gain(run: Traits, *, known: Paces) -> tuple[float, Pace] | None:
    """Return the date of the newest software known of a maker and how much faster a run is with it.

    None where the run's own is about as new. [year]
    """
    newest = known.newest(run.maker)
    if not np.isfinite(newest) or newest - run.year < WORTH_TELLING:
        return None
    return newest, known.ratio(replace(run, year=newest), to=run)


def date_words(year: float) -> str:
    """Return a date of software as a reader says it: Jun 2025."""
    if not np.isfinite(year):
        return "today"
    return wording.month_words(str(np.datetime_as_string(from_decimal_year(year), unit="M")))


def _maker(product: str) -> str:
    return str(rows("training_kinds", "chip").get(product.split()[0], {}).get("maker", ""))
