"""The gap as figures."""

from dataclasses import replace

from data.releases import Release
from views import wording
from views.chips.shipments import GROWTH_SINCE, bandwidth_growth, published_growth
from views.exhibits import growth_figure, rate_figure
from views.growth_gap.levels import Level
from views.result import Figure
from views.trend import figures as trend_figures
from views.trend import words as trend_words


def figures(level: Level, *, prefix: str = "", key: bool = True) -> tuple[Figure, ...]:
    """Return the gap's growth and both rates."""
    rates = (
        trend_figures.rate_figure(side.growth, name=f"{prefix}{name}", label=side.label, key=key)
        for side, name in ((level.compute, "compute_growth"), (level.memory, "bandwidth_growth"))
    )
    label = f"Gap, {wording.small_initial(level.title)}"
    return (gap_growth_figure(level, name=f"{prefix}gap_growth", label=label, key=key), *rates)


def gap_growth_figure(level: Level, *, name: str, label: str, key: bool = True) -> Figure:
    """Return how fast the gap of a level grows a year."""
    gap = level.gap
    method = (
        f"{trend_words.method(gap.ratio)}, on the ratio of each row"
        if gap.ratio
        else "two independent bootstraps, their resamples paired"
    )
    return rate_figure(name, gap, label=label, level=gap.level, method=method, key=key)


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
        method=f"chips in use since {GROWTH_SINCE}: Epoch AI's numbers of chips times the bandwidth of each data sheet",
        key=False,
    )
    published = f"published: {wording.times(published_growth())}, 2022–2025"
    return (replace(figure, interval_text=f"{figure.interval_text}; {published}"),)
