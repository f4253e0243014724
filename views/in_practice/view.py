"""Finding of /in-practice: measured speed-ups compared with data-sheet ratios."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from analysis.hardware.device_makers import maker
from analysis.in_practice.balance import Balance, flagship_growth
from analysis.in_practice.exponents import Exponents, exponents
from analysis.in_practice.pairs import Pairs, PairSummary, once_a_pair, summaries
from analysis.intervals import Estimate
from data.releases import Release
from views import wording, written
from views.exhibits import ValueAxis, empty_finding, stated_figure
from views.in_practice import exhibits as charts
from views.in_practice import words
from views.in_practice.inputs import measured_balances, pairs
from views.in_practice.settings import ANY, DEVICES, WORKS, InPracticeSettings
from views.lazy_sequence import LazySequence
from views.result import Exhibit, Figure
from views.sources import EPOCH_AI, SERVING_TABLES
from views.trend import finding as trend
from views.view import Finding, View

SURE = written.toml(__file__, name="sure.toml")
SOURCES = (SERVING_TABLES, EPOCH_AI)
TOGETHER = 0.7
"""Correlation of the two ratios above which it is reported, because it doubles the exponents' variance. [1]"""


def build(settings: InPracticeSettings, release: Release) -> Finding:
    """Return the finding on chips' measured speed-ups, compared with their data-sheet ratios."""
    source = f"Published measurements, listed on /data. {trend.data_words(release)}"
    line = f"{words.settings_line(settings)}. {settings.chosen_words('level')}{source}"
    every_pair = pairs(settings, release)
    if not len(every_pair):
        return _nothing(source=source, line=line)
    kinds = summaries(every_pair)
    powers = _exponents(every_pair, settings)
    sure = words.sure_enough(powers)
    headline = words.headline(settings, powers=powers, first=kinds[0])
    counted = (
        f"{wording.counted(powers.n_pairs, 'comparison')} of one chip with another on the same workload, across "
        f"{wording.counted(powers.n_chips, 'chip')} and {wording.counted(powers.n_works, 'workload')}."
    )
    subtitle = f"{words.verdict(powers, settings)} The result is based on {counted}"
    balances = measured_balances(release)

    def exhibits() -> Iterator[Exhibit | None]:
        by_work = _by_work(settings, release)
        if not sure:
            yield charts.sheets_exhibit(kinds, title=headline, subtitle=subtitle, source=line)
        yield charts.works_exhibit(
            by_work,
            settings,
            title=headline if sure else words.by_work(by_work),
            subtitle=subtitle
            if sure
            else f"Lines are {settings.level}% intervals over chips. Work with too much uncertainty is omitted.",
            source=line if sure else source,
        )
        if len(kinds) > charts.MOST_SHOWN:
            yield charts.pairs_exhibit(kinds, powers=powers, source=source)
        yield charts.balance_exhibit(balances, source=source)
        yield charts.without_exhibit(powers, _other_cases(settings, release), source=source)

    return Finding(
        headline=headline,
        subtitle=subtitle,
        figures=(*figures(powers, settings, first=kinds[0]), *balance_figures(balances)),
        exhibits=LazySequence(exhibits),
        settings_line=line,
        notes=tuple(_notes(powers)),
        sure=tuple(_sure(settings, powers, kinds=kinds)),
        changes=(
            "The result depends on these settings: the kind of work, the precision, the load, and whether the "
            "software version and the split over chips must match.",
        ),
        sources=SOURCES,
    )


def _exponents(of: Pairs, settings: InPracticeSettings, *, one_maker: bool = False) -> Exponents:
    """Return the exponents of both ratios, with a factor per vendor unless ``one_maker``."""
    makers = None if one_maker else {chip: maker(chip) for chip in of.chips}
    return exponents(of, maker_of=makers, level=int(settings.level) / 100)


def _by_work(settings: InPracticeSettings, release: Release) -> list[charts.Case]:
    """Return the exponents for every kind of work that has a pair under the other settings."""
    settings = settings if settings.applies("load") else replace(settings, load=ANY)
    by_work = {work: pairs(replace(settings, work=work), release) for work in WORKS}
    return [charts.Case(work, _exponents(own, settings)) for work, own in by_work.items() if len(own)]


def _other_cases(settings: InPracticeSettings, release: Release) -> list[charts.Case]:
    """Return the exponents for other selections or weights of pairs, where possible."""
    chosen = pairs(settings, release)
    exact = settings.match == "exact"
    makers = {chip: maker(chip) for chip in chosen.chips}
    cases = {
        "Own versions and splits" if exact else "Same version and split": pairs(
            replace(settings, match="own" if exact else "exact"), release
        ),
        "Each pair of chips once": once_a_pair(chosen),
        "Pairs within one vendor": chosen.where(lambda one, other: makers[one] == makers[other]),
    }
    for name in sorted({*makers.values()} - {""}):
        cases[f"Without {name}"] = chosen.where(
            lambda one, other, name=name: name not in (makers[one], makers[other])
        )
    powers = [charts.Case(label, _exponents(case, settings)) for label, case in cases.items() if len(case)]
    if len({*makers.values()}) > 1:
        powers.insert(0, charts.Case("All vendors as one", _exponents(chosen, settings, one_maker=True)))
    return [case for case in powers if words.sure_enough(case.exponents)]


def _notes(powers: Exponents) -> Iterator[str]:
    if powers.bandwidth is None and powers.n_chips > 1:
        yield (
            f"{wording.sentence_case(wording.counted(powers.n_chips, 'chip'))} are too few, or differ equally in "
            "both numbers, to show the effect of either."
        )
    elif powers.correlation > TOGETHER:
        yield (
            f"Chips with more bandwidth mostly also have more FLOP/s (correlation {powers.correlation:.2f}), so "
            "the result depends on the few pairs whose ratios differ most."
        )


def _sure(
    settings: InPracticeSettings, powers: Exponents, *, kinds: tuple[PairSummary, ...]
) -> Iterator[str]:
    yield (
        f"The comparisons are among only {powers.n_chips} chips. Comparisons that share a chip are not independent, so "
        "intervals are computed by leaving out one chip at a time, with all its comparisons."
    )
    if any(pair.n == 1 for pair in kinds) and len(kinds) > 1:
        yield f"{sum(pair.n == 1 for pair in kinds)} of {len(kinds)} pairs of chips share only one workload."
    holds = {
        "powers": powers.bandwidth is not None,
        "makers": powers.n_makers > 1,
        "paper": settings.work in words.BY_FLOP and words.which(powers.lead) == "bandwidth",
        "devices": settings.work in DEVICES,
        "versions": settings.match == "own",
    }
    yield from (text for name, text in SURE.items() if holds.get(name, True))


def _nothing(*, source: str, line: str) -> Finding:
    return empty_finding(
        "No two chips ran this work with these choices",
        "Choose another kind of work, any precision and load, or fewer chips.",
        axis=ValueAxis(title="Measured speed-up [×]", word=charts.factor, span=(1.0, 2.0)),
        base=1.0,
        columns=charts.COLUMNS,
        source=source,
        settings_line=line,
        sources=SOURCES,
    )


stated = partial(stated_figure, written.toml(__file__, name="figures.toml"))


def figures(powers: Exponents, settings: InPracticeSettings, *, first: PairSummary) -> tuple[Figure, ...]:
    """Return the finding's figures. The three most important are key figures."""
    sure = words.sure_enough(powers)
    level = int(settings.level) / 100
    pair = words.pair_name(first)

    def estimate(
        name: str, of: Estimate | None, *, key: bool, read: Callable[[float], float] = float
    ) -> tuple[Figure, ...]:
        """Return an estimate's figure, with an interval if enough chips support one. Empty if there is no estimate."""
        if of is None:
            return ()
        value, low, high = read(of.value), read(of.low), read(of.high)
        interval = {"interval_text": f"{powers.n_chips} chips: no interval"}
        if math.isfinite(low) and math.isfinite(high):
            ends = wording.at_level(level, low=wording.times(low), high=wording.times(high))
            interval = {"low": low, "high": high, "level": level, "interval_text": ends}
        text = wording.times(value)
        return (stated(name, value=value, text=text, n=powers.n_pairs, key=key, **interval),)

    def of_pair(name: str, what: str, **others: object) -> Figure:
        value = getattr(first, name)
        return stated(name, label=f"{what}, {pair}", value=value, text=wording.times(value), **others)

    return (
        of_pair("speed_up", "Speed-up", interval_text=words.middle_half(first), n=first.n, key=not sure),
        *estimate("twice_bandwidth", powers.bandwidth, key=sure, read=words.doubled),
        *estimate("twice_flop", powers.flop, key=sure, read=words.doubled),
        *estimate("bandwidth_off", powers.bandwidth_off, key=not sure),
        *estimate("flop_off", powers.flop_off, key=not sure),
        *estimate("off_ratio", powers.off_ratio, key=sure),
        of_pair("bandwidth_ratio", "Bandwidth ratio"),
        of_pair("flop_ratio", "FLOP/s ratio"),
    )


def balance_figures(chips: Sequence[Balance]) -> tuple[Figure, ...]:
    """Return figures of the growth of NVIDIA chips' FLOP per byte, stated and measured. May be empty."""
    growth = flagship_growth(chips)
    if growth is None:
        return ()
    return (
        stated(
            "balance_growth_on_paper",
            label=f"Growth of data-sheet FLOP per byte, {charts.span(growth)}",
            value=growth.paper,
            text=f"{wording.times(growth.paper)} a year",
        ),
        stated(
            "balance_growth_measured",
            label=f"Growth of measured FLOP per byte, {charts.span(growth)}",
            value=growth.measured,
            text=f"{wording.times(growth.measured)} a year",
            low=growth.low,
            high=growth.high,
            interval_text=wording.factors(growth.low, growth.high),
        ),
    )


VIEW = View(settings=InPracticeSettings, build=build, **written.page(__file__, path="/in-practice"))
