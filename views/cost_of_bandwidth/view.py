"""What does a terabyte a second cost, and what a petaFLOP?"""

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
from views.cost_of_bandwidth.inputs import makers_known, makers_of, offers
from views.cost_of_bandwidth.prices import list_prices, prices_exhibit, rents_exhibit
from views.cost_of_bandwidth.settings import ALL, PER, CostOfBandwidthSettings
from views.exhibits import (
    LOG_GROWTH_AXIS,
    ValueAxis,
    empty_finding,
    estimate_figure,
    growth_by_choice,
    growth_figure,
)
from views.on_demand import OnDemand
from views.result import Exhibit, Figure
from views.sources import CHIP_COSTS, CHIP_COUNTS, EPOCH_AI, SERVING_TABLES
from views.table import column
from views.trend import finding as trend
from views.view import Finding, View

SURE = written.paragraphs(__file__, name="sure.md")
CHANGES = written.paragraphs(__file__, name="changes.md")


def build(settings: CostOfBandwidthSettings, release: Release) -> Finding:
    """Return what a unit of what chips offer costs under the settings."""
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
        yield by_quarter.quarters_exhibit(answer, title=title, subtitle=under, source=line)
        yield by_quarter.work_exhibit(answer, source=source)
        yield by_quarter.share_exhibit(settings.level, source="Epoch AI, AI Chip Components (2026). " + data)
        yield by_quarter.makers_exhibit(answer, source=source)
        if answer.cases:
            yield _by_choice(answer, of_gap=True, source=source)
            yield _by_choice(answer, of_gap=False, source=source)
        prices = list_prices(release, settings)
        yield prices_exhibit(prices, level=settings.level, source=data) if prices else None
        yield rents_exhibit(answer, source=f"Prices of cloud providers, on demand. {data}")

    return Finding(
        headline=title,
        subtitle=under,
        figures=key_figures,
        exhibits=OnDemand(exhibits),
        settings_line=line,
        notes=OnDemand(lambda: _notes(answer)),
        sure=OnDemand(lambda: (*SURE, f"These are costs of parts, not prices{_markup(answer)}.")),
        changes=CHANGES,
        sources=(CHIP_COSTS, CHIP_COUNTS, EPOCH_AI, SERVING_TABLES),
    )


def headline(answer: answers.CostAnswer) -> str:
    """Return the finding: what a unit costs, how fast that grows, and whether faster than the other side.

    The other side is left unsaid where the interval of the ratio includes no difference.
    """
    growth, gap, other = answer.rate.value, answer.gap, answer.other_rate
    buyer = "" if answer.settings.maker == ALL else f" {answers.whose(answer.settings)}"
    beside = ""
    if gap and other and (gap.low > 1 or gap.high < 1):
        side = wording.small_initial(answer.beside.name)
        if (growth >= 1) != (other.value >= 1):
            beside = f" while {side} {'grows' if other.value >= 1 else 'falls'}"
        else:
            faster = (growth > other.value) == (growth >= 1)
            beside = f", {'faster' if faster else 'slower'} than {side}"
    now = answers.dollars(answer.quantity.size * float(answer.own.middle()[-1]))
    grows = "growing" if growth >= 1 else "shrinking"
    return f"A {answer.quantity.unit} costs{buyer} {now}, {grows} {answers.rounded(growth)} a year{beside}"


def _subtitle(answer: answers.CostAnswer, *, interval: str) -> str:
    settings, quantity = answer.settings, answer.quantity
    paid = {"own": "HBM cost", "packaged": "HBM and packaging cost"}.get(settings.cost, "Cost of all parts")
    if settings.per == "compute" and settings.cost != "whole":
        paid = "Logic cost"
    last = [quantity.size * float(series.middle()[-1]) for series in answer.lagged if len(series.end_year)]
    rates = answer.lagged_rates
    by_lag = f"; with other lags {answers.rounded_span(*rates)}" if len(rates) > 1 else ""
    others = ", ".join(f"{name} {answers.rounded(rate)}" for name, rate in answer.other_makers.items())
    return (
        f"{paid} per {quantity.unit} shipped {answers.lags(settings.lag)}, "
        f"{wording.quarter(float(answer.own.end_year[-1]))} ({interval}). "
        f"Pale band: 0 to 3 quarters later, {answers.dollars(min(last))}–{answers.dollars(max(last))}. "
        f"Growth {answers.rounded_span(answer.rate.low, answer.rate.high)}{by_lag}."
        f"{others and f' Others a year: {others}.'}"
    )


def _by_choice(answer: answers.CostAnswer, *, of_gap: bool, source: str) -> Exhibit:
    """Return growth of a unit's cost, over that of the other side where ``of_gap``, under every case that moves it."""
    unit, beside, level = answer.quantity.unit, answer.beside, answer.settings.level
    every = of_gap or answer.settings.per == "compute"
    cases = [case for case in answer.cases if every or not case.of_compute]
    rates = {case.label: case.gap if of_gap else case.cost for case in cases}
    quarters = {case.label: case.quarters for case in cases}
    lagged = [rates[case.label].value for case in cases if case.of_lag]
    least, most = answers.rounded(min(lagged)), answers.rounded(max(lagged))
    cost, what = f"The cost of a {unit}", f"Cost of a {unit}"
    if of_gap:
        cost = f"Relative to a {beside.unit}, the cost of a {unit}"
        what = f"{what} over that of {wording.small_initial(beside.name)}"
    return growth_by_choice(
        list(rates.items()),
        chosen=cases[0].label,
        title=f"{cost} grows {least} to {most} a year, depending on the lag",
        subtitle=f"{what}: growth a year with its {level} % interval, one choice changed at a time.",
        source=source,
        level=level,
        role="memory" if of_gap else "compute",
        axis=LOG_GROWTH_AXIS,
        word=answers.rounded,
        more=(column("quarters", lambda case: quarters[case[0]], label="Quarters"),),
        section="changes" if of_gap else "sure",
    )


def _notes(answer: answers.CostAnswer) -> Iterator[str]:
    left_out = makers_of(answer.settings) - makers_known(
        answer.release, offers(answer.settings, answer.settings.per)
    )
    if left_out:
        yield f"Without {wording.listed(sorted(left_out))}: these data lack a figure of some of their chips."
    yield from _capacity_note(answer)
    gap = answer.gap
    if gap:
        grows = "grows" if gap.value >= 1 else "changes"
        yield (
            f"The cost of a {answer.quantity.unit} relative to a {answer.beside.unit} {grows} "
            f"{answers.rounded(gap.value)} a year ({wording.percent(answer.level)}: "
            f"{answers.rounded_span(gap.low, gap.high)}; {answers.rounded_span(*answer.lagged_gaps)} with other lags)."
        )


def _capacity_note(answer: answers.CostAnswer) -> Iterator[str]:
    """Yield how much of what a TB/s costs, and of its growth, is capacity that is bought with it."""
    capacity = answer.capacity
    if capacity is None:
        return
    more, total = growth_of(capacity).value, answer.rate.value
    then = answer.quantity.size * float(
        answer.own.middle()[-1] * capacity.middle()[0] / capacity.middle()[-1]
    )
    part = (
        f", and more GB are {wording.share(math.log(more) / math.log(total))} of the log growth"
        if 1 < more < total
        else ""
    )
    yield (
        f"Part of the cost is capacity: with the GB for each TB/s of {wording.quarter(float(capacity.end_year[0]))}, "
        f"a TB/s would cost {answers.dollars(then)}{part}."
    )


def _markup(answer: answers.CostAnswer) -> str:
    """Return how the list prices of a maker's chips since the first costs compare with the cost of all their parts."""
    prices = list_prices(answer.release, answer.settings)
    whole = answer.cost(cost="whole")
    if not prices or not len(whole.end_year):
        return ""
    own, makers = prices[0], makers_of(answer.settings)
    since = float(whole.end_year[0])
    late = [
        usd
        for usd, year, vendor in zip(own.usd, own.year, own.vendors, strict=True)
        if vendor in makers and year >= since
    ]
    if not late:
        return ""
    ratio = median(late) / (answer.quantity.size * float(whole.middle()[-1]))
    moved = wording.times(own.rate.trend.yearly_growth)
    return (
        f": list prices per {answer.quantity.unit} changed {moved} a year since {int(own.year[0])}, and those of "
        f"{wording.counted(len(late), 'chip')} since {wording.quarter(since)} are {wording.significant(ratio)} times "
        "the cost of all their parts"
    )


def _settings_line(settings: CostOfBandwidthSettings, *, source: str) -> str:
    precision = ", FLOP/s at 8 bits" if settings.precision == "fp8" else ""
    level = "" if settings.level == CostOfBandwidthSettings.level else f", {settings.level} % intervals"
    return (
        f"{answers.COSTS[settings.cost]} per {PER[settings.per][0]}, {answers.whose(settings)}, shipped "
        f"{answers.lags(settings.lag)}{precision}{level}. {source}"
    )


def _nothing(answer: answers.CostAnswer, *, source: str, why: str) -> Finding:
    settings = answer.settings
    makers = "all chips" if settings.maker == ALL else f"every chip of {answers.whose(settings)}"
    return empty_finding(
        f"These choices leave too few quarters to price a {answer.quantity.unit}",
        f"These data must say of {makers} since 2024 what one offers: {why}",
        axis=ValueAxis(title="Dollars", word=lambda value: f"${value:,.0f}", span=(0.0, 1000.0)),
        columns=(column("quarter", str, label="Shipped in", kind="text"),),
        source=source,
        settings_line=_settings_line(settings, source=source),
        sources=(CHIP_COSTS, CHIP_COUNTS, EPOCH_AI),
    )


METHOD = "component costs over units shipped (Epoch AI) times data-sheet figures"


def figures(answer: answers.CostAnswer) -> Iterator[Figure]:
    """Yield what a unit and the other side cost, their growth and that of the ratio, and the shares of HBM.

    ValueError where too few quarters are known.
    """
    rate, level, n = answer.rate, answer.level, len(answer.own.end_year)
    own, beside = answer.quantity, answer.beside

    def cost(name: str, series: DrawnSeries, *, per: answers.Quantity, key: bool = True) -> Figure:
        now = series.at(-1, level=level).times(per.size)
        return estimate_figure(
            name,
            now,
            label=f"Per {per.unit}, {wording.quarter(float(series.end_year[-1]))}",
            unit=f"USD per {per.unit}",
            level=level,
            word=answers.dollars,
            text=f"{answers.dollars(now.value)} per {per.unit}",
            method=METHOD,
            n=len(series.end_year),
            key=key,
        )

    def growth(name: str, yearly: Estimate, *, label: str, key: bool = True) -> Figure:
        method = f"least squares on log10 over {n} quarters, blocks of three quarters resampled; {METHOD}"
        ends = wording.at_level(level, low=answers.rounded(yearly.low), high=answers.rounded(yearly.high))
        text = f"{answers.rounded(yearly.value)} a year"
        shown = growth_figure(name, yearly, label=label, level=level, method=method, n=n, key=key, text=text)
        return replace(shown, interval_text=ends)

    yield cost("cost", answer.own, per=own)
    yield growth("growth", rate, label=f"Cost of {wording.small_initial(own.name)}")
    if answer.other and answer.other_rate and answer.gap:
        other = wording.small_initial(beside.name)
        yield growth("other_growth", answer.other_rate, label=f"Cost of {other}")
        yield growth("gap_growth", answer.gap, label=f"{own.name} against {other}", key=False)
        yield cost("other_cost", answer.other, per=beside, key=False)
    if answer.capacity:
        more = growth_of(answer.capacity, level=level)
        yield growth("capacity_growth", more, label="GB bought with each TB/s", key=False)
    for name, series, label, place in (
        ("memory_share", by_quarter.memory_share(), "HBM in cost of parts", -1),
        ("memory_share_first", by_quarter.memory_share(), "HBM in cost of parts", 0),
        ("supply_share", by_quarter.supply_share(), "World's HBM bought", -1),
    ):
        yield estimate_figure(
            name,
            series.at(place, level=level),
            label=f"{label}, {wording.quarter(float(series.end_year[place]))}",
            unit="1",
            level=level,
            word=wording.share,
            method="component costs of four makers (Epoch AI)",
            key=False,
        )


VIEW = View(
    settings=CostOfBandwidthSettings, build=build, **written.page(__file__, path="/cost-of-bandwidth")
)
