"""Effective compute: measured growth times what better algorithms are assumed to save, in no measured rate."""

from analysis.growth_accounting import Assumed, EffectiveGrowth, PartGrowth, effective_growth
from charts.chart import Bar, BarChart
from data import standing
from data.by_release import ByRelease
from views import wording
from views.axes import log_axis
from views.result import Exhibit, Figure
from views.settings import Option
from views.table import column, table

NONE = "none"
ROWS = {"epoch-2022": "p065", "ho-2024": "p066", "epoch-2025": "p067"}
"""The published estimate behind each assumption."""
NAMES = {
    "epoch-2022": "Epoch AI, 2022",
    "ho-2024": "Ho et al., 2024",
    "epoch-2025": "Epoch AI, 2025",
}


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


ALGORITHMS: ByRelease[str, Option] = ByRelease(
    lambda: {
        NONE: ("Not counted", "compute as it is measured"),
        **{word: _option(word) for word in ROWS},
    }
)


def effective_figures(total: PartGrowth, word: str) -> tuple[Figure, ...]:
    """Return the growth of effective compute under the assumption, named as one; nothing where none is made."""
    if word == NONE:
        return ()
    found = effective_growth(total, assumed(word))
    return (
        Figure(
            name="effective_compute_growth",
            label="Effective compute (assumed)",
            value=found.factor,
            unit="x/year",
            text=f"{wording.times(found.factor)} a year",
            low=found.low,
            high=found.high,
            level=total.level,
            interval_text=_interval(found, level=total.level),
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
        f"Assumed, not measured: better algorithms save {rate} a year ({NAMES[word]}), in the chart of effective "
        "compute alone.",
    )


def effective_exhibit(total: PartGrowth, word: str, *, source: str) -> Exhibit:
    """Return the growth of effective compute under each published assumption, beside compute as measured."""
    cases = [
        (
            "Compute, measured",
            1.0,
            EffectiveGrowth(factor=total.yearly_growth, low=total.low, high=total.high),
        ),
        *((_case(each), assumed(each).factor, effective_growth(total, assumed(each))) for each in ROWS),
    ]
    chosen = _case(word)
    found = next(case for name, _, case in cases if name == chosen)
    title = (
        f"If algorithms save {wording.times(assumed(word).factor)} a year, effective compute grows "
        f"{wording.times(found.factor)}"
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=(
                "Growth a year of compute as measured, and times what better algorithms are assumed to save: Epoch "
                "AI's own estimates moved from 1.7× to 3×. Whiskers hold a published interval where there is one."
            ),
            alt=f"{title}: an assumption, beside {wording.times(total.yearly_growth)} measured.",
            source=f"Assumptions: Epoch AI, published figures. {source}",
            x=log_axis(
                "Growth a year",
                [end for _, _, case in cases for end in (case.low, case.high)],
                word=wording.factor_tick,
            ),
            base=1.0,
            dots=True,
            bars=tuple(
                Bar(
                    label=name,
                    value=case.factor,
                    low=case.low,
                    high=case.high,
                    text=f"{wording.times(case.factor)}"
                    if factor == 1
                    else f"{wording.times(case.factor)} (assumed)",
                    role="compute" if factor == 1 else "context",
                    emphasised=name == chosen,
                    detail=() if factor == 1 else (f"algorithms {wording.times(factor)} a year",),
                )
                for name, factor, case in cases
            ),
        ),
        table=table(
            (
                column("case", lambda case: case[0], label="Effective compute", kind="text"),
                column("assumed", lambda case: case[1], label="Algorithms, assumed", unit="x/year"),
                column("growth", lambda case: case[2].factor, label="Growth", unit="x/year"),
                column("low", lambda case: case[2].low, label="Low", unit="x/year"),
                column("high", lambda case: case[2].high, label="High", unit="x/year"),
            ),
            cases,
        ),
    )


def _case(word: str) -> str:
    return f"Times {assumed(word).factor:.2g}×: {NAMES[word]}"


def _interval(found: EffectiveGrowth, *, level: float) -> str:
    return wording.at_level(level, low=wording.times(found.low), high=wording.times(found.high))
