"""Dollars per TB/s, per PFLOP/s and per GB in words: $750 per TB/s, $24 per GB."""

from dataclasses import dataclass

from analysis.intervals import Estimate
from charts.chart import Role
from views import wording
from views.cost_of_bandwidth.settings import ALL, MAKERS, CostOfBandwidthSettings


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """What a cost is given for: its name, so many base units and what they are called, and its colour."""

    name: str
    size: float
    unit: str
    role: Role


QUANTITIES = {
    "bandwidth": Quantity(name="Bandwidth", size=1e12, unit="TB/s", role="memory"),
    "compute": Quantity(name="Compute", size=1e15, unit="PFLOP/s", role="compute"),
    "memory": Quantity(name="Memory", size=1e9, unit="GB", role="links"),
}


def against(per: str) -> str:
    """Return what a quantity is held against: compute, and compute against bandwidth."""
    return "bandwidth" if per == "compute" else "compute"


def dollars(value: float) -> str:
    """Return dollars in two digits: $750, $24, $1,100."""
    return f"${wording.significant(value)}"


def rate_words(rate: Estimate) -> str:
    """Return a growth factor with its interval: 1.52× (1.31–1.74×)."""
    return f"{wording.times(rate.value)} ({span(rate)})"


def span(rate: Estimate) -> str:
    """Return the interval of a growth factor: 1.31–1.74×."""
    return wording.factors(rate.low, rate.high)


def share_words(share: float) -> str:
    """Return a share in whole percent: 63 %."""
    return wording.percent(round(share, 2))


def whose(settings: CostOfBandwidthSettings) -> str:
    """Return whose costs are shown, as in the middle of a sentence."""
    return "four makers" if settings.maker == ALL else MAKERS[settings.maker]


def lags(number: int) -> str:
    """Return a lag in words: the same quarter, one quarter later."""
    return ("in the same quarter", "a quarter later", "two quarters later", "three quarters later")[number]
