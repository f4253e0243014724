"""Dollars per TB/s, per PFLOP/s and per GB in words: $750 per TB/s, $24 per GB."""

from analysis.fleet import FleetGrowth
from charts.chart import Role
from views import wording
from views.cost_of_bandwidth.settings import ALL, MAKERS, CostOfBandwidthSettings

UNITS: dict[str, tuple[float, str]] = {
    "bandwidth": (1e12, "TB/s"),
    "compute": (1e15, "PFLOP/s"),
    "memory": (1e9, "GB"),
}
"""What a cost is given for: so many base units, and what they are called."""
ROLES: dict[str, Role] = {"bandwidth": "memory", "compute": "compute", "memory": "links"}
NAMES = {"bandwidth": "Bandwidth", "compute": "Compute", "memory": "Memory"}
MAKER_ROLES: dict[str, Role] = {"NVIDIA": "compute", "Google": "links", "Amazon": "context", "AMD": "edge"}


def against(per: str) -> str:
    """Return what a quantity is held against: compute, and compute against bandwidth."""
    return "bandwidth" if per == "compute" else "compute"


def dollars(value: float) -> str:
    """Return dollars in two digits: $750, $24, $1,100."""
    return f"${wording.significant(value)}"


def whose(settings: CostOfBandwidthSettings) -> str:
    """Return whose costs are shown, as in the middle of a sentence."""
    return "four makers" if settings.maker == ALL else MAKERS[settings.maker]


def headline(
    settings: CostOfBandwidthSettings,
    *,
    now: float,
    growth: float,
    gap: FleetGrowth | None,
    other: float | None,
) -> str:
    """Return the finding: what a unit costs, how fast that grows, and whether faster than the other side.

    ``growth`` and ``other`` are those of both sides a year, ``gap`` that of their ratio, which is left unsaid where its
    interval includes no difference.
    """
    unit = UNITS[settings.per][1]
    buyer = "" if settings.maker == ALL else f" {MAKERS[settings.maker]}"
    rate = f"{'growing' if growth >= 1 else 'shrinking'} {wording.times(growth)}"
    beside = ""
    if gap and other and (gap.low > 1 or gap.high < 1):
        side = wording.small_initial(NAMES[against(settings.per)])
        if (growth >= 1) != (other >= 1):
            beside = f" while {side} {'grows' if other >= 1 else 'falls'}"
        else:
            faster = (growth > other) == (growth >= 1)
            beside = f", {'faster' if faster else 'slower'} than {side}"
    return f"A {unit} costs{buyer} {dollars(now)}, {rate} a year{beside}"


def lags(number: int) -> str:
    """Return a lag in words: the same quarter, one quarter later."""
    return ("in the same quarter", "a quarter later", "two quarters later", "three quarters later")[number]
