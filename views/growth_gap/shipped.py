"""How fast the bandwidth of all chips together grows, beside that of one chip; and what was published about it."""

from data.releases import Release
from views import wording
from views.chips.shipments import GROWTH_SINCE, PUBLISHED_GROWTH, bandwidth_growth
from views.result import Figure

PUBLISHED = f"published: {wording.times(PUBLISHED_GROWTH)}, 2022–2025"


def shipped_notes(release: Release, *, level: float) -> tuple[str, ...]:
    """Return how fast the bandwidth of all chips together grows, as a sentence; none where too few parts state it."""
    found = bandwidth_growth(release, level=level)
    if found is None:
        return ()
    ends = wording.at_level(level, low=wording.times(found.low), high=wording.times(found.high))
    return (
        f"The memory bandwidth of all AI chips in use grows {wording.times(found.factor)} a year since {GROWTH_SINCE} "
        f"({ends}; Epoch AI's own figure for 2022 to 2025 is {wording.times(PUBLISHED_GROWTH)}): most new bandwidth "
        "comes from more chips, not faster ones.",
    )


def shipped_figures(release: Release, *, level: float) -> tuple[Figure, ...]:
    """Return how fast the bandwidth of all chips together grows, with the published figure beside it; or nothing."""
    found = bandwidth_growth(release, level=level)
    if found is None:
        return ()
    ends = wording.at_level(level, low=wording.times(found.low), high=wording.times(found.high))
    return (
        Figure(
            name="bandwidth_shipped",
            label="Bandwidth of all chips",
            value=found.factor,
            unit="x/year",
            text=f"{wording.times(found.factor)} a year",
            low=found.low,
            high=found.high,
            level=level,
            interval_text=f"{ends}; {PUBLISHED}",
            method=f"chips in use since {GROWTH_SINCE}: units of Epoch AI times data-sheet bandwidths of the release",
            key=False,
        ),
    )
