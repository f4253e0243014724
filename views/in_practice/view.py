"""Does the gap show in measured work?"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from analysis.hardware.device_makers import maker
from analysis.in_practice.exponents import Exponents, exponents
from analysis.in_practice.pairs import Pairs, PairSummary, once_a_pair, summaries
from data.releases import Release
from views import wording, written
from views.exhibits import ValueAxis, bars_exhibit
from views.in_practice import words
from views.in_practice.charts import (
    COLUMNS,
    MOST_SHOWN,
    by_load_exhibit,
    factor,
    pairs_exhibit,
    sheets_exhibit,
)
from views.in_practice.doubling import without_exhibit, works_exhibit
from views.in_practice.figures import figures
from views.in_practice.inputs import LOADS, pairs
from views.in_practice.reached import balance_exhibit, balance_figures, met
from views.in_practice.settings import ANY, DEVICES, UNDER_LOAD, WORKS, InPracticeSettings
from views.on_demand import OnDemand
from views.result import Exhibit
from views.settings import definitions
from views.sources import EPOCH_AI, SERVING_TABLES
from views.table import table
from views.trend import finding as trend
from views.view import Finding, View

SOURCES = (SERVING_TABLES, EPOCH_AI)
TOGETHER = 0.7
"""Correlation of both ratios from which a reader is told: their powers then vary twice as much as apart."""


def build(settings: InPracticeSettings, release: Release) -> Finding:
    """Return how much faster chips are on the same measured work, beside the ratios of their data sheets."""
    data = trend.data_words(release)
    source = f"Published measurements, row by row on /data. {data}"
    found = pairs(settings, release)
    line = f"{words.settings_line(settings)}. {settings.chosen_words('level')}{source}"
    if not len(found):
        return _nothing(settings, source=source, line=line)
    kinds = summaries(found)
    level = int(settings.level) / 100
    powers = _exponents(found, level=level)
    told = words.sure_enough(powers)
    said = words.headline(settings, found=powers, first=kinds[0])
    counted = (
        f"{wording.counted(powers.n_pairs, 'pair')} of {wording.counted(powers.n_chips, 'chip')} on "
        f"{wording.counted(powers.n_works, 'workload')}."
    )
    subtitle = (
        f"Measured on {counted} {words.verdict(powers, settings)} Lines: {settings.level} % intervals."
        if told
        else f"{wording.sentence_case(words.middle_half(kinds[0]))}. {words.verdict(powers, settings)} In all {counted}"
    )

    def exhibits() -> Iterator[Exhibit]:
        by_work = _by_work(settings, release)
        works = works_exhibit(
            by_work,
            settings,
            title=said if told else words.by_work(by_work),
            subtitle=subtitle
            if told
            else f"{settings.level} % intervals over chips; work too uncertain to tell is left out.",
            source=line if told else source,
        )
        if not told:
            yield sheets_exhibit(kinds, title=said, subtitle=subtitle, source=line)
        if works is not None:
            yield works
        if len(kinds) > MOST_SHOWN:
            yield pairs_exhibit(kinds, found=powers, source=source)
        for exhibit in (
            by_load_exhibit(_by_load(settings, release), source=source),
            balance_exhibit(release, source=source),
            without_exhibit(powers, _other_cases(settings, release), source=source),
        ):
            if exhibit is not None:
                yield exhibit

    return Finding(
        headline=said,
        subtitle=subtitle,
        figures=(*figures(powers, settings, first=kinds[0]), *balance_figures(met(release))),
        exhibits=OnDemand(exhibits),
        settings_line=line,
        notes=tuple(_notes(settings, powers, kinds=kinds)),
        sure=tuple(_sure(settings, powers)),
        changes=(
            "The kind of work, its precision and load, and whether the software version and the split over chips "
            "must be the same. Each is a setting of this page.",
        ),
        sources=SOURCES,
    )


def _exponents(found: Pairs, *, level: float) -> Exponents:
    """Return the powers of both ratios, each maker with a factor of its own."""
    return exponents(found, maker_of={chip: maker(chip) for chip in found.chips}, level=level)


def _by_work(settings: InPracticeSettings, release: Release) -> list[tuple[str, Exponents]]:
    """Return the exponents of every kind of work under the other settings, those without a pair left out."""
    level = int(settings.level) / 100
    settings = settings if settings.applies("load") else replace(settings, load=ANY)
    made = []
    for work in WORKS:
        found = pairs(replace(settings, work=work), release)
        if len(found):
            made.append((work, _exponents(found, level=level)))
    return made


def _other_cases(settings: InPracticeSettings, release: Release) -> list[tuple[str, Exponents]]:
    """Return the exponents where pairs are chosen or weighed otherwise, those left out that do not tell."""
    level = int(settings.level) / 100
    found = pairs(settings, release)
    other = replace(settings, match="own" if settings.match == "exact" else "exact")
    makers = {chip: maker(chip) for chip in found.chips}
    same = [makers[one] == makers[two] for one, two in zip(found.first, found.second, strict=True)]
    cases = [
        (
            "own versions and splits" if settings.match == "exact" else "same version and split",
            pairs(other, release),
        ),
        ("every two chips once", once_a_pair(found)),
        ("pairs of one maker alone", found.at(np.array(same, dtype=bool))),
    ]
    for name in sorted({*makers.values()} - {""}):
        of_it = [
            name in (makers[one], makers[two]) for one, two in zip(found.first, found.second, strict=True)
        ]
        cases.append((f"without {name}", found.at(~np.array(of_it, dtype=bool))))
    told = [(label, _exponents(case, level=level)) for label, case in cases if len(case)]
    if len({*makers.values()}) > 1:
        told.insert(0, ("makers taken for one", exponents(found, level=level)))
    return [(label, case) for label, case in told if words.sure_enough(case)]


def _by_load(settings: InPracticeSettings, release: Release) -> list[tuple[str, PairSummary]]:
    if settings.work not in UNDER_LOAD or settings.load != ANY:
        return []
    label = definitions(InPracticeSettings)["load"].shown
    return [
        (wording.small_initial(label(load)), pair)
        for load in LOADS
        for pair in summaries(pairs(replace(settings, load=load), release))
    ]


def _notes(
    settings: InPracticeSettings, found: Exponents, *, kinds: tuple[PairSummary, ...]
) -> Iterator[str]:
    if found.bandwidth is None and found.n_chips > 1:
        yield (
            f"{wording.sentence_case(wording.counted(found.n_chips, 'chip'))} are too few, or differ alike in both "
            "numbers, to tell what each of them is worth."
        )
    elif found.correlation > TOGETHER:
        yield (
            f"Chips with more bandwidth mostly also have more FLOP/s (correlation {found.correlation:.2f}), so what "
            "each is worth rests on the few that do not."
        )
    if settings.work in DEVICES:
        yield "FLOP/s are the 16-bit peaks of matrix units, or of shaders on Apple chips, which have none."
    if any(pair.n == 1 for pair in kinds) and len(kinds) > 1:
        yield f"{sum(pair.n == 1 for pair in kinds)} of {len(kinds)} pairs of chips have only one workload in common."


def _sure(settings: InPracticeSettings, found: Exponents) -> Iterator[str]:
    yield (
        f"{wording.sentence_case(wording.counted(found.n_pairs, 'pair'))} come from {found.n_chips} chips. Pairs "
        "that share a chip are not independent, since its clocks, caches and kernels are the same on every workload. "
        "Intervals are therefore found by leaving out one chip at a time, with all its pairs."
    )
    if found.bandwidth is not None:
        yield (
            "These are associations among chips as sold, not effects: a chip with more bandwidth also has other "
            "caches, clocks and kernels, and an error in one number of a data sheet moves what the other is worth."
        )
    if found.n_makers > 1:
        yield (
            "16-bit peaks of different makers are hardly alike, nor are their kernels: a maker's chips may be faster "
            "by any factor at equal data sheets, so powers are told by chips of one maker."
        )
    if settings.work in words.BY_FLOP and words.which(found.lead) == "bandwidth":
        yield (
            "Computing is said to limit this work: that it rises more with bandwidth here may mean that paper FLOP/s "
            "say less of what kernels reach than paper bandwidth does."
        )
    if settings.work in DEVICES:
        yield (
            "Sources for devices seldom name the build of their engine, so versions may differ within a source."
        )
    yield (
        "Only work that somebody published for both chips is compared. Sources tend to measure what runs well, and "
        "software for the newer chip has had less time to mature."
    )
    if settings.match == "own":
        yield "Versions differ, so what looks like a faster chip may be newer software."


def _nothing(settings: InPracticeSettings, *, source: str, line: str) -> Finding:
    headline = "No two chips ran this work under these choices"
    return Finding(
        headline=headline,
        subtitle="Choose another kind of work, any precision and load, or fewer names of chips.",
        figures=(),
        exhibits=(
            bars_exhibit(
                (),
                title=headline,
                subtitle="Nothing to draw.",
                source=source,
                axis=ValueAxis(title="Measured speed-up [×]", word=factor, span=(1.0, 2.0)),
                numbers=table(COLUMNS, ()),
                base=1.0,
            ),
        ),
        settings_line=line,
        sources=SOURCES,
    )


VIEW = View(
    path="/in-practice",
    title="Measured work",
    question="Does the gap show in measured work?",
    settings=InPracticeSettings,
    build=build,
    method=written.method(__file__),
    leads_to=("/compute-to-memory", "/model-errors", "/growth-gap"),
)
