"""The key figures: what there is, how fast it grows, and how much compute there is for each byte."""

from analysis.fleet import Fleet, FleetGrowth
from views import wording
from views.fleet.settings import FleetSettings
from views.fleet.words import UNITS, amount
from views.result import Figure

METHOD = "units of Epoch AI times data-sheet figures"


def total_figure(total: Fleet, settings: FleetSettings) -> Figure:
    """Return what there is in the last quarter."""
    level = int(settings.level) / 100
    low, high = (float(end[-1]) for end in total.interval(level))
    now = float(total.middle()[-1])
    what = "In use" if settings.count == "in-use" else "Shipped"
    return Figure(
        name="total",
        label=f"{what}, {wording.quarter(float(total.end_year[-1]))}",
        value=now,
        unit=UNITS[settings.offers],
        text=amount(now, settings.offers),
        low=low,
        high=high,
        level=level,
        interval_text=wording.at_level(
            level, low=amount(low, settings.offers), high=amount(high, settings.offers)
        ),
        method=METHOD,
    )


def growth_figure(found: FleetGrowth, settings: FleetSettings, *, name: str, label: str) -> Figure:
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
        method=f"least squares on log10 over quarters since {settings.since}; {METHOD}",
    )


def last_year_figure(found: FleetGrowth, settings: FleetSettings) -> Figure:
    """Return the last quarter over that of a year before, of all makers."""
    level = int(settings.level) / 100
    return Figure(
        name="growth_last_year",
        label="Over a year earlier, all makers",
        value=found.factor,
        unit="x/year",
        text=wording.times(found.factor),
        low=found.low,
        high=found.high,
        level=level,
        interval_text=wording.at_level(level, low=wording.times(found.low), high=wording.times(found.high)),
        method=f"last quarter over that of a year before; {METHOD}",
        key=False,
    )


def balance_figure(ratio: Fleet, settings: FleetSettings) -> Figure:
    """Return how many FLOP at 16 bits there are for each byte of all chips together."""
    level = int(settings.level) / 100
    low, high = (float(end[-1]) for end in ratio.interval(level))
    now = float(ratio.middle()[-1])
    return Figure(
        name="balance",
        label="FLOP per byte, all chips",
        value=now,
        unit="FLOP/byte",
        text=f"{wording.significant(now, 3)} FLOP/byte",
        low=low,
        high=high,
        level=level,
        interval_text=wording.at_level(
            level, low=wording.significant(low, 3), high=wording.significant(high, 3)
        ),
        method=f"sum of dense 16-bit FLOP/s over sum of bandwidth; {METHOD}",
    )
