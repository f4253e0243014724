"""Compute of all chips by 2030, with shipments on trend or limited by HBM or power."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.fleet import DrawnSeries, growth
from analysis.fleet.leading_runs import LeadingRun
from analysis.fleet.outlook import Outlook, Range, by_power, by_supply, by_trend, outlook
from analysis.intervals import Estimate
from charts.chart import Bar
from data import standing
from views import wording, written
from views.exhibits import GROWTH_AXIS, ValueAxis, bars_exhibit
from views.fleet.answer import WINDOWS, FleetAnswer
from views.result import Exhibit
from views.table import Getter, stated_columns, table

_COLUMNS = written.toml(__file__, name="columns.toml")
UNTIL = 2030
FROM = 2025
"""Last year with known shipments in all four quarters."""


@dataclass(frozen=True, kw_only=True)
class Limit:
    """A limit on shipments, its assumptions, and the resulting outlook."""

    name: str
    assumed: str
    outlook: Outlook


def limits(answer: FleetAnswer) -> tuple[Limit, ...]:
    """Return the three limits on shipments. Empty if the release states too little.

    Each draw samples units, a window of the trend, and a forecast of supply or of power.
    """
    flop, retired = answer.estimates_of("fp16"), answer.retired_after_years
    ratio = answer.ratio("fp16", "power", stock=True)
    if ratio is None:
        return ()
    new, stock = (answer.totals("fp16", stock=stock) for stock in (False, True))
    windows = [year for year in WINDOWS if year >= answer.settings.since]
    kinds = {year: flop.of_constant_vendors(since=year, stock=False).kinds for year in windows}
    fitted = {year: answer.totals("fp16", own, stock=False) for year, own in kinds.items()}
    try:
        until = float(ratio.end_year[-1])
        efficiency = Range.of([growth(ratio, since=year, until=until).value for year in windows])
        trend = by_trend(new, fitted=fitted, until=UNTIL, retired_after_years=retired)
    except ValueError:
        return ()
    offered = _offered_for_hbm(new)
    published = standing.rows("published", "row_id")
    supply, draw = (
        Range.of([float(published[row_id]["value"]) for row_id in row_ids])
        for row_ids in (("p069", "p070"), ("p071", "p072"))
    )
    sales, better, watts, efficient = (
        wording.factors(span.low, span.high) for span in (supply, offered, draw, efficiency)
    )
    since = " or ".join(map(str, windows))
    by_limit = {
        "Trend of shipments": (trend, f"quarterly shipments keep growing as they have since {since}"),
        "HBM supply": (
            by_supply(
                new, supply_growth=supply, offered_growth=offered, until=UNTIL, retired_after_years=retired
            ),
            f"HBM sales grow {sales} a year, as suppliers expect; FLOP/s per dollar of HBM grow {better}",
        ),
        "Power": (
            by_power(stock, power=draw, efficiency_growth=efficiency, until=UNTIL, years=UNTIL - FROM),
            f"power for AI is {watts} that of {FROM} by {UNTIL}; FLOP/s per watt grow {efficient} a year",
        ),
    }

    def reached(later: DrawnSeries) -> Outlook:
        return outlook(later, known=FROM, until=UNTIL, level=answer.level)

    return tuple(
        Limit(name=name, assumed=assumed, outlook=reached(later))
        for name, (later, assumed) in by_limit.items()
    )


def _offered_for_hbm(new: DrawnSeries) -> Range:
    """Return the assumed range of growth of FLOP/s per dollar of HBM: from none to the recent growth. [x/year]"""
    supply = standing.table("component_supply")
    year = supply["quarter"].str[:4].astype(int)
    before, last = (
        new.of_year(at) / float(supply.loc[year == at, "hbm_supply_usd"].sum()) for at in (FROM - 1, FROM)
    )
    return Range.of([1.0, last / before])


def outlook_exhibit(answer: FleetAnswer, limits_: Sequence[Limit], *, source: str) -> Exhibit:
    """Return an exhibit of the growth of all chips' compute to 2030 under each limit."""
    trend, *limiting = limits_
    tightest = min(limiting, key=_yearly)
    first, least = (wording.times(_yearly(limit)) for limit in (trend, tightest))
    bars = tuple(
        Bar(
            label=limit.name,
            value=_yearly(limit),
            low=limit.outlook.yearly_growth.low,
            high=limit.outlook.yearly_growth.high,
            text=wording.times(_yearly(limit)),
            role="compute",
            emphasised=limit is tightest,
            detail=(limit.assumed,),
        )
        for limit in sorted(limits_, key=_yearly, reverse=True)
    )
    return bars_exhibit(
        bars,
        title=f"To {UNTIL}, {answer.brand}compute in use grows {first} a year on trend, but only {least} if HBM "
        "or power limits it",
        subtitle=f"Dots show the yearly growth of 16-bit FLOP/s in use from {FROM} to {UNTIL}, with "
        f"{answer.settings.level}% intervals. Two to four years of data are extended by five years, so this is "
        "arithmetic, not a forecast.",
        source=f"{source} Forecasts: SK hynix, Micron, IEA, EPRI and Epoch AI.",
        axis=GROWTH_AXIS,
        base=1.0,
        dots=True,
        numbers=table(stated_columns(_COLUMNS["limits"]), limits_),
    )


def _yearly(limit: Limit) -> float:
    return limit.outlook.yearly_growth.value


RUN_COLUMNS: tuple[Getter[LeadingRun], ...] = stated_columns(_COLUMNS["runs"])


def percent(share: float) -> str:
    """Return a small share as text in percent: 1.4%, 0.06%."""
    return f"{wording.significant(100 * share)}%"


def _range(shares: Sequence[Estimate]) -> str:
    values = [share.value for share in shares]
    return wording.interval(percent(min(values)), percent(max(values)))


def frontier_exhibit(answer: FleetAnswer, *, source: str) -> Exhibit | None:
    """Return an exhibit of the leading runs' shares of all chips and of a year's compute. None if either is unknown."""
    runs = answer.leading_runs
    of_chips = [(run, run.of_chips) for run in runs if run.of_chips]
    of_year = [(run, run.of_year) for run in runs if run.of_year]
    if not of_chips or not of_year:
        return None
    all_chips = f"all {answer.brand or 'AI '}chips"
    of_all, of_one = (_range([share for _, share in shares]) for shares in (of_chips, of_year))
    title = f"A leading run used {of_all} of {all_chips} and {of_one} of what they can compute in a year"
    sure = ""
    last, of_last = of_year[-1]
    if last.of_chips:
        title = (
            f"The largest training run of {last.year}, {last.name}, used {percent(last.of_chips.value)} of {all_chips} "
            f"and {percent(of_last.value)} of what they can compute in a year"
        )
        sure = (
            f" Epoch AI grades the compute of {last.name} as {last.grade}, so its share of the year's compute may be "
            f"anywhere from {percent(of_last.low)} to {percent(of_last.high)}."
        )
    bars = (
        *(_of_chips(run, share) for run, share in of_chips),
        *(
            replace(_bar(f"Year {run.year}: {run.name}", share), detail=(f"compute graded {run.grade}",))
            for run, share in of_year
        ),
    )
    return bars_exhibit(
        bars,
        title=title,
        subtitle="Orange dots are a run's share of the chips in use while it trained. Blue dots are the largest run's "
        f"share of each year's compute. Lines are {answer.settings.level}% intervals.{sure}",
        source=source,
        axis=ValueAxis(
            title=f"Share of all {answer.brand}chips [%]", word=lambda value: f"{value:g}%", log=True
        ),
        dots=True,
        numbers=table(RUN_COLUMNS, runs),
        section="finding",
    )


def _of_chips(run: LeadingRun, share: Estimate) -> Bar:
    kind = f"{percent(run.of_flop_per_s.value)} of all FLOP/s" if run.of_flop_per_s else "chip not named"
    detail = (f"{run.chips:,.0f} chips", kind)
    return replace(_bar(run.name, share), role="memory", emphasised=run.year is not None, detail=detail)


def _bar(label: str, share: Estimate) -> Bar:
    value, low, high = 100 * share.value, 100 * share.low, 100 * share.high
    return Bar(label=label, value=value, low=low, high=high, text=percent(share.value), role="compute")
