"""What chips offer together in words: 69 million TB/s, 19 million PFLOP/s, 12 GW."""

from analysis.fleet import FleetGrowth
from views import wording
from views.fleet.settings import FleetSettings

UNITS = {
    "bandwidth": "byte/s",
    "fp16": "FLOP/s",
    "fp8": "FLOP/s",
    "memory": "byte",
    "power": "W",
    "units": "1",
}
SAID = {
    "bandwidth": (1e12, "TB/s"),
    "fp16": (1e15, "PFLOP/s"),
    "fp8": (1e15, "PFLOP/s"),
    "memory": (1e12, "TB"),
    "power": (1e9, "GW"),
    "units": (1.0, ""),
}
VERBS = {"bandwidth": "read", "fp16": "offer", "fp8": "offer", "memory": "hold", "power": "draw"}
AXES = {
    "bandwidth": "Memory bandwidth [million TB/s]",
    "fp16": "FLOP/s at 16 bits [million PFLOP/s]",
    "fp8": "FLOP/s at 8 bits [million PFLOP/s]",
    "memory": "Memory [million TB]",
    "power": "Rated power [GW]",
    "units": "Chips [million]",
}


def axis_unit(offers: str) -> float:
    """Return what one on the axis stands for."""
    size, unit = SAID[offers]
    return size if unit == "GW" else size * 1e6


def amount(value: float, offers: str) -> str:
    """Return an amount in words: 69 million TB/s, 850,000 PFLOP/s, 12 GW, 23 million."""
    size, unit = SAID[offers]
    number = value / size
    word = (
        f"{wording.significant(number / 1e6)} million" if number >= 995_000 else wording.significant(number)
    )
    return f"{word} {unit}".rstrip()


def headline(settings: FleetSettings, *, now: float, rate: FleetGrowth, late: FleetGrowth | None) -> str:
    """Return the finding: what they offer together and how that moved in a year, or how it grows."""
    moved = (
        f"{wording.times(late.factor)} the year before"
        if late
        else f"growing {wording.times(rate.factor)} a year"
    )
    whose = "AI chips in use" if settings.count == "in-use" else "A quarter's AI chips"
    said = amount(now, settings.offers)
    if settings.offers == "units":
        place = "are in use" if settings.count == "in-use" else "ship a quarter"
        return f"{said} AI chips {place}, {moved}"
    return f"{whose} {VERBS[settings.offers]} {said}, {moved}"
