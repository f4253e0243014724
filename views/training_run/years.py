"""The same run on the chips of later years, each part of a chip along its own trend."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from analysis.intervals import product_bounds
from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.more_accelerators import PARTS, LaterRun, later_runs
from analysis.trend.growth import Window, growth
from analysis.trend.selection import Rule
from charts.chart import Line
from data.by_release import kept_by_release
from data.releases import Release
from views import wording, written
from views.axes import year_axis
from views.chips.rents import later, scenario_label
from views.chips.rows import SINCE, flagships
from views.exhibits import ValueAxis, xy_exhibit
from views.result import Exhibit
from views.table import Getter, along, stated_columns, table
from views.training_run.inputs import RunInputs
from views.training_run.words import change_of_days, days_words, money_words

YEARS = 6


@kept_by_release(8)
def yearly_growths(release: str) -> dict[str, float]:
    """Return the yearly growth of every part of leading data-centre chips; 1 where too few are known."""
    growths = dict.fromkeys(PARTS, 1.0)
    for name in PARTS:
        with suppress(ValueError):
            series, every = flagships(release, name), Rule(kind="all")
            fit = growth(series, rule=every, window=Window(since=SINCE), interval="classical")
            growths[name] = fit.trend.yearly_growth
    return growths


def later_exhibit(
    release: Release, inputs: RunInputs, *, used: int, rents: str, source: str
) -> Exhibit | None:
    """Return days, utilization and cost of the run on chips of the years to come, rented as ``rents`` says."""
    growths = yearly_growths(release.stands_on)
    try:
        runs = later_runs(replace(inputs.run, accelerators=used), growths=growths, years=YEARS)
    except NoPlanFits:
        return None
    first, last = runs[0], runs[-1]
    usd, low_usd, high_usd = _costs(runs, inputs, used=used, rents=rents, release=release.stands_on)
    title = f"On chips of {YEARS} years later, the run takes {change_of_days(last.days, then=first.days)}"
    ends = f" ({wording.interval(money_words(low_usd[-1]), money_words(high_usd[-1]))})"
    sure = ends if high_usd[-1] > low_usd[-1] * (1 + 1e-9) else ""
    years = tuple(float(run.years_ahead) for run in runs)
    columns: tuple[Getter[int], ...] = stated_columns(
        written.toml(__file__, name="columns.toml")["years"],
        years_ahead=lambda i: runs[i].years_ahead,
        days=lambda i: runs[i].days,
        mfu=lambda i: runs[i].mfu,
        cost_usd=along(usd),
        cost_low_usd=along(low_usd),
        cost_high_usd=along(high_usd),
    )
    return xy_exhibit(
        (
            Line(
                series="Ideal: every part grows as fast as throughput",
                role="context",
                x=years,
                y=tuple(first.days / growths["fp16"] ** year for year in years),
                dash="dotted",
                end_label=("Ideal",),
            ),
            Line(
                series="This run",
                role="compute",
                x=years,
                y=tuple(run.days for run in runs),
                end_label=("This run",),
                hover=tuple(
                    f"{days_words(run.days)}, {money_words(cost)}"
                    for run, cost in zip(runs, usd, strict=True)
                ),
            ),
        ),
        title=title,
        subtitle=f"Each part of the chip follows its trend since {SINCE}. The dotted line is the ideal, every part "
        f"growing as fast as throughput. The cost is {money_words(usd[0])} today and {money_words(usd[-1])}{sure} "
        f"then, if rents are {wording.small_initial(scenario_label(rents))}.",
        source=source,
        x=replace(year_axis(0, YEARS), title="Years ahead"),
        y=ValueAxis(title="Time [days]", word=wording.significant, log=True),
        numbers=table(columns, range(len(runs))),
    )


def _costs(
    runs: Sequence[LaterRun], inputs: RunInputs, *, used: int, rents: str, release: str
) -> Iterator[list[float]]:
    """Yield each year's cost and the ends of its interval: a newer chip rents for more, the list moves by scenario."""
    factor = later(release, rents, years_ahead=[run.years_ahead for run in runs])
    billed = used * (1 + inputs.run.circumstances.spare_share)
    spread = zip(factor.low / factor.middle, factor.high / factor.middle, strict=True)
    low, high = np.transpose([product_bounds(ends, inputs.price.spread) for ends in spread]) * factor.middle
    for factors in (factor.middle, low, high):
        yield [
            billed * run.days * 24 * inputs.price.usd * float(times)
            for run, times in zip(runs, factors, strict=True)
        ]
