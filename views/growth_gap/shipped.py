"""How fast the bandwidth of all chips together grew, as published: beside that of one chip."""

from data import standing
from views import wording
from views.result import Figure

SHIPPED_GROWTH = float(standing.rows("published", "row_id")["p031"]["value"])
"""Growth a year of the summed memory bandwidth of AI chips shipped, 2022 to 2025: ``sources.HBM_SHIPPED``."""


def shipped_note() -> str:
    """Return how fast the bandwidth of all chips together grew, as a sentence."""
    return (
        f"The memory bandwidth of all AI chips shipped grew {wording.times(SHIPPED_GROWTH)} a year from 2022 to "
        "2025 (Epoch AI, 24 March 2026): most new bandwidth comes from more chips, not faster ones."
    )


def shipped_figure(*, key: bool) -> Figure:
    """Return how fast the bandwidth of all chips together grew, among the key figures or after them."""
    return Figure(
        name="bandwidth_shipped",
        label="All bandwidth shipped",
        value=SHIPPED_GROWTH,
        unit="x/year",
        text=f"{wording.times(SHIPPED_GROWTH)} a year",
        interval_text="as published, 2022–2025",
        method="Epoch AI, 24 March 2026",
        key=key,
    )
