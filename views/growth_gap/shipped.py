"""How fast the bandwidth of all chips together grew, as published: beside that of one chip."""

from data import standing
from views import wording
from views.result import Figure

SHIPPED_GROWTH = float(standing.rows("published", "row_id")["p031"]["value"])
"""Growth a year of the summed memory bandwidth of AI chips shipped, 2022 to 2025: ``sources.HBM_SHIPPED``."""


def shipped_note() -> str:
    """Return how fast the bandwidth of all chips together grew, as a sentence."""
    return (
        f"All the memory bandwidth of AI chips shipped grew {wording.times(SHIPPED_GROWTH)} a year from "
        "2022 to 2025 (Epoch AI, 24 March 2026), far faster than that of one chip: most of the bandwidth that "
        "runs draw on comes from more chips."
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
