"""What of all chips is counted, whether they are in use or new, and since when growth is measured."""

from dataclasses import dataclass

from views.settings import choice, whole_number
from views.trend.fit import confidence_level
from views.view import ReleaseSettings

OFFERS: dict[str, tuple[str, str]] = {
    "bandwidth": ("Memory bandwidth", "the data-sheet memory bandwidth of all chips together"),
    "fp16": ("FLOP/s at 16 bits", "peak dense FP16 or BF16 of all chips together"),
    "fp8": ("FLOP/s at 8 bits", "peak dense FP8 of all chips together; at 16 bits where a chip has no FP8"),
    "memory": ("Memory", "the memory of all chips together"),
    "power": ("Power", "the rated power of all chips together"),
    "units": ("Chips", "the number of chips"),
}
NEVER = "never"


@dataclass(frozen=True, kw_only=True)
class FleetSettings(ReleaseSettings):
    """What of all chips is counted, whether they are in use or new, and since when growth is measured."""

    offers: str = choice(
        "bandwidth",
        OFFERS,
        label="Counted",
        help="What of all AI chips is added up: their number times what the data sheet of one states.",
        first_row=True,
    )
    count: str = choice(
        "in-use",
        {
            "in-use": ("In use", "chips in use at the end of each quarter"),
            "shipped": ("Shipped in a quarter", "chips shipped in each quarter"),
        },
        label="Chips",
        help="All chips shipped so far and still in use, or those of one quarter alone.",
        first_row=True,
    )
    since: int = whole_number(
        2023,
        low=2022,
        high=2024,
        label="Growth since",
        help="Growth is measured from the quarters that end in this year on.",
        first_row=True,
    )
    retire: str = choice(
        NEVER,
        {
            NEVER: ("Never", "chips stay in use"),
            **{
                str(years): (f"After {years} years", f"chips leave use after {years} years")
                for years in (3, 4, 5, 6)
            },
        },
        label="Retired",
        help="When a chip leaves use after the quarter in which it was shipped.",
        group="Data",
    )
    level: str = confidence_level(", for how sure the numbers of chips are")
