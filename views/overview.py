"""What is the gap between training compute and memory bandwidth, in one page?"""

from collections.abc import Sequence

from data.releases import Release
from views import wording, written
from views.growth_gap import charts as gap_charts
from views.growth_gap import figures as gap_figures
from views.growth_gap import levels as gap_levels
from views.growth_gap import words as gap_words
from views.growth_gap.levels import Level, Unknown
from views.growth_gap.settings import GapSettings, comparison
from views.runs import disclosure
from views.sources import CHIP_COUNTS, CURATION, EPOCH_AI, HBM_SHIPPED
from views.trend import finding as trend
from views.view import BRIEFING, SHARE, Door, Finding, View


def build(settings: GapSettings, release: Release) -> Finding:
    """Return the gap in one picture: compute of a run and bandwidth of a chip, indexed to the chosen year."""
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
    headline = _headline(quoted, chips=chips, fair=fair)
    return Finding(
        headline=headline,
        subtitle=f"{_subtitle(quoted, fair)} {disclosure.warning(release, compared.runs)}".rstrip(),
        figures=_figures(quoted, fair),
        exhibits=(
            gap_charts.indexed_exhibit(
                quoted,
                title=headline,
                subtitle=f"Growth since {settings.since} ({settings.since} = 1×, log scale). {_catch(quoted, fair)}",
                to=settings.to,
                source=(
                    f"{quoted.rows}. Least squares on log10; dark band {level} confidence, light band {level} for "
                    f"a new point. {data_words}"
                ),
            ),
        ),
        settings_line=f"{quoted.rows}. {data_words}",
        notes=gap_words.notes(release, levels=levels, unknown=unknown, confidence=int(settings.level) / 100),
        sure=(
            f"All intervals are {level} bootstrap intervals: whole organizations or vendors (single chips where "
            "they are of fewer than five) are drawn again 2,000 times and the trends refitted, for run against chip "
            "with the frontier picked anew.",
            *gap_words.sure(release, compared, levels=levels, unknown=unknown),
        ),
        changes=(
            gap_words.changes(settings.since),
            "Chips: one vendor's flagships, all flagships or all products grow at different rates.",
            "The three ways to compare, other number formats and a frontier of another size are on the growth gap "
            "page.",
        ),
        sources=(EPOCH_AI, CURATION, CHIP_COUNTS, HBM_SHIPPED),
    )


def _headline(quoted: Level, *, chips: Level | Unknown, fair: Sequence[Level]) -> str:
    """Return the finding in twelve words: how fast the gap against one chip grows, and like for like."""
    if not fair or quoted.gap.low <= 1:
        return gap_words.finding(quoted)
    rate = gap_words.rate(quoted)
    if gap_words.is_mostly_arithmetic(quoted, fair):
        like = chips if isinstance(chips, Level) else fair[0]
        return f"The {rate} gap is mostly arithmetic: {_short(like)}, {gap_words.rate(like)} a year"
    like = max(fair, key=lambda level: level.gap.yearly_growth)
    like_rate = gap_words.rate(like)
    if like.gap.yearly_growth > quoted.gap.yearly_growth and like_rate != rate:
        return f"Like for like, the gap widens faster: {like_rate} a year, not {rate}"
    return f"The gap widens {rate} run against chip, {like_rate} {_short(like)}"


def _short(level: Level) -> str:
    return {"chip-chip": "within one chip", "run-run": "against its chips"}[level.name]


def _subtitle(quoted: Level, fair: Sequence[Level]) -> str:
    """Return the catch, and each rate with its interval."""
    like = (
        f"Like for like: {gap_words.rates_words(fair)}."
        if fair
        else "Too few rows are known to compare like with like."
    )
    return (
        f"{gap_words.rate(quoted)} sets a whole run against one chip "
        f"({wording.percent(quoted.gap.level)}: {gap_words.ends(quoted)}). {like}"
    )


def _catch(quoted: Level, fair: Sequence[Level]) -> str:
    if gap_words.is_mostly_arithmetic(quoted, fair):
        return "One run against one chip: most of the difference is met by using more chips, for longer."
    return "One whole run against one chip."


def _figures(quoted: Level, fair: Sequence[Level]) -> tuple[gap_figures.Figure, ...]:
    key = gap_figures.gap_growth_figure(quoted, name="gap_growth", label=quoted.title)
    return (
        key,
        *(
            gap_figures.gap_growth_figure(level, name=f"{level.word}_gap_growth", label=level.title)
            for level in fair
        ),
        *(figure for figure in gap_figures.figures(quoted, key=False) if figure.name != key.name),
    )


VIEW = View(
    settings=GapSettings,
    build=build,
    doors=(
        Door(text="Quote it", gives="Permanent link, citation, files", to=SHARE),
        Door(text="Decide with it", gives="Cloud or edge for your workload", to="/placement"),
        Door(text="Check a claim", gives="A statement checked against the data", to="/claims"),
        Door(text="Present it", gives="Brief me: six slides, ready made", to=BRIEFING),
    ),
    **written.page(__file__, path="/"),
)
