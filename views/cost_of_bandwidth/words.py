"""Dollars per TB/s, per PFLOP/s and per GB in words: $750 per TB/s, $24 per GB."""

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


def headline(settings: CostOfBandwidthSettings, *, now: float, growth: str, other: str) -> str:
    """Return the finding: what a unit costs, how fast that grows, and how fast the other side does."""
    unit = UNITS[settings.per][1]
    buyer = "" if settings.maker == ALL else f" {MAKERS[settings.maker]}"
    beside = f"; {wording.small_initial(NAMES[against(settings.per)])} {other}" if other else ""
    return (
        f"{wording.sentence_case(article(unit))} costs{buyer} {dollars(now)}, growing {growth} a year{beside}"
    )


def article(unit: str) -> str:
    """Return a unit after its indefinite article: a TB/s."""
    return f"a {unit}"


def lags(number: int) -> str:
    """Return a lag in words: the same quarter, one quarter later."""
    return ("in the same quarter", "a quarter later", "two quarters later", "three quarters later")[number]
