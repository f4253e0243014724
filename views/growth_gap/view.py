"""Finding of /growth-gap: how fast compute outgrows memory, measured in three ways."""

from collections.abc import Iterator, Sequence

from analysis.growth_gap import Arithmetic, arithmetic
from data.releases import Release
from views import wording, written
from views.chips import rows as chip_rows
from views.growth_gap import charts as gap_charts
from views.growth_gap import levels as gap_levels
from views.growth_gap import words as gap_words
from views.growth_gap.charts import arithmetic_exhibit
from views.growth_gap.levels import Level, Unknown
from views.growth_gap.settings import Comparison, GrowthGapSettings, comparison
from views.lazy_sequence import LazySequence
from views.result import Exhibit, Figure
from views.runs import rows as run_rows
from views.sources import CHIP_COUNTS, CURATION, EPOCH_AI, HBM_SHIPPED
from views.trend import finding as trend
from views.view import Finding, View

ORDER = ("run-chip", "run-run", "chip-chip")
CATCH = {1: "Only the last leaves out bigger runs.", 2: "Only the last two leave out bigger runs."}
"""Caveat on which measures leave out the growth of runs, keyed by the number of such measures."""


NOT_IN_ROWS = ("since", "chips", "level", "to", "compare", "precision", "compute_growth", "bandwidth_growth")
"""Settings omitted from the description of the compared rows."""


def build(settings: GrowthGapSettings, release: Release) -> Finding:
    """Return the finding on one or all levels of the gap, with the quoted rates."""
    compared = comparison(settings)
    levels = gap_levels.levels(release, compared)
    sound = [level for level in levels if isinstance(level, Level)]
    unknown = [level for level in levels if isinstance(level, Unknown)]
    data_words = f"{settings.chosen_words(*NOT_IN_ROWS)}{trend.data_words(release)}"
    chosen = [
        level for name in ORDER for level in sound if level.name == name and settings.compare in ("all", name)
    ]
    if not chosen:
        problem = next(level.problem for level in unknown if settings.compare in ("all", level.name))
        return gap_levels.no_gap(
            release, compared, what="rows", problem=problem, to=settings.to, data=data_words
        )
    rates = arithmetic(compute_growth=settings.compute_growth, bandwidth_growth=settings.bandwidth_growth)
    interval = wording.percent(chosen[0].gap.level)
    confidence = int(settings.level) / 100
    source = (
        f"{'. '.join(level.rows for level in chosen)}. Least squares on log10, {interval} bootstrap intervals. "
        f"{data_words}"
    )
    headline = _headline(chosen)

    def exhibits() -> Iterator[Exhibit]:
        yield _main(settings, chosen, rates=rates, headline=headline, source=source)
        yield arithmetic_exhibit(rates)
        yield from spread_exhibits(release, compared, sound=sound, source=data_words)

    return Finding(
        headline=headline,
        subtitle=_subtitle(chosen),
        figures=_figures(
            settings,
            sound,
            chosen=chosen,
            rates=rates,
            shipped=gap_words.shipped_figures(release, level=confidence),
        ),
        exhibits=LazySequence(exhibits),
        settings_line=f"{chosen[0].rows}. {data_words}",
        notes=gap_words.notes(release, compared, levels=chosen, unknown=unknown),
        sure=(
            f"All intervals are {interval} bootstrap intervals. Whole organizations or vendors are resampled, or "
            "single chips if there are fewer than five vendors.",
            *gap_words.sure(release, compared, levels=chosen, unknown=unknown),
        ),
        changes=(
            *gap_words.changes(settings.since, chosen),
            "The chosen chips, precision and frontier size determine which rows are used.",
        ),
        sources=(EPOCH_AI, CURATION, CHIP_COUNTS, HBM_SHIPPED),
    )


def spread_exhibits(
    release: Release, compared: Comparison, *, sound: list[Level], source: str
) -> tuple[Exhibit, ...]:
    """Return exhibits of the growth of each side of the quoted gap under all plausible selection rules."""
    quoted = next((level for level in sound if level.name == "run-chip"), None)
    if quoted is None:
        return ()
    interval = wording.percent(quoted.gap.level)
    source = f"{quoted.rows}. Least squares on log10, {interval} bootstrap intervals. {source}"
    runs = run_rows.spread_exhibit(release, compared.runs, growth=quoted.compute.growth, source=source)
    chips = chip_rows.spread_exhibit(release, compared.chips, growth=quoted.memory.growth, source=source)
    return tuple(exhibit for exhibit in (runs, chips) if exhibit is not None)


def _main(
    settings: GrowthGapSettings, chosen: list[Level], *, rates: Arithmetic, headline: str, source: str
) -> Exhibit:
    if settings.compare != "all":
        level = chosen[0]
        return gap_charts.indexed_exhibit(
            level,
            title=headline,
            subtitle=f"Both trends are set to 1× at the start of {settings.since}; the scale is logarithmic. "
            f"{level.comparing}",
            to=settings.to,
            source=source,
        )
    return gap_charts.levels_exhibit(
        chosen,
        title=headline,
        subtitle=(
            f"Each line is compute divided by memory bandwidth, set to 1× at the start of {settings.since}. Its "
            f"band is the {wording.percent(chosen[0].gap.level)} interval; the scale is logarithmic."
        ),
        quoted=rates.ratio_of_multipliers,
        to=settings.to,
        source=source,
    )


def _headline(chosen: Sequence[Level]) -> str:
    """Return a headline of at most twelve words on the like-for-like gap and the gap to one chip."""
    by_name = {level.name: level for level in chosen}
    quoted, fair = by_name.get("run-chip"), by_name.get("run-run") or by_name.get("chip-chip")
    if quoted is None or fair is None:
        return gap_words.finding(chosen[0])
    rate, like = gap_words.rate(quoted), gap_words.rate(fair)
    if not gap_words.is_clear(fair):
        return f"Like for like, no clear change ({like}); run vs one chip, {rate}"
    if fair.gap.value < 1:
        narrowing = wording.decline(fair.gap.value)
        return f"Like for like, the gap narrows {narrowing}; run vs one chip, {rate}"
    if fair.gap.value < quoted.gap.value and like != rate:
        return f"Without bigger runs, compute outgrows bandwidth by {like} a year, not {rate}"
    return f"Like for like, the gap widens {like}; run vs one chip, {rate}"


def _subtitle(chosen: Sequence[Level]) -> str:
    """Return a subtitle with each rate and its interval, followed by any caveat."""
    if len(chosen) > 1:
        fair = sum(level.name != "run-chip" for level in chosen)
        return f"{gap_words.rates_words(chosen)} {CATCH.get(fair, '')}".rstrip()
    level = chosen[0]
    return f"{level.comparing} The {wording.percent(level.gap.level)} interval is {gap_words.ends(level)} a year."


def _figures(
    settings: GrowthGapSettings,
    sound: list[Level],
    *,
    chosen: list[Level],
    rates: Arithmetic,
    shipped: tuple[Figure, ...],
) -> tuple[Figure, ...]:
    quoted = Figure(
        name="quoted_gap",
        label="Gap growth at the quoted rates",
        value=rates.ratio_of_multipliers,
        unit="x/year",
        text=f"{wording.times(rates.ratio_of_multipliers)} a year",
        method=f"{settings.compute_growth:g} / {settings.bandwidth_growth:g}",
        key=False,
    )
    every: tuple[Figure, ...] = ()
    for level in sound:
        every += gap_words.figures(level, prefix=f"{level.word}_", key=False)
    if settings.compare != "all":
        return (*gap_words.figures(chosen[0]), quoted, *every, *shipped)
    side_by_side = tuple(
        gap_words.gap_growth_figure(level, name=f"{level.word}_gap", label=level.title) for level in chosen
    )
    return (*side_by_side, *shipped, quoted, *gap_words.figures(chosen[0], key=False), *every)


VIEW = View(settings=GrowthGapSettings, build=build, **written.page(__file__, path="/growth-gap"))
