"""The gap as figures, and what weakens them in words."""

from collections.abc import Sequence
from dataclasses import replace

from views import wording
from views.growth_gap.levels import Level
from views.result import Figure
from views.trend import figures as trend_figures
from views.trend import words as trend_words

FACTORS = (10, 100, 1000)
"""What the gap is asked to multiply by, for the time that takes."""


def figures(level: Level, *, prefix: str = "", key: bool = True) -> tuple[Figure, ...]:
    """Return the gap's growth and both rates, the key figures, then its size and the years it takes to multiply."""
    gap = level.gap
    span = f"{gap.since:.0f} to {int(gap.year)}"
    rates = (
        trend_figures.rate_figure(
            level.compute.growth, name=f"{prefix}compute_growth", label=level.compute.label
        ),
        trend_figures.rate_figure(
            level.memory.growth, name=f"{prefix}bandwidth_growth", label=level.memory.label
        ),
    )
    label = f"Gap, {wording.small_initial(level.title)}"
    return (
        gap_growth_figure(level, name=f"{prefix}gap_growth", label=label, key=key),
        *(_keyed(figure, key=key) for figure in rates),
        Figure(
            name=f"{prefix}gap_total",
            label=f"Gap, {span}",
            value=gap.total,
            unit="x",
            text=wording.multiple(gap.total, 2),
            low=gap.total_low,
            high=gap.total_high,
            level=gap.level,
            interval_text=wording.at_level(
                gap.level, low=wording.multiple(gap.total_low, 2), high=wording.multiple(gap.total_high, 2)
            ),
            method="ratio of the two trends",
            n=gap.n,
            key=False,
        ),
        *(_years_figure(level, factor, prefix=prefix) for factor in FACTORS),
    )


def on_any_units_figure(level: Level) -> Figure:
    """Return how fast the gap within chips grows with those counted whose 16 bits run on vector units alone."""
    return gap_growth_figure(
        level,
        name="chip_chip_any_units_gap_growth",
        label="Chip against chip, with vector units too",
        key=False,
    )


def _keyed(figure: Figure, *, key: bool) -> Figure:
    return replace(figure, key=key)


def gap_growth_figure(level: Level, *, name: str, label: str, key: bool = True) -> Figure:
    """Return how fast the gap of a level grows a year."""
    gap = level.gap
    return Figure(
        name=name,
        label=label,
        value=gap.yearly_growth,
        unit="x/year",
        text=f"{wording.times(gap.yearly_growth)} a year",
        low=gap.low,
        high=gap.high,
        level=gap.level,
        interval_text=wording.at_level(gap.level, low=wording.times(gap.low), high=wording.times(gap.high)),
        method=(
            f"{trend_words.method(gap.ratio)}, of the ratio of each row"
            if gap.ratio
            else "draws of two independent bootstraps paired"
        ),
        n=gap.n,
        key=key,
    )


def _years_figure(level: Level, factor: int, *, prefix: str) -> Figure:
    years, low, high = level.gap.years_to_multiply(factor)
    grows = low < float("inf")
    return Figure(
        name=f"{prefix}years_to_{factor}x",
        label=f"Gap {factor:,}× wider, {level.title.lower()}",
        value=years,
        unit="year",
        text=_years(years),
        low=low,
        high=high,
        level=level.gap.level,
        interval_text=(
            wording.at_level(level.gap.level, low=_years(low), high=_years(high))
            if grows
            else f"{wording.percent(level.gap.level)}: no growth"
        ),
        method="from the growth of the gap",
        n=level.gap.n,
        key=False,
    )


def _years(years: float) -> str:
    """Return a length of time in years, however short, so that an interval has one unit."""
    return f"{wording.significant(years)} years" if years < float("inf") else "never"


def caveats(levels: Sequence[Level], *, to: int) -> tuple[str, ...]:
    """Return what weakens a rate or carries it too far, each with the line it is about, none said twice."""
    sentences: dict[str, None] = {}
    for level in levels:
        sides = [
            (side, (*trend_words.notes(side.growth), *trend_figures.reach_notes(side.growth, to=to)))
            for side in (level.compute, level.memory)
        ]
        shared = set(sides[0][1]) & set(sides[1][1])
        for side, notes in sides:
            for note in notes:
                about = (
                    level.title if note in shared else f"{level.title}, {wording.small_initial(side.label)}"
                )
                sentences[f"{about}: {wording.small_initial(note)}"] = None
    return tuple(sentences)
