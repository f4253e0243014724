"""How fast the bandwidth of all chips together grows, beside that of one chip; and what was published about it."""

from analysis.fleet import FleetGrowth
from data.releases import Release
from views import wording
from views.chips.shipments import GROWTH_SINCE, bandwidth_growth, published_growth
from views.result import Figure


def shipped_notes(release: Release, *, level: float) -> tuple[str, ...]:
    """Return how fast the bandwidth of all chips together grows, as a sentence; none where too few parts state it."""
    found = bandwidth_growth(release, level=level)
    if found is None:
        return ()
    whose = wording.listed([f"{maker}'s" for maker in found.makers])
    lately = (
        f", that of all four makers' {wording.times(found.last_year.factor)} in the last one"
        if found.last_year
        else ""
    )
    return (
        f"The memory bandwidth of {whose} chips in use grows {wording.times(found.growth.factor)} a year since "
        f"{GROWTH_SINCE} ({_ends(found.growth, level=level)}){lately}; Epoch AI's own figure for 2022 to 2025 is "
        f"{wording.times(published_growth())}: most new bandwidth comes from more chips, not faster ones.",
    )


def _ends(rate: FleetGrowth, *, level: float) -> str:
    return wording.at_level(level, low=wording.times(rate.low), high=wording.times(rate.high))


def shipped_figures(release: Release, *, level: float) -> tuple[Figure, ...]:
    """Return how fast the bandwidth of all chips together grows, with the published figure beside it; or nothing."""
    found = bandwidth_growth(release, level=level)
    if found is None:
        return ()
    rate = found.growth
    return (
        Figure(
            name="bandwidth_shipped",
            label=f"Bandwidth of {wording.listed(found.makers)} chips in use",
            value=rate.factor,
            unit="x/year",
            text=f"{wording.times(rate.factor)} a year",
            low=rate.low,
            high=rate.high,
            level=level,
            interval_text=f"{_ends(rate, level=level)}; published: "
            f"{wording.times(published_growth())}, 2022–2025",
            method=f"chips in use since {GROWTH_SINCE}: units of Epoch AI times data-sheet bandwidths of the release",
            key=False,
        ),
    )
