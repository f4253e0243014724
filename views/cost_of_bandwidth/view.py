"""What does a terabyte a second cost, and what a petaFLOP?"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from analysis.cost_of_bandwidth import growth
from analysis.fleet import DrawnSeries, FleetGrowth, balance
from charts.chart import BarChart
from data.releases import Release
from views import wording, written
from views.axes import linear_axis
from views.cost_of_bandwidth import other_choices
from views.cost_of_bandwidth.by_quarter import ByQuarter, makers_exhibit, quarters_exhibit
from views.cost_of_bandwidth.figures import cost_figure, growth_figure, label_of_growth, share_figure
from views.cost_of_bandwidth.inputs import makers_known, makers_of, offers, unit_cost
from views.cost_of_bandwidth.prices import listed, prices_exhibit
from views.cost_of_bandwidth.rents import rents_exhibit, rents_note
from views.cost_of_bandwidth.settings import ALL, LONGEST_LAG, MAKERS, PER, CostOfBandwidthSettings
from views.cost_of_bandwidth.share import memory_share, share_exhibit, supply_share
from views.cost_of_bandwidth.words import NAMES, UNITS, against, dollars, headline, lags, whose
from views.cost_of_bandwidth.work import work_exhibit
from views.on_demand import OnDemand
from views.result import Column, Exhibit, Figure, Table
from views.sources import CHIP_COSTS, CHIP_COUNTS, EPOCH_AI, SERVING_TABLES
from views.trend import finding as trend
from views.view import Finding, View


def build(settings: CostOfBandwidthSettings, release: Release) -> Finding:
    """Return what a unit of what chips offer costs under the settings."""
    data = trend.data_words(release)
    own = unit_cost(release, settings, per=settings.per)
    level = int(settings.level) / 100
    try:
        rate = growth(own, level=level)
    except ValueError as problem:
        return _nothing(settings, data=data, why=str(problem))
    beside = against(settings.per)
    other = unit_cost(release, settings, per=beside)
    other_rate, gap = None, None
    if other.end_year.shape == own.end_year.shape:
        other_rate, gap = growth(other, level=level), growth(balance(own, other), level=level)
    source = f"Epoch AI, AI Chip Components and AI chip counts (2026), over data-sheet figures. {data}"
    size, _ = UNITS[settings.per]
    said = headline(
        settings,
        now=size * float(own.middle()[-1]),
        growth=rate.factor,
        gap=gap,
        other=other_rate.factor if other_rate else None,
    )
    figures = _figures(settings, own=own, rate=rate, other=other, other_rate=other_rate, gap=gap)
    lagged = [
        unit_cost(release, replace(settings, lag=lag), per=settings.per) for lag in range(LONGEST_LAG + 1)
    ]
    found = ByQuarter(cost=own, lags=lagged, other=other if other_rate and settings.per != "memory" else None)
    ends = [size * float(each.middle()[-1]) for each in lagged if len(each.end_year)]
    subtitle = (
        f"{PAID[settings.cost, settings.per]} per {UNITS[settings.per][1]} shipped {lags(settings.lag)}, "
        f"{wording.quarter(float(own.end_year[-1]))} ({figures[0].interval_text}). "
        f"Pale band: 0 to 3 quarters later, {dollars(min(ends))}–{dollars(max(ends))}. "
        f"Growth {wording.interval(wording.times(rate.low), wording.times(rate.high))}{_by_lag(lagged)}."
    )

    def exhibits() -> Iterator[Exhibit | None]:
        yield quarters_exhibit(found, settings, title=said, subtitle=subtitle, source=source)
        compute, bandwidth = (unit_cost(release, settings, per=per) for per in ("compute", "bandwidth"))
        if len(compute.end_year) and compute.end_year.shape == bandwidth.end_year.shape:
            yield work_exhibit(
                compute,
                bandwidth,
                settings=settings,
                chips=_shipped_balance(release, settings),
                source=source,
            )
        yield share_exhibit(settings, source="Epoch AI, AI Chip Components (2026). " + data)
        makers = {
            name: of
            for word, name in MAKERS.items()
            if len((of := unit_cost(release, replace(settings, maker=word), per=settings.per)).end_year)
        }
        yield makers_exhibit(makers, settings, source=source)
        found_cases = other_choices.cases(release, settings)
        if found_cases:
            yield other_choices.choices_exhibit(found_cases, settings, gap=True, source=source)
            yield other_choices.choices_exhibit(found_cases, settings, gap=False, source=source)
        prices = listed(release, settings)
        yield prices_exhibit(prices, settings, source=data) if prices else None
        yield rents_exhibit(release, settings, source=f"Prices of cloud providers, on demand. {data}")

    return Finding(
        headline=said,
        subtitle=subtitle,
        figures=tuple(figures),
        exhibits=OnDemand(exhibits),
        settings_line=_settings_line(settings, source=source),
        notes=OnDemand(lambda: _notes(release, settings, gap=gap)),
        sure=SURE,
        changes=CHANGES,
        sources=(CHIP_COSTS, CHIP_COUNTS, EPOCH_AI, SERVING_TABLES),
    )


PAID = {
    (word, per): what
    for word, whats in {
        "own": ("HBM cost", "Logic cost", "HBM cost"),
        "packaged": ("HBM and packaging cost", "Logic cost", "HBM and packaging cost"),
        "whole": ("Cost of all parts",) * 3,
    }.items()
    for per, what in zip(("bandwidth", "compute", "memory"), whats, strict=True)
}
"""What is divided, by the parts that count and the quantity."""
SURE = (
    "Costs of parts are Epoch AI's estimates, made from per-chip bills of parts and production, with 5th and "
    "95th percentiles; so are the numbers of chips. Errors are assumed to be shared by all quarters of one part "
    "of one maker, and independent between parts, makers and numbers of chips. HBM's share of component cost "
    "then has the interval that Epoch AI publishes (60–67 % in Q4 2025). Costs rest on the same numbers of "
    "chips, so the interval of a unit's cost is somewhat too wide.",
    "These tables begin in 2024 and do not state how long before shipment the parts of a chip are used. Before "
    "Q4 2024 the pale band therefore lacks the longer lags. While purchases grow, a lag one quarter too short "
    "makes a unit look costlier by that quarter's growth. The cost of bandwidth relative to compute moves less, "
    "since both have the same lag.",
    "The interval of a growth rate comes from resampling the few quarters as well as costs and chips. "
    "Neighbouring quarters resemble each other, so it is somewhat too narrow. A lag of two quarters leaves six "
    "of them, a lag of three leaves five.",
)
CHANGES = (
    "HBM buys bandwidth and capacity at once. Dividing all of its cost by either gives the most that either can "
    "cost; per GB it grows more slowly. Packaging joins HBM and logic and can be counted with memory. The cost of "
    "all parts needs no such split.",
    "The H200 is counted as H100, so a TB/s looks costlier from late 2024 to mid 2025 than it was. Component cost is "
    "what makers pay, not what buyers pay: list prices and rents need not follow.",
)


def _figures(
    settings: CostOfBandwidthSettings,
    *,
    own: DrawnSeries,
    rate: FleetGrowth,
    other: DrawnSeries,
    other_rate: FleetGrowth | None,
    gap: FleetGrowth | None,
) -> list[Figure]:
    beside, n = against(settings.per), len(own.end_year)
    figures = [
        cost_figure(own, settings, per=settings.per, name="cost"),
        growth_figure(rate, settings, name="growth", label=label_of_growth(settings.per), n=n),
    ]
    if other_rate and gap:
        names = f"{NAMES[settings.per]} against {wording.small_initial(NAMES[beside])}"
        figures += [
            growth_figure(other_rate, settings, name="other_growth", label=label_of_growth(beside), n=n),
            growth_figure(gap, settings, name="gap_growth", label=names, n=n, key=False),
            cost_figure(other, settings, per=beside, name="other_cost", key=False),
        ]
    share, supply = memory_share(), supply_share()
    return [
        *figures,
        share_figure(share, settings, name="memory_share", label="HBM in cost of parts"),
        share_figure(share, settings, name="memory_share_first", label="HBM in cost of parts", at=0),
        share_figure(supply, settings, name="supply_share", label="World's HBM bought"),
    ]


def _shipped_balance(release: Release, settings: CostOfBandwidthSettings) -> float:
    """Return the FLOP per byte of what the makers shipped in the last quarter: both sides cost the same HBM dollars."""
    whole = replace(settings, cost="whole")
    compute, bandwidth = (unit_cost(release, whole, per=per) for per in ("compute", "bandwidth"))
    return float(bandwidth.middle()[-1] / compute.middle()[-1])


def _notes(release: Release, settings: CostOfBandwidthSettings, *, gap: FleetGrowth | None) -> Iterator[str]:
    left_out = makers_of(settings) - makers_known(release, offers(settings, settings.per))
    if left_out:
        yield f"Without {wording.listed(sorted(left_out))}: these data lack a figure of some of their chips."
    if gap:
        unit, beside = UNITS[settings.per][1], UNITS[against(settings.per)][1]
        level = int(settings.level) / 100
        interval = wording.at_level(level, low=wording.times(gap.low), high=wording.times(gap.high))
        lagged = [rate.factor for rate in _gaps(release, settings, level=level)]
        by_lag = wording.interval(wording.times(min(lagged)), wording.times(max(lagged)))
        yield (
            f"The cost of a {unit} relative to a {beside} {'grows' if gap.factor >= 1 else 'changes'} "
            f"{wording.times(gap.factor)} a year ({interval}; {by_lag} with other lags)."
        )
    yield from rents_note(release, settings, gap=gap)
    yield f"These are costs of parts, not prices{_markup(release, settings)}."


def _by_lag(lagged: Sequence[DrawnSeries]) -> str:
    """Return growth of a unit's cost from the lag that gives least to the one that gives most, after its interval."""
    rates = []
    for each in lagged:
        with suppress(ValueError):
            rates.append(growth(each).factor)
    if len(rates) < 2:
        return ""
    return f"; with other lags {wording.interval(wording.times(min(rates)), wording.times(max(rates)))}"


def _gaps(release: Release, settings: CostOfBandwidthSettings, *, level: float) -> Iterator[FleetGrowth]:
    """Yield growth of a unit's cost over that of the other side under each lag that leaves enough quarters."""
    for lag in range(LONGEST_LAG + 1):
        case = replace(settings, lag=lag)
        own, other = (unit_cost(release, case, per=per) for per in (case.per, against(case.per)))
        with suppress(ValueError):
            if own.end_year.shape == other.end_year.shape:
                yield growth(balance(own, other), level=level)


def _markup(release: Release, settings: CostOfBandwidthSettings) -> str:
    """Return how the list prices of a maker's chips since the first costs compare with the cost of all their parts."""
    prices = listed(release, settings)
    whole = unit_cost(release, replace(settings, cost="whole"), per=settings.per)
    if not prices or not len(whole.end_year):
        return ""
    own, makers = prices[0], makers_of(settings)
    since = float(whole.end_year[0])
    each = [
        usd
        for usd, year, vendor in zip(own.usd, own.year, own.vendors, strict=True)
        if vendor in makers and year >= since
    ]
    if not each:
        return ""
    size, unit = UNITS[settings.per]
    ratio = float(np.median(each)) / (size * float(whole.middle()[-1]))
    moved = wording.times(own.rate.trend.yearly_growth)
    return (
        f": list prices per {unit} changed {moved} a year since {int(own.year[0])}, and those of "
        f"{wording.counted(len(each), 'chip')} since {wording.quarter(since)} are {wording.significant(ratio)} times "
        "the cost of all their parts"
    )


def _settings_line(settings: CostOfBandwidthSettings, *, source: str) -> str:
    return (
        f"{other_choices.COSTS[settings.cost]} per {PER[settings.per][0]}, {whose(settings)}, shipped "
        f"{lags(settings.lag)}. {source}"
    )


def _nothing(settings: CostOfBandwidthSettings, *, data: str, why: str) -> Finding:
    headline = f"These choices leave too few quarters to price a {UNITS[settings.per][1]}"
    source = f"{data}; no data."
    makers = "all chips" if settings.maker == ALL else f"every chip of {whose(settings)}"
    return Finding(
        headline=headline,
        subtitle=f"These data must say of {makers} since 2024 what one offers: {why}",
        figures=(),
        exhibits=(
            Exhibit(
                chart=BarChart(
                    title=headline,
                    subtitle="Nothing to draw.",
                    alt=f"{headline}.",
                    source=source,
                    x=linear_axis("Dollars", [0.0, 1000.0], word=lambda value: f"${value:,.0f}"),
                    base=0.0,
                ),
                table=Table(columns=(Column(name="quarter", label="Shipped in", kind="text"),), rows=()),
            ),
        ),
        settings_line=_settings_line(settings, source=source),
        sources=(CHIP_COSTS, CHIP_COUNTS, EPOCH_AI),
    )


VIEW = View(
    path="/cost-of-bandwidth",
    title="Cost of bandwidth",
    question="What does a terabyte a second cost, and what a petaFLOP?",
    settings=CostOfBandwidthSettings,
    build=build,
    method=written.method(__file__),
    leads_to=("/fleet", "/growth-gap", "/latency-floor"),
)
