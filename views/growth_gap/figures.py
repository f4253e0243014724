"""The gap as figures."""

from dataclasses import replace

from analysis.intervals import Estimate
from data.releases import Release
from views import wording
from views.chips.shipments import GROWTH_SINCE, bandwidth_growth, published_growth
from views.exhibits import estimate_figure, growth_figure, rate_figure
from views.growth_gap.levels import Level
from views.result import Figure
from views.trend import figures as trend_figures
from views.trend import words as trend_words

FACTORS = (10, 100, 1000)
"""What the gap is asked to multiply by, for the time that takes."""


def figures(level: Level, *, prefix: str = "", key: bool = True) -> tuple[Figure, ...]:
    """Return the gap's growth and both rates, the key figures, then its size and the years it takes to multiply."""
    gap = level.gap
    rates = (
        trend_figures.rate_figure(side.growth, name=f"{prefix}{name}", label=side.label, key=key)
        for side, name in ((level.compute, "compute_growth"), (level.memory, "bandwidth_growth"))
    )
    label = f"Gap, {wording.small_initial(level.title)}"
    return (
        gap_growth_figure(level, name=f"{prefix}gap_growth", label=label, key=key),
        *rates,
        estimate_figure(
            f"{prefix}gap_total",
            Estimate(value=gap.total, low=gap.total_low, high=gap.total_high),
            label=f"Gap, {gap.since:.0f} to {int(gap.year)}",
            unit="x",
            level=gap.level,
            word=lambda total: wording.multiple(total, 2),
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


def gap_growth_figure(level: Level, *, name: str, label: str, key: bool = True) -> Figure:
    """Return how fast the gap of a level grows a year."""
    gap = level.gap
    method = (
        f"{trend_words.method(gap.ratio)}, of the ratio of each row"
        if gap.ratio
        else "draws of two independent bootstraps paired"
    )
    return rate_figure(name, gap, label=label, level=gap.level, method=method, key=key)


def _years_figure(level: Level, factor: int, *, prefix: str) -> Figure:
    years, low, high = level.gap.years_to_multiply(factor)
    figure = estimate_figure(
        f"{prefix}years_to_{factor}x",
        Estimate(value=years, low=low, high=high),
        label=f"Gap {factor:,}× wider, {level.title.lower()}",
        unit="year",
        level=level.gap.level,
        word=_years,
        method="from the growth of the gap",
        n=level.gap.n,
        key=False,
    )
    if low < float("inf"):
        return figure
    return replace(figure, interval_text=f"{wording.percent(level.gap.level)}: no growth")


def _years(years: float) -> str:
    """Return a length of time in years, however short, so that an interval has one unit."""
    return f"{wording.significant(years)} years" if years < float("inf") else "never"


def shipped_figures(release: Release, *, level: float) -> tuple[Figure, ...]:
    """Return how fast the bandwidth of all chips together grows, with the published figure beside it; or nothing."""
    bandwidth = bandwidth_growth(release, level=level)
    if bandwidth is None:
        return ()
    rate = bandwidth.growth
    figure = growth_figure(
        "bandwidth_shipped",
        rate,
        label=f"Bandwidth of {wording.listed(bandwidth.makers)} chips in use",
        level=level,
        method=f"chips in use since {GROWTH_SINCE}: units of Epoch AI times data-sheet bandwidths of the release",
        key=False,
    )
    published = f"published: {wording.times(published_growth())}, 2022–2025"
    return (replace(figure, interval_text=f"{figure.interval_text}; {published}"),)
