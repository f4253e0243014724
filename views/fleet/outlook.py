"""What all chips could compute by 2030 if shipments go on as they did, or if HBM or power limit them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.arrays import FloatArray
from analysis.fleet import DrawnSeries, balance, counted_by, growth, in_use, shipped
from analysis.fleet.outlook import QUARTERS, Range, by_power, by_supply, by_trend, mixed
from analysis.fleet.share import flop_in
from charts.chart import Bar, BarChart
from data import standing
from data.releases import Release
from views import wording
from views.axes import log_axis
from views.chips.shipments import ShipmentEstimates, counted
from views.fleet.frontier import of_years
from views.fleet.settings import NEVER, FleetSettings
from views.kept import kept
from views.result import Exhibit
from views.table import Getter, column, table

UNTIL = 2030
LAST_WINDOW = 2024
FROM = 2025
"""The last year whose shipments are known in all four quarters."""


@dataclass(frozen=True, kw_only=True)
class Limit:
    """What all chips compute by the end of 2030 under a limit, and the largest run; each (value, low, high)."""

    name: str
    flop_per_s: tuple[float, float, float]
    yearly_growth: tuple[float, float, float]
    run_flop: tuple[float, float, float]
    assumed: str


def _published(row_id: str) -> float:
    return float(standing.rows("published", "row_id")[row_id]["value"])


def _forecasts(*row_ids: str) -> Range:
    values = [_published(row_id) for row_id in row_ids]
    return Range(low=min(values), high=max(values))


@kept
def limits(release: Release, *, settings: FleetSettings) -> tuple[Limit, ...]:
    """Return the three limits; none where the parts of a release state too little.

    Each of the draws takes units, a window of the trend, a forecast of supply or of power, and the share of all chips'
    yearly FLOP that the largest run of one of the past years took, with the error of its compute.
    """
    years = of_years(release, settings)
    if not years:
        return ()
    flop, power = counted(release, "fp16"), counted(release, "power")
    both = set(flop.shipments.kind) & set(power.shipments.kind)
    if not both:
        return ()
    retired = None if settings.retire == NEVER else float(settings.retire)
    new = shipped(flop.shipments, flop.units)
    stock = in_use(flop.shipments, flop.units, retired_after_years=retired)
    windows: tuple[int, ...] = tuple(range(settings.since, LAST_WINDOW + 1))
    try:
        efficiency = _range([_efficiency(flop, power, since=since, retired=retired) for since in windows])
        fitted = {year: _of_makers_from(flop, year) for year in windows}
        trend = by_trend(new, fitted=fitted, until=UNTIL, retired_after_years=retired)
    except ValueError:
        return ()
    offered = _offered_for_hbm(new)
    supply, draw = _forecasts("p069", "p070"), _forecasts("p071", "p072")
    shares = mixed([share.drawn[:, 0] for _, _, share in years], draws=len(stock.total))
    level = int(settings.level) / 100
    found = (
        (
            "Trend of shipments",
            trend,
            f"shipments of a quarter go on as since one of {settings.since} to {LAST_WINDOW}"
            if len(windows) > 1
            else f"shipments of a quarter go on as since {settings.since}",
        ),
        (
            "HBM supply",
            by_supply(
                new, supply_growth=supply, offered_growth=offered, until=UNTIL, retired_after_years=retired
            ),
            f"HBM sales grow {_ends(supply)} a year, as suppliers expect; FLOP/s for a dollar of HBM {_ends(offered)}",
        ),
        (
            "Power",
            by_power(stock, power=draw, efficiency_growth=efficiency, until=UNTIL, years=UNTIL - FROM),
            f"power for AI is {_ends(draw)} that of {FROM} by {UNTIL}; FLOP/s per watt grow {_ends(efficiency)} a year",
        ),
    )
    return tuple(
        _limit(name, fleet, shares=shares, level=level, assumed=words) for name, fleet, words in found
    )


def _ends(found: Range) -> str:
    return wording.interval(wording.times(found.low), wording.times(found.high))


def _range(values: Sequence[float]) -> Range:
    return Range(low=min(values), high=max(values))


def _efficiency(
    flop: ShipmentEstimates, power: ShipmentEstimates, *, since: int, retired: float | None
) -> float:
    """Return the growth a year of what chips in use offer for each watt, of those whose parts state both."""

    def of_both(one: ShipmentEstimates, other: ShipmentEstimates) -> DrawnSeries:
        keep = np.array([kind in set(other.shipments.kind) for kind in one.shipments.kind])
        return in_use(one.shipments, one.units, retired_after_years=retired, keep=keep)

    ratio = balance(of_both(flop, power), of_both(power, flop))
    return growth(ratio, since=since, until=float(ratio.end_year[-1])).factor


def _of_makers_from(flop: ShipmentEstimates, year: int) -> DrawnSeries:
    """Return the shipments of the makers that are counted from the first quarter of a year on."""
    keep = counted_by(flop.shipments, year + 1 / QUARTERS)
    return shipped(flop.shipments, flop.units, keep=keep)


def _offered_for_hbm(new: DrawnSeries) -> Range:
    """Return how FLOP/s shipped for a dollar of HBM may go on: not at all, or as from 2024 to 2025."""
    supply: Any = standing.table("component_supply")
    year = supply["quarter"].str[:4].astype(int)
    per_usd = []
    for at in (FROM - 1, FROM):
        inside = (new.end_year > at + 1e-6) & (new.end_year <= at + 1 + 1e-6)
        per_usd.append(
            float(new.middle()[inside].sum()) / float(supply.loc[year == at, "hbm_supply_usd"].sum())
        )
    return _range([1.0, per_usd[1] / per_usd[0]])


def _limit(name: str, fleet: DrawnSeries, *, shares: FloatArray, level: float, assumed: str) -> Limit:
    end = fleet.total[:, -1]
    now = fleet.total[:, fleet.end_year <= FROM + 1 + 1e-6][:, -1]
    run = flop_in(fleet, UNTIL) * shares

    def ends(drawn: FloatArray) -> tuple[float, float, float]:
        low, middle, high = np.quantile(drawn[1:], [(1 - level) / 2, 0.5, (1 + level) / 2])
        return float(middle), float(low), float(high)

    return Limit(
        name=name,
        flop_per_s=ends(end),
        yearly_growth=ends((end / now) ** (1 / (UNTIL - FROM))),
        run_flop=ends(run),
        assumed=assumed,
    )


def outlook_exhibit(
    found: Sequence[Limit], settings: FleetSettings, *, known: tuple[str, float], source: str
) -> Exhibit:
    """Return the largest run that all chips could give by 2030, by limit, beside the largest ``known`` [FLOP]."""
    published = _published("p068")
    trend, *limiting = found
    tightest = min(limiting, key=_largest_run)
    title = (
        f"By {UNTIL} the largest run reaches {_flop(trend.run_flop[0])} on trend, {_flop(tightest.run_flop[0])} if HBM "
        "or power is the limit"
    )
    bars = (
        *(
            Bar(
                label=limit.name,
                value=limit.run_flop[0],
                low=limit.run_flop[1],
                high=limit.run_flop[2],
                text=_flop(limit.run_flop[0]),
                role="compute",
                emphasised=limit is tightest,
                detail=(limit.assumed, f"all chips grow {wording.times(limit.yearly_growth[0])} a year"),
            )
            for limit in sorted(found, key=_largest_run, reverse=True)
        ),
        Bar(
            label=f"Largest known so far: {known[0]}",
            value=known[1],
            text=_flop(known[1]),
            role="context",
        ),
        Bar(
            label="Published by Epoch AI, 2024",
            value=published,
            text=_flop(published),
            role="context",
            detail=("judged feasible with the power, chips, data and latency of 2030",),
        ),
    )
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=(
                "Compute of the largest run [FLOP] if it takes the share of a year of all chips that the largest known "
                f"of a past year took; {settings.level} % intervals, {_widths(found)}, mostly because the compute of "
                "those runs is uncertain; log scale."
            ),
            alt=f"{title}.",
            source=f"{source} Forecasts: SK hynix, Micron, IEA, EPRI and Epoch AI.",
            x=log_axis(
                f"Largest run by {UNTIL} [FLOP]",
                [end for bar in bars for end in (bar.low or bar.value, bar.high or bar.value)],
                word=wording.power_of_ten,
            ),
            base=0.0,
            dots=True,
            bars=bars,
        ),
        table=table(
            (
                column("limit", lambda limit: limit.name, label="Limit", kind="text"),
                *_columns("flop_per_s", label=f"All chips, end of {UNTIL}", unit="FLOP/s"),
                *_columns("run_flop", label=f"Largest run by {UNTIL}", unit="FLOP"),
                column("yearly_growth", lambda limit: limit.yearly_growth[0], label="Growth", unit="x/year"),
                column("low", lambda limit: limit.yearly_growth[1], label="Growth, low", unit="x/year"),
                column("high", lambda limit: limit.yearly_growth[2], label="Growth, high", unit="x/year"),
                column("assumed", lambda limit: limit.assumed, label="Assumed", kind="text", wide=420),
            ),
            found,
        ),
    )


def _widths(found: Sequence[Limit]) -> str:
    """Return how wide the intervals of the run are: a factor of 580 to 760 wide."""
    wide = [limit.run_flop[2] / limit.run_flop[1] for limit in found]
    ends = [wording.significant(end) for end in (min(wide), max(wide))]
    return f"a factor of {wording.interval(*ends)} wide"


def _largest_run(limit: Limit) -> float:
    return limit.run_flop[0]


def _columns(name: str, *, label: str, unit: str) -> Iterator[Getter[Limit]]:
    def cell(place: int) -> Callable[[Limit], float]:
        return lambda limit: getattr(limit, name)[place]

    return (
        column(f"{name}{end}", cell(place), label=f"{label}{said}", unit=unit, kind="scientific")
        for place, (end, said) in enumerate((("", ""), ("_low", ", low"), ("_high", ", high")))
    )


def _flop(value: float) -> str:
    return f"{wording.power_of_ten(value, 1)} FLOP"
