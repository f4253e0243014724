"""What a quoted pair of growth rates amounts to: the readings that articles mix up, side by side."""

from dataclasses import dataclass

from analysis.growth_gap import Arithmetic
from charts.chart import Bar
from views import wording
from views.exhibits import ValueAxis, bar_exhibit
from views.result import Exhibit
from views.table import Getter, column

LEVEL_OF_ARTICLES = 15.0
"""The level gap that articles ask the date of."""


@dataclass(frozen=True, kw_only=True)
class _Reading:
    """A number that can be read off two quoted rates, and what it is."""

    label: str
    value: float
    formula: str


COLUMNS: tuple[Getter[_Reading], ...] = (
    column("reading", lambda reading: reading.label, label="Reading", kind="text"),
    column("value", lambda reading: reading.value, label="Value"),
    column("formula", lambda reading: reading.formula, label="What it is", kind="text"),
)


def arithmetic_exhibit(quoted: Arithmetic) -> Exhibit:
    """Return the readings of two quoted rates as bars: only the ratio of the factors is the growth of a gap."""
    compute, bandwidth = f"{quoted.compute_growth:g}×", f"{quoted.bandwidth_growth:g}×"
    percent = (100 * (quoted.compute_growth - 1), 100 * (quoted.bandwidth_growth - 1))
    readings = (
        _Reading(
            label="Ratio of the growth factors",
            value=quoted.ratio_of_multipliers,
            formula=f"{compute} / {bandwidth}: what the gap is multiplied by each year",
        ),
        _Reading(
            label="Ratio of the percentages",
            value=quoted.ratio_of_percentages,
            formula=f"{percent[0]:,.0f} % / {percent[1]:,.0f} %: the growth of nothing",
        ),
        _Reading(
            label="Ratio of the log rates",
            value=quoted.ratio_of_logs,
            formula="how many times as often compute doubles",
        ),
    )
    ratio = quoted.ratio_of_multipliers
    claim = f"“{compute} against {round(percent[1], 1):,g} %”"
    title = (
        f"{claim} widens the gap {wording.times(ratio)} a year, not {wording.times(quoted.ratio_of_percentages)}"
        if ratio > 1
        else f"{claim} does not widen the gap: it {wording.grows(ratio)} a year"
    )
    reached = (
        f"at that rate a gap of {LEVEL_OF_ARTICLES:g}× takes "
        f"{wording.significant(quoted.years_until(LEVEL_OF_ARTICLES))} years"
        if ratio > 1
        else f"at that rate no gap of {LEVEL_OF_ARTICLES:g}× is ever reached"
    )
    return bar_exhibit(
        readings,
        lambda reading: Bar(
            label=reading.label,
            value=reading.value,
            text=f"{wording.significant(reading.value, 3)}×",
            role="compute" if reading is readings[0] else "context",
            emphasised=reading is readings[0],
            detail=(reading.formula,),
        ),
        title=title,
        subtitle=(
            "Three readings of the same two rates, which articles mix up. Only the first is the "
            f"growth of a gap; {reached}."
        ),
        alt=title,
        source=f"Arithmetic on the quoted rates {compute} and {bandwidth} a year; no data.",
        axis=ValueAxis(title="", word=lambda value: f"{value:g}×", span=(0.0,)),
        columns=COLUMNS,
        listed=(*readings, *_later(quoted)),
    )


def _later(quoted: Arithmetic) -> tuple[_Reading, ...]:
    """Return what the two rates make of the gap in years to come, and their doubling times."""
    gaps = [
        _Reading(
            label=f"Gap after {wording.counted(years, 'year')}",
            value=quoted.gap_after(years),
            formula=f"factor ratio to the power of {years}",
        )
        for years in (1, 2, 5)
    ]
    doublings = [
        _Reading(label=f"Doubling time of {side}, months", value=months, formula="12 ln 2 / ln of the factor")
        for side, months in (
            ("compute", quoted.compute_doubling_months),
            ("bandwidth", quoted.bandwidth_doubling_months),
        )
    ]
    reached = _Reading(
        label=f"Years until the gap is {LEVEL_OF_ARTICLES:g}×",
        value=quoted.years_until(LEVEL_OF_ARTICLES),
        formula="log of the gap over log of the ratio",
    )
    return (*gaps, reached, *doublings)
