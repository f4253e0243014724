"""Results for the settings: frontiers, the best accelerator, and its price after changes and in later years."""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median
from typing import Any

from analysis.arrays import BoolArray, FloatArray
from analysis.cost import SERVER_POWER
from analysis.cost_of_tokens.candidates import Candidates
from analysis.cost_of_tokens.frontier import Frontier, frontiers, least_usd
from analysis.cost_of_tokens.later import LaterCost, Successors, successors
from analysis.cost_of_tokens.list_prices import ListPrice, list_prices
from analysis.cost_of_tokens.measured_prices import MeasuredPrices, full_load, measured_prices, points_like
from analysis.cost_of_tokens.sweep import Terms, swept
from analysis.intervals import Estimate, chance_below, product_bounds
from analysis.model.architecture import Architecture
from analysis.serving.tables import model
from analysis.serving.times import by_name
from data import standing
from data.by_release import kept_by_release
from data.releases import load
from views import wording
from views.chips import rents
from views.chips.rows import chip_growths
from views.cost_of_tokens.inputs import YEARS, Inputs, Place, alike, built, in_year, inputs_of, work_of
from views.cost_of_tokens.settings import BEST, ON_DEMAND, TODAY, CostOfTokensSettings


@kept_by_release(4)
def _watts(release: str) -> dict[str, float]:
    rows: Any = load(release).accelerators
    return {row["name"]: float(row["power_w"]) for row in rows.to_dict("records")}


def terms_of(settings: CostOfTokensSettings) -> Terms:
    """Return the requirements for a price: speed, time to first token and utilization."""
    return Terms(speed=float(settings.speed), first_s=settings.wait, utilization=settings.utilization / 100)


@dataclass(frozen=True, kw_only=True)
class Served:
    """An accelerator at the chosen speed: price, throughput, efficiency and rent. [USD, 1/s, 1/J, USD/h]

    ``why_not`` states why the accelerator cannot be in the headline; it is empty if it can.
    """

    place: Place
    usd: float
    low: float
    high: float
    tokens_per_s: float
    tokens_per_j: float
    tokens_per_kj: float
    rent: Estimate
    first_s: float
    why_not: str


@dataclass(frozen=True, kw_only=True, eq=False)
class PriceAnswer:
    """Cost of a million tokens under the settings, from a frozen release."""

    settings: CostOfTokensSettings
    release: str

    @cached_property
    def inputs(self) -> Inputs:
        """Return the accelerators to rent and the workload."""
        return inputs_of(self.settings, self.release)

    @cached_property
    def frontiers(self) -> tuple[Frontier, ...]:
        """Return the frontiers of the chosen year, starting with the cheapest at the chosen speed."""
        inputs, settings = self.inputs, self.settings
        if inputs.tried is None:
            return ()
        engine = "" if settings.engine == BEST else settings.engine
        measured = self.measured(self.comparable(first_s=settings.wait, engine=engine))
        return frontiers(
            inputs.tried,
            model(),
            terms=self.terms,
            first=frozenset(name for name, place in inputs.places.items() if place.tier),
            measured=measured.cheapest(inputs.places),
            level=self.level,
        )

    @property
    def terms(self) -> Terms:
        """Return the requirements under which all prices are computed."""
        return terms_of(self.settings)

    @property
    def level(self) -> float:
        """Return the level of all intervals, such as 0.9."""
        return int(self.settings.level) / 100

    @property
    def of_today(self) -> bool:
        """Return whether prices are today's, not a later year's."""
        return self.settings.year == str(TODAY)

    def comparable(self, **limits: Any) -> BoolArray:
        """Return a mask of the measured points that are comparable with the work in the settings."""
        settings, places = self.settings, self.inputs.places.values()
        makers = {place.rented.chip.maker for place in places}
        if not self.of_today or settings.drafts or settings.cached:
            makers = set()
        return points_like(
            formats={maker: work_of(settings, vendor=maker).format_name for maker in makers},
            work=work_of(settings, vendor=""),
            **limits,
        )

    def measured(self, keep: BoolArray) -> MeasuredPrices:
        """Return the model's measured points that a mask selects, priced at the rents of their accelerators."""
        return measured_prices(
            keep,
            models=alike(self.settings.model),
            rents={name: place.listed.middle for name, place in self.inputs.places.items()},
            utilization=self.terms.utilization,
        )

    @property
    def full_load(self) -> float:
        """Return the most tokens a second measured on the best accelerator. 0 if none were measured. [1/s]"""
        chip = self.leader.place.rented.chip
        work = work_of(self.settings, vendor=chip.maker)
        return full_load(alike(self.settings.model), chip.name, work=work)

    @cached_property
    def fits(self) -> bool:
        """Return whether at least one candidate has enough memory for model and request. Response times are ignored."""
        tried, terms = self.inputs.tried, replace(self.terms, first_s=math.inf)
        return tried is not None and bool(swept(tried, by_name(model().factors), terms=terms).possible.any())

    @cached_property
    def fast_enough(self) -> tuple[Frontier, ...]:
        """Return the frontiers that reach the chosen speed."""
        return tuple(one for one in self.frontiers if one.usd_at(self.terms.speed)[0] < math.inf)

    @cached_property
    def best(self) -> Frontier | None:
        """Return the cheapest frontier that was measured in the chosen format and has several providers.

        If there is none, return one measured in another format, or else the cheapest.
        """
        return max(self.fast_enough, key=lambda one: self.place(one).tier, default=None)

    @property
    def leading(self) -> Frontier:
        """Return the best frontier. It must exist for this property and for those derived from it."""
        assert self.best is not None
        return self.best

    @property
    def leader(self) -> Served:
        """Return the best accelerator at the chosen speed."""
        return self.served[self.leading.accelerator]

    def why_not(self, frontier: Frontier) -> str:
        """Return why an accelerator is not in the headline: "not measured", "other format measured" or "rented by few".

        The text is empty if it is measured and rented as well as the headline's.
        """
        place = self.place(frontier)
        if place.tier >= (1 if self.best is None else max(self.place(self.best).tier, 1)):
            return ""
        if place.points:
            return "rented by few"
        return "other format measured" if place.other_points else "not measured"

    @cached_property
    def cheaper(self) -> tuple[Frontier, ...]:
        """Return the frontiers cheaper than the best one. They are unmeasured or have few providers."""
        return self.fast_enough[: self.fast_enough.index(self.best)] if self.best is not None else ()

    @cached_property
    def runner_up(self) -> Served | None:
        """Return the next accelerator with equally good evidence, by price. None if there is none."""
        return next((one for one in self.served.values() if one is not self.leader and not one.why_not), None)

    @property
    def chance(self) -> float:
        """Return the probability that the best accelerator is cheaper than the runner-up, which must exist. [1]"""
        assert self.runner_up is not None
        both = (Estimate(value=one.usd, low=one.low, high=one.high) for one in (self.leader, self.runner_up))
        return chance_below(*both, level=self.level)

    def place(self, frontier: Frontier) -> Place:
        """Return the accelerator of a frontier."""
        return self.inputs.places[frontier.accelerator]

    @cached_property
    def served(self) -> dict[str, Served]:
        """Return the accelerators that reach the chosen speed. Power includes a share of the server under load."""
        return {one.accelerator: self._served(one) for one in self.fast_enough}

    def priced(self, frontier: Frontier, *, speed: float) -> tuple[float, float, float]:
        """Return the price at a speed, with bounds from the speed's error and the spread of rents. [USD]"""
        price, low, high = frontier.usd_at(speed)
        if not math.isfinite(price):
            return price, low, high
        below, above = product_bounds(
            (low / price, high / price), self.place(frontier).listed.spread(self.level)
        )
        return price, price * below, price * above

    def _served(self, frontier: Frontier) -> Served:
        place, at = self.place(frontier), frontier.place_of(self.terms.speed)
        price, low, high = self.priced(frontier, speed=self.terms.speed)
        rent = float(frontier.at.usd_per_hour[at])
        rate = rent * 1e6 / (3600 * price * self.terms.utilization)
        watt = SERVER_POWER * _watts(self.release).get(frontier.accelerator, math.nan) * self.settings.pue
        scale, listed = rent / place.listed.middle, place.listed
        return Served(
            place=place,
            usd=price,
            low=low,
            high=high,
            tokens_per_s=rate,
            tokens_per_j=rate / watt,
            tokens_per_kj=1000 * rate / watt,
            rent=Estimate(value=rent, low=scale * listed.low, high=scale * listed.high),
            first_s=float(frontier.first_s[at]),
            why_not=self.why_not(frontier),
        )

    def candidates(self, settings: CostOfTokensSettings, *, shape: Architecture | None = None) -> Candidates:
        """Return ways to serve the model on the best accelerator with other settings."""
        today = built(settings, [self.place(self.leading)], shape=shape)
        return in_year(settings, self.release, today=today)

    @cached_property
    def list_prices(self) -> dict[ListPrice, float]:
        """Return the workload's price at each list price for the model today. [USD]

        Prices are per million output tokens.
        """
        work = work_of(self.settings, vendor="")
        listed = list_prices(standing.rows("token_prices", "row_id").values(), model=self.inputs.model)
        return {price: price.usd_per_million(work) for price in listed}

    @property
    def to_reserved(self) -> float:
        """Return the median ratio of reserved to on-demand rents. 1 if rents are reserved or no ratio is known. [1]"""
        shares = rents.contract_shares(self.release)
        return median(shares) if shares and self.settings.contract == ON_DEMAND else 1.0

    def price(self, *, shape: Architecture | None = None, one_request: bool = False, **changes: Any) -> float:
        """Return the lowest price on the best accelerator with some settings changed. [USD]

        The factor ``anchor`` scales it, so that unchanged settings give the headline's price.
        """
        return self.anchor * self._price(shape=shape, one_request=one_request, **changes)

    @cached_property
    def anchor(self) -> float:
        """Return the ratio of the headline's price to the lowest price of the swept plans. [1]"""
        own = self._price()
        return self.leader.usd / own if math.isfinite(own) else 1.0

    def _price(
        self, *, shape: Architecture | None = None, one_request: bool = False, **changes: Any
    ) -> float:
        settings = replace(self.settings, **changes)
        tried, factors = self.candidates(settings, shape=shape), by_name(model().factors)
        terms = terms_of(settings)
        return least_usd(tried, self.leading, factors=factors, terms=terms, one_request=one_request)

    @cached_property
    def successors(self) -> Successors:
        """Return prices on the best accelerator and its successors at today's rents."""
        today = self.inputs.today
        assert today is not None
        by_year = successors(
            today.at(today.of(self.leading.accelerator)),
            self.leading,
            factors=by_name(model().factors),
            trend=chip_growths(self.release),
            newer=rents.newer(self.release),
            listed=self.leader.place.listed,
            years=YEARS,
            terms=self.terms,
        )
        rate = rents.rate(self.release, self.settings.rents)
        return by_year.anchored(self.leader.usd, at=int(self.settings.year) - TODAY, rate=rate)

    @cached_property
    def later(self) -> dict[str, LaterCost]:
        """Return the price in each year, keyed by scenario of rents."""
        return {name: self.successors.cost(rents.rate(self.release, name)) for name in rents.RENTS}

    @cached_property
    def later_ends(self) -> dict[str, tuple[FloatArray, FloatArray]]:
        """Return the price interval in each year, keyed by scenario of rents. [USD]

        In the headline's year it is the headline's: draws have one deployment's error, the headline that of its point.
        """
        at, one, chosen = int(self.settings.year) - TODAY, self.leader, self.settings.rents
        stretch = self.later[chosen].stretch(self.level, at=at, low=one.low, high=one.high)
        ends_by = {name: cost.interval(self.level, stretch=stretch) for name, cost in self.later.items()}
        for low, high in ends_by.values() if at == 0 else (ends_by[chosen],):
            low[at], high[at] = one.low, one.high
        return ends_by

    @property
    def wanted_usd(self) -> float:
        """Return the target price, by default half of today's. [USD]"""
        return self.settings.price or float(self.later[self.settings.rents].middle[0]) / 2


def usd(value: float) -> str:
    """Return a price as text: $0.13, $1.16, $25, $1,300. An infinite price is "not possible"."""
    if not math.isfinite(value):
        return "not possible"
    if value >= 1e6:
        return f"${wording.multiple(value).removesuffix(' ×')}"
    if 1 <= value < 9.995:
        return f"${value:.2f}"
    return f"${wording.significant(value, 3 if value >= 100 else 2)}"


def between(low: float, high: float) -> str:
    """Return a price range as text: $0.72–$2.25, or "$5 or more" if it has no upper bound."""
    if not math.isfinite(low):
        return "possibly at no price"
    return f"{usd(low)} or more" if not math.isfinite(high) else wording.interval(usd(low), usd(high))
