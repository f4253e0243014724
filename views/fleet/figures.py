"""The key figures: what there is, how fast it grows, and how much compute there is for each byte."""

from analysis.fleet import DrawnSeries, FleetGrowth
from views import wording
from views.exhibits import estimate_figure, growth_figure
from views.fleet.settings import FleetSettings
from views.fleet.words import UNITS, amount
from views.result import Figure

METHOD = "units of Epoch AI times data-sheet figures"


def _level(settings: FleetSettings) -> float:
    return int(settings.level) / 100


def _last_interval(of: DrawnSeries, level: float) -> tuple[float, float]:
    low, high = of.interval(level)
    return float(low[-1]), float(high[-1])


def total_figure(total: DrawnSeries, settings: FleetSettings) -> Figure:
    """Return what there is in the last quarter."""
    what = "In use" if settings.count == "in-use" else "Shipped"
    return estimate_figure(
        "total",
        value=float(total.middle()[-1]),
        interval=_last_interval(total, _level(settings)),
        label=f"{what}, {wording.quarter(float(total.end_year[-1]))}",
        unit=UNITS[settings.offers],
        level=_level(settings),
        word=lambda value: amount(value, settings.offers),
        method=METHOD,
    )


def yearly_figure(growth: FleetGrowth, settings: FleetSettings, *, name: str, label: str) -> Figure:
    """Return growth a year."""
    return growth_figure(
        name,
        yearly_growth=growth.factor,
        interval=(growth.low, growth.high),
        label=label,
        level=_level(settings),
        method=f"least squares on log10 over quarters since {settings.since}; {METHOD}",
    )


def last_year_figure(growth: FleetGrowth, settings: FleetSettings) -> Figure:
    """Return the last quarter over that of a year before, of all makers."""
    return growth_figure(
        "growth_last_year",
        yearly_growth=growth.factor,
        interval=(growth.low, growth.high),
        label="Over a year earlier, all makers",
        level=_level(settings),
        text=wording.times(growth.factor),
        method=f"last quarter over that of a year before; {METHOD}",
        key=False,
    )


def balance_figure(ratio: DrawnSeries, settings: FleetSettings) -> Figure:
    """Return how many FLOP at 16 bits there are for each byte of all chips together."""
    now = float(ratio.middle()[-1])
    return estimate_figure(
        "balance",
        value=now,
        interval=_last_interval(ratio, _level(settings)),
        label="FLOP per byte, all chips",
        unit="FLOP/byte",
        level=_level(settings),
        word=lambda value: wording.significant(value, 3),
        text=f"{wording.significant(now, 3)} FLOP/byte",
        method=f"sum of dense 16-bit FLOP/s over sum of bandwidth; {METHOD}",
    )
