"""Finding of /cost-of-bandwidth: the cost of a unit of bandwidth or compute, and its growth."""

import math
from collections.abc import Iterator
from dataclasses import replace
from statistics import median

from analysis.cost_of_bandwidth import growth as growth_of
from analysis.fleet import DrawnSeries
from analysis.intervals import Estimate
from data.releases import Release
from views import wording, written
from views.cost_of_bandwidth import answer as answers
from views.cost_of_bandwidth import by_quarter
from views.cost_of_bandwidth.inputs import offers, vendors_known, vendors_of
from views.cost_of_bandwidth.prices import list_prices, prices_exhibit
from views.cost_of_bandwidth.settings import ALL, PER, CostOfBandwidthSettings
from views.exhibits import (
    LOG_GROWTH_AXIS,
    ValueAxis,
    empty_finding,
    estimate_figure,
    growth_by_choice,
    growth_figure,
)
from views.lazy_sequence import LazySequence
from views.result import Exhibit, Figure
from views.sources import CHIP_COSTS, CHIP_COUNTS, EPOCH_AI
from views.table import column
from views.trend import finding as trend
from views.view import Finding, View

SURE = written.paragraphs(__file__, name="sure.md")
CHANGES = written.paragraphs(__file__, name="changes.md")


def build(settings: CostOfBandwidthSettings, release: Release) -> Finding:
    """Return the finding on the cost of a unit of shipped capacity under the settings."""
    answer = answers.CostAnswer(settings=settings, release=release)
    data = trend.data_words(release)
    try:
        key_figures = tuple(figures(answer))
    except ValueError as problem:
        return _nothing(answer, source=f"{data}; no data.", why=str(problem))
    source = f"Epoch AI, AI Chip Components and AI chip counts (2026), over data-sheet figures. {data}"
    line, title = _settings_line(settings, source=source), headline(answer)
    under = _subtitle(answer, interval=key_figures[0].interval_text)

    def exhibits() -> Iterator[Exhibit | None]:
        drawn = f"{under} The dark band is the cost's interval; the pale band covers purchase lags of 0 to 3 quarters."
        yield by_quarter.quarters_exhibit(answer, title=title, subtitle=drawn, source=line)
        yield by_quarter.share_exhibit(settings.level, source="Epoch AI, AI Chip Components (2026). " + data)
        if answer.cases:
            yield _by_choice(answer, source=source)
        prices = list_prices(release, settings)
        yield prices_exhibit(prices, level=settings.level, source=data) if prices else None

    return Finding(
        headline=title,
        subtitle=under,
        figures=key_figures,
        exhibits=LazySequence(exhibits),
        settings_line=line,
        notes=LazySequence(lambda: _notes(answer)),
        sure=LazySequence(lambda: (*_ratio(answer), *SURE, _markup(answer))),
        changes=CHANGES,
        sources=(CHIP_COSTS, CHIP_COUNTS, EPOCH_AI),
    )


def headline(answer: answers.CostAnswer) -> str:
    """Return a headline: a unit's cost, its growth, and whether it grows faster than the counterpart's cost.

    The counterpart is omitted if the ratio's interval includes 1.
    """
    growth, gap, other = answer.rate.value, answer.gap, answer.other_rate
    buyer = "The cost" if answer.settings.maker == ALL else f"{answers.whose(answer.settings)}'s cost"
    beside = ""
    if gap and other and (gap.low > 1 or gap.high < 1):
        side = wording.small_initial(answer.beside.name)
        if (growth >= 1) != (other.value >= 1):
            beside = f" while {side}'s {'grows' if other.value >= 1 else 'falls'}"
        else:
            faster = (growth > other.value) == (growth >= 1)
            beside = f", {'faster' if faster else 'slower'} than {side}'s"
    now = answers.dollars(answer.quantity.size * float(answer.own.middle()[-1]))
    grows = f"rises {answers.rounded(growth)}" if growth >= 1 else f"falls {wording.decline(growth)}"
    return f"{buyer} per {answer.quantity.unit} ({now}) {grows} a year{beside}"


def _subtitle(answer: answers.CostAnswer, *, interval: str) -> str:
    settings = answer.settings
    paid = {"own": "HBM costs", "packaged": "HBM and packaging cost"}.get(settings.cost, "all parts cost")
    if settings.per == "compute" and settings.cost != "whole":
        paid = "logic costs"
    level, _, ends = interval.partition(": ")
    rates = answers.rounded_span(*answer.lagged_rates)
    by_lag = (
        f" With other purchase lags, its growth is {rates} a year." if len(answer.lagged_rates) > 1 else ""
    )
    others = [f"{answers.rounded(rate)} for {name}" for name, rate in answer.other_vendors.items()]
    by_vendor = f" Growth is {wording.listed(others)}." if others else ""
    return (
        f"In chips shipped in {wording.quarter(float(answer.own.end_year[-1]))}, {paid} {ends} per "
        f"{answer.quantity.unit} ({level} interval).{by_lag}{by_vendor}"
    )


def _by_choice(answer: answers.CostAnswer, *, source: str) -> Exhibit:
    """Return an exhibit of the growth of the cost ratio in every case."""
    unit, beside, level = answer.quantity.unit, answer.beside, answer.settings.level
    lagged = [case.gap.value for case in answer.cases if case.of_lag]
    moves = f"{'rises' if min(lagged) >= 1 else 'changes by'} {answers.rounded_span(*lagged)}"
    quarters = {case.label: case.quarters for case in answer.cases}
    return growth_by_choice(
        [(case.label, case.gap) for case in answer.cases],
        chosen=answer.cases[0].label,
        title=f"With other purchase lags, the cost of a {unit} relative to that of a {beside.unit} {moves} a year",
        subtitle=f"Each row shows the yearly growth factor, with its {level}% interval, if one choice is changed.",
        source=source,
        level=level,
        axis=LOG_GROWTH_AXIS,
        word=answers.rounded,
        more=(column("quarters", lambda case: quarters[case[0]], label="Quarters"),),
        section="changes",
    )


def _notes(answer: answers.CostAnswer) -> Iterator[str]:
    left_out = vendors_of(answer.settings) - vendors_known(
        answer.release, offers(answer.settings, answer.settings.per)
    )
    if left_out:
        yield f"The total excludes {wording.listed(sorted(left_out))}, because figures of some chips are missing."
    yield from _capacity_note(answer)


def _ratio(answer: answers.CostAnswer) -> Iterator[str]:
    """Yield a sentence on the growth of the ratio of the two costs, if known."""
    gap = answer.gap
    if gap:
        rounded, fallen = answers.rounded(gap.value), wording.decline(gap.value)
        grows = f"grows {rounded}" if gap.value >= 1 else f"falls {fallen}"
        yield (
            f"The cost of a {answer.quantity.unit} relative to that of a {answer.beside.unit} {grows} a "
            f"year ({wording.percent(answer.level)} interval {answers.rounded_span(gap.low, gap.high)})."
        )


def _capacity_note(answer: answers.CostAnswer) -> Iterator[str]:
    """Yield a sentence on the cost of a TB/s if the GB per TB/s had not grown."""
    capacity = answer.capacity
    if capacity is None:
        return
    more, total = growth_of(capacity).value, answer.rate.value
    then = answer.quantity.size * float(
        answer.own.middle()[-1] * capacity.middle()[0] / capacity.middle()[-1]
    )
    part = (
        f". The additional GB explain {wording.share(math.log(more) / math.log(total))} of its growth since then"
        if 1 < more < total
        else ""
    )
    yield (
        f"With only as many GB per TB/s as in {wording.quarter(float(capacity.end_year[0]))}, a TB/s would cost "
        f"{answers.dollars(then)}{part}."
    )


def _markup(answer: answers.CostAnswer) -> str:
    """Return a sentence on what the costs are and, if known, one on list prices relative to the cost of all parts."""
    costs = "All costs are those of components, not prices of chips."
    prices = list_prices(answer.release, answer.settings)
    whole = answer.cost(cost="whole")
    if not prices or not len(whole.end_year):
        return costs
    own, vendors = prices[0], vendors_of(answer.settings)
    since = float(whole.end_year[0])
    late = [
        usd
        for usd, year, vendor in zip(own.usd, own.year, own.vendors, strict=True)
        if vendor in vendors and year >= since
    ]
    if not late:
        return costs
    ratio, unit = median(late) / (answer.quantity.size * float(whole.middle()[-1])), answer.quantity.unit
    return (
        f"{costs} For {wording.counted(len(late), 'chip')} released since {wording.quarter(since)}, the median list "
        f"price per {unit} is {wording.significant(ratio)} times the cost of all parts per {unit}."
    )


def _settings_line(settings: CostOfBandwidthSettings, *, source: str) -> str:
    precision = ", FLOP/s at 8 bits" if settings.precision == "fp8" else ""
    level = "" if settings.level == CostOfBandwidthSettings.level else f", {settings.level}% intervals"
    return (
        f"{answers.COSTS[settings.cost]} per {PER[settings.per][0]}, {answers.whose(settings)}, shipped "
        f"{answers.lags(settings.lag)}{precision}{level}. {source}"
    )


def _nothing(answer: answers.CostAnswer, *, source: str, why: str) -> Finding:
    settings = answer.settings
    vendors = "all chips" if settings.maker == ALL else f"the chips of {answers.whose(settings)}"
    return empty_finding(
        f"Too few quarters remain to price a {answer.quantity.unit}",
        f"The release must state what {vendors} since 2024 offer: {why}",
        axis=ValueAxis(title="Dollars", word=lambda value: f"${value:,.0f}", span=(0.0, 1000.0)),
        columns=(column("quarter", str, label="Shipped in", kind="text"),),
        source=source,
        settings_line=_settings_line(settings, source=source),
        sources=(CHIP_COSTS, CHIP_COUNTS, EPOCH_AI),
    )


METHOD = "component costs divided by chips shipped (Epoch AI) times data-sheet values"


def figures(answer: answers.CostAnswer) -> Iterator[Figure]:
    """Yield figures: costs of a unit and its counterpart, their growth, and HBM's shares.

    Raises ValueError if too few quarters are known.
    """
    rate, level, n = answer.rate, answer.level, len(answer.own.end_year)
    own, beside = answer.quantity, answer.beside

    def cost(name: str, series: DrawnSeries, *, per: answers.Quantity, key: bool = True) -> Figure:
        now = series.at(-1, level=level).times(per.size)
        return estimate_figure(
            name,
            now,
            label=f"Cost per {per.unit}, {wording.quarter(float(series.end_year[-1]))}",
            unit=f"USD per {per.unit}",
            level=level,
            word=answers.dollars,
            text=f"{answers.dollars(now.value)} per {per.unit}",
            method=METHOD,
            n=len(series.end_year),
            key=key,
        )

    def growth(name: str, yearly: Estimate, *, label: str, key: bool = True) -> Figure:
        method = f"least squares on log10 over {n} quarters, resampled in blocks of three; {METHOD}"
        ends = wording.at_level(level, low=answers.rounded(yearly.low), high=answers.rounded(yearly.high))
        text = f"{answers.rounded(yearly.value)} a year"
        shown = growth_figure(name, yearly, label=label, level=level, method=method, n=n, key=key, text=text)
        return replace(shown, interval_text=ends)

    yield cost("cost", answer.own, per=own)
    yield growth("growth", rate, label=f"Growth of the cost of {wording.small_initial(own.name)}")
    if answer.other and answer.other_rate and answer.gap:
        other = wording.small_initial(beside.name)
        yield growth("other_growth", answer.other_rate, label=f"Growth of the cost of {other}")
        yield growth(
            "gap_growth",
            answer.gap,
            label=f"Growth of the cost of {wording.small_initial(own.name)} relative to that of {other}",
            key=False,
        )
        yield cost("other_cost", answer.other, per=beside, key=False)
    if answer.capacity:
        more = growth_of(answer.capacity, level=level)
        yield growth("capacity_growth", more, label="Growth of GB per TB/s", key=False)
    for name, series, label, place in (
        ("memory_share", by_quarter.memory_share(), "HBM share of component costs", -1),
        ("memory_share_first", by_quarter.memory_share(), "HBM share of component costs", 0),
        ("supply_share", by_quarter.supply_share(), "HBM bought, as a share of world sales", -1),
    ):
        yield estimate_figure(
            name,
            series.at(place, level=level),
            label=f"{label}, {wording.quarter(float(series.end_year[place]))}",
            unit="1",
            level=level,
            word=wording.share,
            method="component costs of four vendors (Epoch AI)",
            key=False,
        )


VIEW = View(
    settings=CostOfBandwidthSettings, build=build, **written.page(__file__, path="/cost-of-bandwidth")
)
