"""What does a terabyte a second cost, and what a petaFLOP?"""

from collections.abc import Iterator, Sequence
from statistics import median

from analysis.fleet import FleetGrowth
from charts.chart import Role
from data.releases import Release
from views import wording, written
from views.axes import linear_axis
from views.cost_of_bandwidth.answer import COSTS, Case, CostAnswer
from views.cost_of_bandwidth.by_quarter import makers_exhibit, quarters_exhibit
from views.cost_of_bandwidth.figures import figures
from views.cost_of_bandwidth.inputs import makers_known, makers_of, offers
from views.cost_of_bandwidth.prices import list_prices, prices_exhibit
from views.cost_of_bandwidth.rents import rents_exhibit, rents_note
from views.cost_of_bandwidth.settings import ALL, PER, CostOfBandwidthSettings
from views.cost_of_bandwidth.share import share_exhibit
from views.cost_of_bandwidth.words import dollars, headline, lags, span, whose
from views.cost_of_bandwidth.work import work_exhibit
from views.exhibits import ValueAxis, empty_exhibit, growth_by_choice
from views.on_demand import OnDemand
from views.result import Exhibit, Section
from views.sources import CHIP_COSTS, CHIP_COUNTS, EPOCH_AI, SERVING_TABLES
from views.table import column
from views.trend import finding as trend
from views.view import Finding, View

SURE = written.paragraphs(__file__, name="sure.md")
CHANGES = written.paragraphs(__file__, name="changes.md")


def build(settings: CostOfBandwidthSettings, release: Release) -> Finding:
    """Return what a unit of what chips offer costs under the settings."""
    answer = CostAnswer(settings=settings, release=release)
    data = trend.data_words(release)
    try:
        rate = answer.rate
    except ValueError as problem:
        return _nothing(answer, source=f"{data}; no data.", why=str(problem))
    source = f"Epoch AI, AI Chip Components and AI chip counts (2026), over data-sheet figures. {data}"
    title = headline(
        settings,
        now=answer.quantity.size * float(answer.own.middle()[-1]),
        growth=rate.factor,
        gap=answer.gap,
        other=answer.other_rate.factor if answer.other_rate else None,
    )
    key_figures = tuple(figures(answer))
    under = _subtitle(answer, interval=key_figures[0].interval_text)

    def exhibits() -> Iterator[Exhibit | None]:
        yield quarters_exhibit(
            answer, title=title, subtitle=under, source=_settings_line(settings, source=source)
        )
        if answer.sides:
            yield work_exhibit(answer, answer.sides, source=source)
        yield share_exhibit(settings.level, source="Epoch AI, AI Chip Components (2026). " + data)
        yield makers_exhibit(answer, source=source)
        if answer.cases:
            yield _gap_by_choice(answer, source=source)
            yield _cost_by_choice(answer, source=source)
        prices = list_prices(release, settings)
        yield prices_exhibit(prices, level=settings.level, source=data) if prices else None
        yield rents_exhibit(answer, source=f"Prices of cloud providers, on demand. {data}")

    return Finding(
        headline=title,
        subtitle=under,
        figures=key_figures,
        exhibits=OnDemand(exhibits),
        settings_line=_settings_line(settings, source=source),
        notes=OnDemand(lambda: _notes(answer)),
        sure=SURE,
        changes=CHANGES,
        sources=(CHIP_COSTS, CHIP_COUNTS, EPOCH_AI, SERVING_TABLES),
    )


def _subtitle(answer: CostAnswer, *, interval: str) -> str:
    settings, quantity = answer.settings, answer.quantity
    paid = {"own": "HBM cost", "packaged": "HBM and packaging cost"}.get(settings.cost, "Cost of all parts")
    if settings.per == "compute" and settings.cost != "whole":
        paid = "Logic cost"
    last = [quantity.size * float(series.middle()[-1]) for series in answer.lagged if len(series.end_year)]
    rates = answer.lagged_rates
    by_lag = f"; with other lags {_range(rates)}" if len(rates) > 1 else ""
    return (
        f"{paid} per {quantity.unit} shipped {lags(settings.lag)}, "
        f"{wording.quarter(float(answer.own.end_year[-1]))} ({interval}). "
        f"Pale band: 0 to 3 quarters later, {dollars(min(last))}–{dollars(max(last))}. "
        f"Growth {span(answer.rate)}{by_lag}."
    )


def _range(factors: Sequence[float]) -> str:
    return wording.interval(wording.times(min(factors)), wording.times(max(factors)))


def _gap_by_choice(answer: CostAnswer, *, source: str) -> Exhibit:
    """Return growth of a unit's cost over that of the other side under every case."""
    unit, beside = answer.quantity.unit, answer.beside
    return _by_choice(
        answer,
        [(case, case.gap) for case in answer.cases],
        grows=f"Relative to a {beside.unit}, the cost of a {unit}",
        what=f"Cost of a {unit} over that of {wording.small_initial(beside.name)}",
        source=source,
        role="memory",
        section="changes",
    )


def _cost_by_choice(answer: CostAnswer, *, source: str) -> Exhibit:
    """Return growth of a unit's cost under every case that moves it."""
    unit, of_compute = answer.quantity.unit, answer.settings.per == "compute"
    return _by_choice(
        answer,
        [(case, case.cost) for case in answer.cases if of_compute or not case.of_compute],
        grows=f"The cost of a {unit}",
        what=f"Cost of a {unit}",
        source=source,
        role="compute",
        section="sure",
    )


def _by_choice(
    answer: CostAnswer,
    cases: Sequence[tuple[Case, FleetGrowth]],
    *,
    grows: str,
    what: str,
    source: str,
    role: Role,
    section: Section,
) -> Exhibit:
    lagged = [rate.factor for case, rate in cases if case.of_lag]
    quarters = {case.label: case.quarters for case, _ in cases}
    least, most = wording.times(min(lagged)), wording.times(max(lagged))
    return growth_by_choice(
        [(case.label, rate) for case, rate in cases],
        chosen=cases[0][0].label,
        title=f"{grows} grows {least} to {most} a year, depending on the lag",
        subtitle=f"{what}: growth a year with its {answer.settings.level} % interval, one choice changed at a time.",
        source=source,
        level=answer.settings.level,
        role=role,
        axis=ValueAxis(title="Growth a year", word=wording.factor_tick, log=True, span=(1.0,)),
        more=(column("quarters", lambda case: quarters[case[0]], label="Quarters"),),
        section=section,
    )


def _notes(answer: CostAnswer) -> Iterator[str]:
    left_out = makers_of(answer.settings) - makers_known(
        answer.release, offers(answer.settings, answer.settings.per)
    )
    if left_out:
        yield f"Without {wording.listed(sorted(left_out))}: these data lack a figure of some of their chips."
    gap = answer.gap
    if gap:
        interval = wording.at_level(answer.level, low=wording.times(gap.low), high=wording.times(gap.high))
        yield (
            f"The cost of a {answer.quantity.unit} relative to a {answer.beside.unit} "
            f"{'grows' if gap.factor >= 1 else 'changes'} {wording.times(gap.factor)} a year ({interval}; "
            f"{_range(answer.lagged_gaps)} with other lags)."
        )
    yield from rents_note(answer)
    yield f"These are costs of parts, not prices{_markup(answer)}."


def _markup(answer: CostAnswer) -> str:
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
        f"{COSTS[settings.cost]} per {PER[settings.per][0]}, {whose(settings)}, shipped {lags(settings.lag)}"
        f"{precision}{level}. {source}"
    )


def _nothing(answer: CostAnswer, *, source: str, why: str) -> Finding:
    settings = answer.settings
    title = f"These choices leave too few quarters to price a {answer.quantity.unit}"
    makers = "all chips" if settings.maker == ALL else f"every chip of {whose(settings)}"
    axis = linear_axis("Dollars", [0.0, 1000.0], word=lambda value: f"${value:,.0f}")
    heading = column("quarter", str, label="Shipped in", kind="text")
    return Finding(
        headline=title,
        subtitle=f"These data must say of {makers} since 2024 what one offers: {why}",
        figures=(),
        exhibits=(empty_exhibit(title, source=source, axis=axis, heading=heading),),
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
