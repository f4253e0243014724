"""Text and figures of the gap."""

from collections.abc import Sequence
from dataclasses import replace

from data.releases import Release
from views import wording
from views.chips.shipments import GROWTH_SINCE, bandwidth_growth, published_growth
from views.exhibits import growth_figure
from views.growth_gap.levels import WORDS, Level, Unknown
from views.growth_gap.settings import Comparison
from views.result import Figure
from views.runs import disclosure
from views.trend import figures as trend_figures
from views.trend import words as trend_words
from views.trend.finding import MOST_NOTES


def is_clear(level: Level) -> bool:
    """Return whether the interval of the gap's growth excludes 1 (no change)."""
    return not level.gap.low <= 1 <= level.gap.high


def rate(level: Level) -> str:
    """Return the yearly growth of the gap as text: 3.6×."""
    return wording.times(level.gap.value)


def ends(level: Level) -> str:
    """Return the interval of the gap's yearly growth as text: 3.2–3.9×."""
    return wording.factors(level.gap.low, level.gap.high)


def finding(level: Level) -> str:
    """Return a sentence such as "Run vs one chip: the gap widens 3.6× a year"."""
    if not is_clear(level):
        return f"{level.title}: no clear change ({rate(level)} a year)"
    growth = level.gap.value
    change = f"widens {rate(level)}" if growth > 1 else f"narrows {wording.decline(growth)}"
    return f"{level.title}: the gap {change} a year"


def rates_words(levels: Sequence[Level]) -> str:
    """Return two sentences on the growth rates, such as "The gap grows 3.6× a year between a run and one chip"."""
    verb = "grows" if all(level.gap.value >= 1 for level in levels) else "changes"
    first, *others = (
        f"{rate(level)}{{}} {WORDS[level.name]['between']} ({{}}{ends(level)})" for level in levels
    )
    interval = f"{wording.percent(levels[0].gap.level)} interval "
    rest = wording.listed([other.format("", "") for other in others])
    return f"The gap {verb} {first.format(' a year', interval)}. It {verb} {rest}."


def is_mostly_arithmetic(quoted: Level, fair: Sequence[Level]) -> bool:
    """Return whether the gap to one chip clearly widens, and like-for-like gaps widen less than half as fast.

    "Half as fast" refers to log growth: the like-for-like gap grows less in two years than the quoted gap in one.
    """
    if not fair or quoted.gap.low <= 1:
        return False
    return max(level.gap.value for level in fair) ** 2 < quoted.gap.value


def notes(
    release: Release, comparison: Comparison, *, levels: Sequence[Level], unknown: Sequence[Unknown]
) -> tuple[str, ...]:
    """Return at most three notes: few recent runs, levels with too few rows, unclear changes, all chips combined."""
    few = [wording.small_initial(level.title) for level in unknown]
    unclear = [wording.small_initial(level.title) for level in levels if not is_clear(level)]
    kept = (
        disclosure.warning(release, comparison.runs),
        bool(few) * f"There are too few rows for a trend {' and '.join(few)}.",
        bool(unclear) * f"The data do not settle whether the gap widens or narrows {' or '.join(unclear)}.",
        *shipped_notes(release, level=levels[0].gap.level),
    )
    return tuple(filter(None, kept))[:MOST_NOTES]


def changes(since: int, levels: Sequence[Level]) -> tuple[str, ...]:
    """Return sentences on what each level compares, and on the effect of another first year."""
    return (
        *map(about, levels),
        f"The fits of compute and of bandwidth start in {since} unless their rows begin later. A different first year "
        "changes which rows are fitted, and thus the rates.",
    )


def sure(
    release: Release, comparison: Comparison, *, levels: Sequence[Level], unknown: Sequence[Unknown]
) -> tuple[str, ...]:
    """Return notes on the known part of the frontier, missing data, and the weaknesses of the rates."""
    return (
        *disclosure.sentence(release, comparison.runs),
        *(level.left_out for level in levels if level.left_out),
        *(f"{level.title}: {level.problem}" for level in unknown),
        *caveats(levels, to=comparison.runs.to),
    )


def about(level: Level) -> str:
    """Return a paragraph on what a level compares, what its rate includes, and its rows."""
    compared = f"{level.title}: {wording.small_initial(level.comparing)}"
    return " ".join(filter(None, (compared, level.counted_in, f"Rows: {level.rows}.", level.drawn_back)))


def caveats(levels: Sequence[Level], *, to: int) -> tuple[str, ...]:
    """Return the distinct caveats of the rates and projections. Each names its level and, unless shared, its side."""
    sentences: dict[str, None] = {}
    for level in levels:
        sides = [
            (side, (*trend_words.notes(side.growth), *trend_figures.reach_notes(side.growth, to=to)))
            for side in (level.compute, level.memory)
        ]
        shared = set(sides[0][1]) & set(sides[1][1])
        for (side, notes), of in zip(sides, WORDS[level.name]["rows_of"], strict=True):
            for note in notes:
                which = "" if note in shared else f" ({wording.small_initial(side.label)})"
                said = note.replace("organization", "vendor") if of == "hardware" else note
                sentences[f"For “{level.title}”{which}, {wording.small_initial(said)}"] = None
    return tuple(sentences)


def shipped_notes(release: Release, *, level: float) -> tuple[str, ...]:
    """Return a sentence on the growth of all chips' bandwidth. Empty if too few chips state their bandwidth."""
    bandwidth = bandwidth_growth(release, level=level)
    if bandwidth is None:
        return ()
    rate = bandwidth.growth
    whose = wording.listed([f"{vendor}'s" for vendor in bandwidth.vendors])
    interval = f"{wording.percent(level)} interval {wording.factors(rate.low, rate.high)}"
    return (
        f"The total bandwidth of {whose} chips in use has grown {wording.times(rate.value)} a year since "
        f"{GROWTH_SINCE} ({interval}), mostly because more chips are in use.",
    )


def figures(level: Level, *, prefix: str = "", key: bool = True) -> tuple[Figure, ...]:
    """Return figures of the growth of the gap and its two sides."""
    rates = (
        trend_figures.rate_figure(side.growth, name=f"{prefix}{name}", label=side.label, key=key)
        for side, name in ((level.compute, "compute_growth"), (level.memory, "bandwidth_growth"))
    )
    label = f"Gap, {wording.small_initial(level.title)}"
    return (gap_growth_figure(level, name=f"{prefix}gap_growth", label=label, key=key), *rates)


def gap_growth_figure(level: Level, *, name: str, label: str, key: bool = True) -> Figure:
    """Return the yearly growth of the gap as a figure."""
    gap = level.gap
    method = (
        f"{trend_words.method(gap.ratio)}, of the ratio in each row"
        if gap.ratio
        else "two independent bootstraps with paired resamples"
    )
    return growth_figure(name, gap, label=label, level=gap.level, method=method, n=gap.n, key=key)


def shipped_figures(release: Release, *, level: float) -> tuple[Figure, ...]:
    """Return a figure of the growth of all chips' bandwidth, with the published one beside our own. May be empty."""
    bandwidth = bandwidth_growth(release, level=level)
    if bandwidth is None:
        return ()
    rate = bandwidth.growth
    figure = growth_figure(
        "bandwidth_shipped",
        rate,
        label=f"Bandwidth of {wording.listed(bandwidth.vendors)} chips in use",
        level=level,
        method=f"chips in use since {GROWTH_SINCE}: Epoch AI's chip counts times the bandwidth on each data sheet",
        key=False,
    )
    published = f"published: {wording.times(published_growth())}, 2022–2025"
    return (replace(figure, interval_text=f"{figure.interval_text}; {published}"),)
