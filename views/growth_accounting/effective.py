"""Effective compute: measured growth times assumed algorithmic progress. It is never a measured rate."""

from analysis.growth_accounting import Assumed, PartGrowth, effective_growth
from data import standing
from data.by_release import ByRelease
from views import wording
from views.exhibits import ValueAxis, growth_by_choice, growth_figure
from views.result import Exhibit, Figure
from views.settings import Option
from views.table import column

NONE = "none"
ROWS = {"epoch-2022": "p065", "ho-2024": "p066", "epoch-2025": "p067"}
"""Row of the published estimate behind each assumption, keyed by option."""
NAMES = {"epoch-2022": "Epoch AI, 2022", "ho-2024": "Ho et al., 2024", "epoch-2025": "Epoch AI, 2025"}


def assumed(word: str) -> Assumed:
    """Return the published estimate of yearly algorithmic progress for an option. [x/year]"""
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
    """Return the growth of effective compute, labelled as assumed. Empty if no progress is assumed."""
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
    """Return a sentence on the assumed progress. Empty if no progress is assumed."""
    if word == NONE:
        return ()
    rate = wording.times(assumed(word).factor)
    return (
        f"The chart of effective compute assumes that better algorithms save {rate} a year ({NAMES[word]}).",
    )


def effective_exhibit(total: PartGrowth, word: str, *, source: str) -> Exhibit:
    """Return an exhibit of effective compute's growth under each published assumption, beside measured growth."""
    factors = {"Compute, measured": 1.0} | {_case(each): assumed(each).factor for each in ROWS}
    growths = {_case(each): effective_growth(total, assumed(each)) for each in ROWS}
    return growth_by_choice(
        [("Compute, measured", total), *growths.items()],
        chosen=_case(word),
        title=f"If algorithms save {wording.times(assumed(word).factor)} a year, effective compute grows "
        f"{wording.times(growths[_case(word)].value)}",
        subtitle="Measured growth a year is multiplied by the assumed savings from better algorithms. Epoch AI's own "
        "estimates moved from 1.7× to 3×. Lines are published intervals.",
        source=f"Assumptions: Epoch AI, published figures. {source}",
        role="context",
        axis=ValueAxis(title="Growth a year", word=wording.factor_tick, log=True),
        more=(column("assumed", lambda case: factors[case[0]], label="Algorithms, assumed", unit="x/year"),),
        section="changes",
    )


def _case(word: str) -> str:
    return f"Times {assumed(word).factor:.2g}×: {NAMES[word]}"
