"""The key figures: what a unit costs, how fast that grows, and how fast it outgrows the cost of compute."""

from analysis.fleet import DrawnSeries, FleetGrowth
from views import wording
from views.cost_of_bandwidth.settings import CostOfBandwidthSettings
from views.cost_of_bandwidth.words import NAMES, UNITS, dollars
from views.result import Figure

METHOD = "component costs over units shipped (Epoch AI) times data-sheet figures"


def cost_figure(
    of: DrawnSeries, settings: CostOfBandwidthSettings, *, per: str, name: str, key: bool = True
) -> Figure:
    """Return what a unit costs in the last quarter."""
    size, unit = UNITS[per]
    level = int(settings.level) / 100
    low, high = (size * float(end[-1]) for end in of.interval(level))
    now = size * float(of.middle()[-1])
    return Figure(
        name=name,
        label=f"Per {unit}, {wording.quarter(float(of.end_year[-1]))}",
        value=now,
        unit=f"USD per {unit}",
        text=f"{dollars(now)} per {unit}",
        low=low,
        high=high,
        level=level,
        interval_text=wording.at_level(level, low=dollars(low), high=dollars(high)),
        method=METHOD,
        n=len(of.end_year),
        key=key,
    )


def growth_figure(
    found: FleetGrowth, settings: CostOfBandwidthSettings, *, name: str, label: str, n: int, key: bool = True
) -> Figure:
    """Return growth a year."""
    level = int(settings.level) / 100
    return Figure(
        name=name,
        label=label,
        value=found.factor,
        unit="x/year",
        text=f"{wording.times(found.factor)} a year",
        low=found.low,
        high=found.high,
        level=level,
        interval_text=wording.at_level(level, low=wording.times(found.low), high=wording.times(found.high)),
        method=f"least squares on log10 over {n} quarters, quarters resampled; {METHOD}",
        n=n,
        key=key,
    )


def share_figure(
    of: DrawnSeries, settings: CostOfBandwidthSettings, *, name: str, label: str, at: int = -1
) -> Figure:
    """Return a share in one quarter, the last unless told otherwise."""
    level = int(settings.level) / 100
    low, high = (float(end[at]) for end in of.interval(level))
    value = float(of.middle()[at])
    return Figure(
        name=name,
        label=f"{label}, {wording.quarter(float(of.end_year[at]))}",
        value=value,
        unit="1",
        text=wording.percent(round(value, 2)),
        low=low,
        high=high,
        level=level,
        interval_text=wording.at_level(
            level, low=wording.percent(round(low, 2)), high=wording.percent(round(high, 2))
        ),
        method="component costs of four makers (Epoch AI)",
        key=False,
    )


def label_of_growth(per: str) -> str:
    """Return what a rate of a quantity is called."""
    return f"Cost of {wording.small_initial(NAMES[per])}"
