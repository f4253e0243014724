"""Results for the settings: unit costs, their growth, alternative choices, and prices."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from analysis.arrays import FloatArray
from analysis.cost_of_bandwidth import FEWEST_QUARTERS, at_both, growth, least_and_most
from analysis.fleet import DrawnSeries, balance
from analysis.intervals import Estimate
from charts.chart import Role
from data.releases import Release
from views import wording
from views.cost_of_bandwidth.inputs import unit_cost
from views.cost_of_bandwidth.settings import ALL, LONGEST_LAG, MAKERS, PER, CostOfBandwidthSettings


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A quantity whose cost is shown: its name, unit and colour."""

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
    """Return a quantity's counterpart: bandwidth for compute, and compute for any other quantity."""
    return "bandwidth" if per == "compute" else "compute"


def dollars(value: float) -> str:
    """Return an amount of dollars as text with two significant digits: $750, $24, $1,100."""
    return f"${wording.significant(value)}"


def rounded(rate: float) -> str:
    """Return a growth factor as text with two significant digits, all that a few quarters support: 1.7×."""
    return f"{wording.significant(rate)}×"


def rounded_span(*rates: float) -> str:
    """Return the range of growth factors as text, with two significant digits each: 1.4–2.1×."""
    return wording.interval(rounded(min(rates)), rounded(max(rates)))


def whose(settings: CostOfBandwidthSettings) -> str:
    """Return the vendors whose costs are shown, as text for use in a sentence."""
    return "four vendors" if settings.maker == ALL else MAKERS[settings.maker]


def lags(number: int) -> str:
    """Return a lag in quarters as text, such as "in the same quarter" or "a quarter later"."""
    return ("in the same quarter", "a quarter later", "two quarters later", "three quarters later")[number]


LAGS = range(LONGEST_LAG + 1)
COSTS = {"own": "Memory or logic only", "packaged": "Memory with packaging", "whole": "All parts of the chip"}
SAME_SINCE = 2024.75
"""Start of the shipments with known costs at every lag, Q4 2024. [decimal year]"""


@dataclass(frozen=True, kw_only=True)
class Case:
    """A named choice, with the yearly growth of the ratio of a unit's cost to the counterpart's cost."""

    label: str
    gap: Estimate
    quarters: int
    of_lag: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class CostAnswer:
    """Cost of one unit, such as one TB/s, under the settings, from a release's data sheets."""

    settings: CostOfBandwidthSettings
    release: Release

    @property
    def level(self) -> float:
        """Return the level of all intervals, such as 0.9."""
        return int(self.settings.level) / 100

    @property
    def pers(self) -> tuple[str, str]:
        """Return the options that stand for the quantity and its counterpart."""
        return self.settings.per, against(self.settings.per)

    @property
    def quantity(self) -> Quantity:
        """Return the quantity whose cost is shown."""
        return QUANTITIES[self.settings.per]

    @property
    def beside(self) -> Quantity:
        """Return the counterpart of the quantity whose cost is shown."""
        return QUANTITIES[against(self.settings.per)]

    def cost(self, per: str = "", *, late_h200: bool = False, **changes: Any) -> DrawnSeries:
        """Return a unit's cost by quarter of shipment, with some settings changed. [USD per base unit]"""
        case = replace(self.settings, **changes)
        return unit_cost(self.release, case, per=per or case.per, late_h200=late_h200)

    @cached_property
    def own(self) -> DrawnSeries:
        """Return a unit's cost by quarter of shipment. [USD per base unit]"""
        return self.cost()

    @cached_property
    def rate(self) -> Estimate:
        """Return the yearly growth of a unit's cost. Raises ValueError for too few quarters."""
        return growth(self.own, level=self.level)

    @cached_property
    def other(self) -> DrawnSeries | None:
        """Return the counterpart's cost. None if that cost is not known for every quarter of the unit's cost."""
        other = self.cost(against(self.settings.per))
        return other if other.end_year.tolist() == self.own.end_year.tolist() else None

    @cached_property
    def other_rate(self) -> Estimate | None:
        """Return the yearly growth of the counterpart's cost. None if that cost is unknown."""
        return growth(self.other, level=self.level) if self.other else None

    @cached_property
    def gap(self) -> Estimate | None:
        """Return the yearly growth of the ratio of the two costs. None if the counterpart's cost is unknown."""
        return growth(balance(self.own, self.other), level=self.level) if self.other else None

    @cached_property
    def lagged(self) -> tuple[DrawnSeries, ...]:
        """Return a unit's cost under each lag, starting with lag 0."""
        return tuple(self.cost(lag=lag) for lag in LAGS)

    @cached_property
    def by_lag(self) -> tuple[FloatArray, FloatArray]:
        """Return a unit's lowest and highest cost under any lag, by quarter. [USD]"""
        least, most = least_and_most(self.own, self.lagged)
        return self.quantity.size * least, self.quantity.size * most

    @cached_property
    def lagged_rates(self) -> tuple[float, ...]:
        """Return the yearly growth of a unit's cost under each lag with enough quarters. [1]"""
        rates = []
        for cost in self.lagged:
            with suppress(ValueError):
                rates.append(growth(cost, level=self.level).value)
        return tuple(rates)

    @cached_property
    def other_vendors(self) -> dict[str, float]:
        """Return the yearly growth of a unit's cost for other vendors. [1]"""
        own = whose(self.settings)
        others = {name: self.cost(maker=word) for word, name in MAKERS.items() if name != own}
        return {
            name: growth(cost).value for name, cost in others.items() if len(cost.end_year) >= FEWEST_QUARTERS
        }

    @cached_property
    def capacity(self) -> DrawnSeries | None:
        """Return the memory bought per byte/s of bandwidth, by quarter. None unless the cost is for bandwidth. [s]"""
        if self.settings.per != "bandwidth":
            return None
        return balance(*at_both(self.own, self.cost("memory")))

    @property
    def chosen(self) -> str:
        """Return the label of the case with unchanged settings."""
        return f"As chosen: {whose(self.settings)}, {lags(self.settings.lag)}"

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """Return the case under the chosen settings, and the case of every other choice with enough quarters."""
        return tuple(filter(None, self._cases()))

    def _cases(self) -> Iterator[Case | None]:
        settings = self.settings
        yield self._case(self.chosen, of_lag=True)
        for lag in LAGS:
            if lag != settings.lag:
                yield self._case(f"Shipped {lags(lag)}", of_lag=True, lag=lag)
        yield self._case("Only chips shipped from Q4 2024", since=SAME_SINCE)
        if settings.cost != "whole":
            yield self._case("Logic used a quarter before HBM", logic_before=1)
        if settings.maker in {"nvidia", ALL}:
            yield self._case("If all H100s from Q4 2024 were H200s", late_h200=True)
        for word, label in COSTS.items():
            if word != settings.cost:
                yield self._case(label, cost=word)
        for word, (label, _) in PER.items():
            if word not in self.pers:
                yield self._case(f"Per {label}", per=word)
        other, bits = ("fp8", 8) if settings.precision == "fp16" else ("fp16", 16)
        yield self._case(f"FLOP/s at {bits} bits", precision=other)
        for word, label in {**MAKERS, ALL: "All four vendors"}.items():
            if word != settings.maker:
                yield self._case(label, maker=word)

    def _case(
        self,
        label: str,
        *,
        since: float = 0.0,
        logic_before: int = 0,
        late_h200: bool = False,
        of_lag: bool = False,
        **changes: Any,
    ) -> Case | None:
        """Return the case with changed settings. None if too few quarters are known."""
        case = replace(self, settings=replace(self.settings, **changes))

        def side(per: str) -> DrawnSeries:
            lag = case.settings.lag + logic_before * (per == "compute")
            return case.cost(per, lag=lag, late_h200=late_h200)

        own, other = at_both(*map(side, case.pers))
        if not len(own.end_year):
            return None
        with suppress(ValueError):
            return Case(
                label=label,
                gap=growth(balance(own, other), level=self.level, since=since),
                quarters=own.quarters_after(since),
                of_lag=of_lag,
            )
        return None
