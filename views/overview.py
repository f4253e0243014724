"""The start page: the gap between training compute and memory bandwidth."""

from collections.abc import Iterator, Sequence

from analysis.growth_gap import arithmetic
from data.releases import Release
from views import wording, written
from views.growth_gap import charts as gap_charts
from views.growth_gap import levels as gap_levels
from views.growth_gap import words as gap_words
from views.growth_gap.levels import Level, Unknown
from views.growth_gap.settings import GapSettings, GrowthGapSettings, comparison
from views.growth_gap.view import spread_exhibits
from views.lazy_sequence import LazySequence
from views.result import Exhibit, Figure
from views.sources import CHIP_COUNTS, CURATION, EPOCH_AI, HBM_SHIPPED
from views.trend import finding as trend
from views.view import BRIEFING, SHARE, Door, Finding, View


def build(settings: GapSettings, release: Release) -> Finding:
    """Return the finding on the gap: a run's compute and a chip's bandwidth, indexed to a common year."""
    compared = comparison(settings)
    quoted, chips, runs = gap_levels.levels(release, compared)
    data_words = f"{settings.chosen_words('since', 'chips', 'level', 'to')}{trend.data_words(release)}"
    if isinstance(quoted, Unknown):
        return gap_levels.no_gap(
            release, compared, what="points", problem=quoted.problem, to=settings.to, data=data_words
        )
    fair = [level for level in (runs, chips) if isinstance(level, Level)]
    levels = [quoted, *fair]
    unknown = [level for level in (runs, chips) if isinstance(level, Unknown)]
    level = wording.percent(quoted.gap.level)
    headline, usual = _headline(quoted, fair), GrowthGapSettings()

    def exhibits() -> Iterator[Exhibit]:
        yield gap_charts.rates_exhibit(
            [quoted, *fair],
            quoted=arithmetic(compute_growth=usual.compute_growth, bandwidth_growth=usual.bandwidth_growth),
            title=headline,
            subtitle=f"Dots show how fast compute outgrows bandwidth, with {level} intervals. {_catch(quoted, fair)}",
            source=f"{'. '.join(one.rows for one in levels)}. {data_words}",
        )
        yield gap_charts.indexed_exhibit(
            quoted,
            section="finding",
            title=gap_words.finding(quoted),
            subtitle=f"Both trends are set to 1× at the start of {settings.since}; the scale is logarithmic.",
            to=settings.to,
            source=(
                f"{quoted.rows}. Least squares on log10. The dark band is the trend's {level} interval, the light "
                f"band a new point's. {data_words}"
            ),
        )
        yield from spread_exhibits(release, compared, sound=levels, source=data_words)

    return Finding(
        headline=headline,
        subtitle=_subtitle(quoted, fair),
        figures=_figures(quoted, fair),
        exhibits=LazySequence(exhibits),
        settings_line=f"{quoted.rows}. {data_words}",
        notes=gap_words.notes(release, compared, levels=levels, unknown=unknown),
        sure=(
            f"All intervals are {level} bootstrap intervals from 2,000 resamples. Whole organizations or vendors "
            "are resampled, or single chips if there are fewer than five vendors.",
            *gap_words.sure(release, compared, levels=levels, unknown=unknown),
        ),
        changes=(
            *gap_words.changes(settings.since, levels),
            "The growth of bandwidth differs between NVIDIA's flagships, all flagships and all products.",
            "On the page “Three measures”, you can choose other number formats and other numbers of frontier runs.",
        ),
        sources=(EPOCH_AI, CURATION, CHIP_COUNTS, HBM_SHIPPED),
    )


def _headline(quoted: Level, fair: Sequence[Level]) -> str:
    """Return a headline of at most twelve words: the growth of the gap to one chip, and of the like-for-like gap."""
    if not fair or quoted.gap.low <= 1:
        return gap_words.finding(quoted)
    rate = gap_words.rate(quoted)
    if gap_words.is_mostly_arithmetic(quoted, fair):
        return f"Compute outgrows memory bandwidth {rate} a year, mostly because runs get bigger"
    like = max(fair, key=lambda level: level.gap.value)
    like_rate = gap_words.rate(like)
    if like.gap.value > quoted.gap.value and like_rate != rate:
        return f"Like for like, the gap widens faster: {like_rate} a year, not {rate}"
    short = {"chip-chip": "within one chip", "run-run": "vs its own chips"}[like.name]
    return f"The gap widens {rate} vs one chip, {like_rate} {short}"


def _subtitle(quoted: Level, fair: Sequence[Level]) -> str:
    """Return a subtitle of two sentences: the gap to one chip, and like for like, with each rate's interval."""
    interval = f"{wording.percent(quoted.gap.level)} interval {gap_words.ends(quoted)}"
    rates = [
        f"{gap_levels.WORDS[level.name]['between']}, it {wording.grows(level.gap.value)}"
        f"{'' if at else ' a year'} ({gap_words.ends(level)})"
        for at, level in enumerate(fair)
    ]
    like = (
        f"{wording.sentence_case('; '.join(rates))}."
        if fair
        else "Too few values are known to compare like with like."
    )
    grows = wording.grows(quoted.gap.value)
    return f"The gap between a run's compute and one chip's bandwidth {grows} a year ({interval}). {like}"


def _catch(quoted: Level, fair: Sequence[Level]) -> str:
    if gap_words.is_mostly_arithmetic(quoted, fair):
        return "More chips and longer training explain most of the difference."
    return "A whole run is compared with one chip."


def _figures(quoted: Level, fair: Sequence[Level]) -> tuple[Figure, ...]:
    key = gap_words.gap_growth_figure(quoted, name="gap_growth", label=quoted.title)
    return (
        key,
        *(
            gap_words.gap_growth_figure(level, name=f"{level.word}_gap_growth", label=level.title)
            for level in fair
        ),
        *(figure for figure in gap_words.figures(quoted, key=False) if figure.name != key.name),
    )


VIEW = View(
    settings=GapSettings,
    build=build,
    doors=(
        Door(text="Quote it", gives="Permanent link, citation, files", to=SHARE),
        Door(text="Decide with it", gives="Cloud or edge for your workload", to="/placement"),
        Door(text="Check a claim", gives="Published claims against the data", to="/claims"),
        Door(text="Present it", gives="Six slides, ready to show", to=BRIEFING),
    ),
    **written.page(__file__, path="/"),
)
