"""The same run on the chips of later years, each part of a chip along its own trend."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.more_accelerators import PARTS, LaterRun, later_runs
from charts.chart import Line
from data.by_release import kept_by_release
from data.releases import Release, load
from views import wording, written
from views.axes import year_axis
from views.chips import choice as chip_choice
from views.chips import rows as chip_rows
from views.chips.choice import AcceleratorSettings
from views.chips.metrics import METRICS
from views.chips.rents import later, scenario_label
from views.exhibits import ValueAxis, interval_columns, xy_exhibit
from views.result import Exhibit
from views.table import Getter, stated_columns, table
from views.training_run.inputs import RunInputs
from views.training_run.words import change_of_days, days_words, money_words, percent
from views.trend import fit as fit_settings

YEARS = 6
SINCE = "2016"


@dataclass(frozen=True, kw_only=True)
class _Year:
    """The run of a later year with what its accelerator-hours cost then, and the 90 % interval of the rents. [USD]"""

    run: LaterRun
    cost_usd: float
    low_usd: float
    high_usd: float


COLUMNS: tuple[Getter[_Year], ...] = (
    *stated_columns(written.toml(__file__, name="columns.toml")["years"]),
    *interval_columns(
        lambda year: year.low_usd,
        lambda year: year.high_usd,
        unit="USD",
        level="90",
        names=("cost_low_usd", "cost_high_usd"),
    ),
)


@kept_by_release(8)
def yearly_growths(release: str) -> dict[str, float]:
    """Return the yearly growth of every part of leading data-centre chips; 1 where too few are known."""
    growths = {}
    for name in PARTS:
        settings = AcceleratorSettings(metric=name, rule="flagships", since=SINCE, interval="classical")
        chips = chip_rows.candidates(load(release), settings, metric=METRICS[name])
        try:
            fitted = fit_settings.fitted(
                chip_rows.series(chips), settings, rule=chip_choice.rule(settings), since=SINCE
            )
            growths[name] = fitted.trend.yearly_growth
        except ValueError:
            growths[name] = 1.0
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
    priced = _priced(runs, inputs, used=used, rents=rents, release=release.stands_on)
    before, after = percent(first.mfu), percent(last.mfu)
    title = (
        f"On chips {YEARS} years on, the run takes {change_of_days(last.days, then=first.days)}, "
        f"at {after if after == before else f'{after} instead of {before}'} utilization"
    )
    rates = ", ".join(f"{METRICS[part].noun} {wording.times(growth)}" for part, growth in growths.items())
    years = tuple(float(run.years_ahead) for run in runs)
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
                hover=tuple(f"{days_words(year.run.days)}, {money_words(year.cost_usd)}" for year in priced),
            ),
        ),
        title=title,
        subtitle=f"Days by years ahead, each part of the chip at its fitted rate a year since {SINCE}: {rates}. "
        f"Dotted: the ideal, every part growing as fast as throughput. {_cost_words(priced, rents=rents)}",
        alt=title,
        source=source,
        x=replace(year_axis(0, YEARS), title="Years ahead"),
        y=ValueAxis(title="Time [days]", word=wording.significant, log=True),
        numbers=table(COLUMNS, priced),
    )


def _priced(
    runs: Sequence[LaterRun], inputs: RunInputs, *, used: int, rents: str, release: str
) -> list[_Year]:
    """Return each year's run with its cost: a chip that is newer rents for more, and the list moves by scenario."""
    factor = later(release, rents, years_ahead=[run.years_ahead for run in runs])
    billed = used * (1 + inputs.run.circumstances.spare_share)
    costs = [billed * run.days * 24 * inputs.price.usd for run in runs]
    return [
        _Year(run=run, cost_usd=cost * float(middle), low_usd=cost * float(low), high_usd=cost * float(high))
        for run, cost, middle, low, high in zip(
            runs, costs, factor.middle, factor.low, factor.high, strict=True
        )
    ]


def _cost_words(priced: Sequence[_Year], *, rents: str) -> str:
    first, last = priced[0], priced[-1]
    ends = wording.interval(money_words(last.low_usd), money_words(last.high_usd))
    sure = f" ({ends})" if last.high_usd > last.low_usd * (1 + 1e-9) else ""
    return (
        f"Cost {money_words(first.cost_usd)} today, {money_words(last.cost_usd)}{sure} then; "
        f"rents: {wording.small_initial(scenario_label(rents))}."
    )
