"""Effective compute: measured growth times what better algorithms are assumed to save, in no measured rate."""

from analysis.growth_accounting import Assumed, PartGrowth, effective_growth
from analysis.intervals import Estimate
from charts.chart import Bar
from data import standing
from data.by_release import ByRelease
from views import wording
from views.exhibits import ValueAxis, bar_exhibit, growth_figure, interval_columns
from views.result import Exhibit, Figure
from views.settings import Option
from views.table import column

NONE = "none"
ROWS = {"epoch-2022": "p065", "ho-2024": "p066", "epoch-2025": "p067"}
"""The published estimate behind each assumption."""
NAMES = {"epoch-2022": "Epoch AI, 2022", "ho-2024": "Ho et al., 2024", "epoch-2025": "Epoch AI, 2025"}


def assumed(word: str) -> Assumed:
    """Return the published estimate of what better algorithms save a year. [x/year]"""
    row = standing.rows("published", "row_id")[ROWS[word]]

    def end(name: str) -> float | None:
        value = float(row[name])
        return None if value != value else value

    return Assumed(factor=float(row["value"]), low=end("low"), high=end("high"), level=end("level"))


def _option(word: str) -> Option:
    factor = wording.times(assumed(word).factor)
    return f"{factor} a year ({NAMES[word]})", f"better algorithms save {factor} a year: {NAMES[word]}"


ALGORITHMS: ByRelease[str, Option] = ByRelease(lambda: {word: _option(word) for word in ROWS})


def effective_figures(total: PartGrowth, word: str) -> tuple[Figure, ...]:
    """Return the growth of effective compute under the assumption, named as one; nothing where none is made."""
    if word == NONE:
        return ()
    growth = effective_growth(total, assumed(word))
    return (
        growth_figure(
            "effective_compute_growth",
            growth,
            label="Effective compute (assumed)",
            level=total.level,
            method=f"measured growth of compute times an assumed {wording.times(assumed(word).factor)}: {NAMES[word]}",
            n=total.n,
            key=False,
        ),
    )


def effective_notes(word: str) -> tuple[str, ...]:
    """Return what is assumed, as a sentence; nothing where nothing is."""
    if word == NONE:
        return ()
    rate = wording.times(assumed(word).factor)
    return (
        f"The chart of effective compute assumes that better algorithms save {rate} a year ({NAMES[word]}).",
    )


def effective_exhibit(total: PartGrowth, word: str, *, source: str) -> Exhibit:
    """Return the growth of effective compute under each published assumption, beside compute as measured."""
    cases = [
        ("Compute, measured", 1.0, Estimate(value=total.yearly_growth, low=total.low, high=total.high)),
        *((_case(each), assumed(each).factor, effective_growth(total, assumed(each))) for each in ROWS),
    ]
    chosen = _case(word)
    growth = next(case for name, _, case in cases if name == chosen)
    title = (
        f"If algorithms save {wording.times(assumed(word).factor)} a year, effective compute grows "
        f"{wording.times(growth.value)}"
    )
    return bar_exhibit(
        cases,
        lambda case: Bar(
            label=case[0],
            value=case[2].value,
            low=case[2].low,
            high=case[2].high,
            text=wording.times(case[2].value) + ("" if case[1] == 1 else " (assumed)"),
            role="compute" if case[1] == 1 else "context",
            emphasised=case[0] == chosen,
            detail=() if case[1] == 1 else (f"algorithms {wording.times(case[1])} a year",),
        ),
        title=title,
        subtitle=(
            "Measured growth a year is multiplied by the savings assumed of better algorithms. Epoch AI's own "
            "estimates moved from 1.7× to 3×. Lines are published intervals."
        ),
        alt=f"{title}: an assumption, beside {wording.times(total.yearly_growth)} measured.",
        source=f"Assumptions: Epoch AI, published figures. {source}",
        axis=ValueAxis(title="Growth a year", word=wording.factor_tick, log=True),
        base=1.0,
        dots=True,
        columns=(
            column("case", lambda case: case[0], label="Effective compute", kind="text"),
            column("assumed", lambda case: case[1], label="Algorithms, assumed", unit="x/year"),
            column("growth", lambda case: case[2].value, label="Growth", unit="x/year"),
            *interval_columns(
                lambda case: case[2].low, lambda case: case[2].high, unit="x/year", labels=("Low", "High")
            ),
        ),
    )


def _case(word: str) -> str:
    return f"Times {assumed(word).factor:.2g}×: {NAMES[word]}"
