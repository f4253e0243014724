"""What the settings find: frontiers, the accelerator that carries the headline, its price otherwise and later."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from analysis.cost_of_tokens.answers import shifted
from analysis.cost_of_tokens.candidates import Candidates
from analysis.cost_of_tokens.frontier import Frontier, fixed, frontiers
from analysis.cost_of_tokens.later import LaterCost, Successors, successors
from analysis.cost_of_tokens.sweep import swept, usd_at_speed
from analysis.model.architecture import Architecture
from analysis.serving.factors import by_name
from analysis.serving.tables import model
from data.by_release import kept_by_release
from data.releases import load
from views.chips import rents
from views.chips.growths import chip_growths
from views.cost_of_tokens.inputs import YEARS, Inputs, Place, built, in_year, inputs_of
from views.cost_of_tokens.measured_points import measured_best
from views.cost_of_tokens.settings import TODAY, CostOfTokensSettings

SERVER_POWER = 1.5
"""Power of an accelerator with its share of the server over its own: NVIDIA DGX H100, 10.2 kW for eight of 700 W."""


@kept_by_release(4)
def _watts(release: str) -> dict[str, float]:
    rows: Any = load(release).accelerators
    return {row["name"]: float(row["power_w"]) for row in rows.to_dict("records")}


@dataclass(frozen=True, kw_only=True)
class Served:
    """An accelerator at the speed: price with its interval, tokens a second and a joule, rent. [USD, 1/s, 1/J, USD/h]

    ``why_not`` says why it does not carry the headline, empty where it may.
    """

    short: str
    usd: float
    low: float
    high: float
    tokens_per_s: float
    tokens_per_j: float
    rent_usd_per_hour: float
    rent_low: float
    rent_high: float
    providers: int
    points: int
    first_s: float
    why_not: str


@dataclass(frozen=True, kw_only=True, eq=False)
class PriceAnswer:
    """What a million tokens cost under the settings, on a frozen release."""

    settings: CostOfTokensSettings
    release: str

    @cached_property
    def inputs(self) -> Inputs:
        """Return the accelerators for rent and the work."""
        return inputs_of(self.settings, self.release)

    @cached_property
    def frontiers(self) -> tuple[Frontier, ...]:
        """Return the frontiers of the year, the cheapest at the speed first."""
        inputs = self.inputs
        if inputs.tried is None:
            return ()
        return frontiers(
            inputs.tried,
            model(),
            **self.limits,
            speed=self.speed,
            first=frozenset(name for name, place in inputs.places.items() if place.tier),
            measured=measured_best(self.settings, inputs),
            level=self.level,
        )

    @property
    def speed(self) -> float:
        """Return the speed of the settings. [tokens/s]"""
        return float(self.settings.speed)

    @property
    def level(self) -> float:
        """Return the level of every interval, such as 0.9."""
        return int(self.settings.level) / 100

    @property
    def limits(self) -> dict[str, float]:
        """Return what every price is computed under: wait for the first token [s] and utilization."""
        return {"first_s": self.settings.wait, "utilization": self.settings.utilization / 100}

    @cached_property
    def fits(self) -> bool:
        """Return whether any accelerator's memory holds the model and a request, however long the first token takes."""
        tried = self.inputs.tried
        if tried is None:
            return False
        ever = swept(tried, by_name(model().factors), first_s=float("inf"), utilization=1.0)
        return bool(ever.possible.any())

    @cached_property
    def fast_enough(self) -> tuple[Frontier, ...]:
        """Return the frontiers that reach the speed."""
        return tuple(one for one in self.frontiers if one.usd_at(self.speed)[0] < float("inf"))

    @cached_property
    def best(self) -> Frontier | None:
        """Return the cheapest of those measured with the model in the format and rented by several.

        Where there is none, of those measured in another format; else the cheapest there is.
        """
        return max(self.fast_enough, key=lambda one: self.place(one).tier, default=None)

    @property
    def leader(self) -> Served:
        """Return the best accelerator at the speed; only where there is one."""
        assert self.best is not None
        return self.served[self.best.accelerator]

    def known(self, frontier: Frontier) -> bool:
        """Return whether an accelerator is as well measured and rented as that of the headline, and is so at all."""
        least = 1 if self.best is None else max(self.place(self.best).tier, 1)
        return self.place(frontier).tier >= least

    def why_not(self, frontier: Frontier) -> str:
        """Return why an accelerator does not carry the headline, empty where it may."""
        place = self.place(frontier)
        if self.known(frontier):
            return ""
        if place.points:
            return "rented by few"
        return "other format measured" if place.other_points else "not measured"

    @cached_property
    def cheaper(self) -> tuple[Frontier, ...]:
        """Return those that would be cheaper by the model alone, or by rents of few providers."""
        return self.fast_enough[: self.fast_enough.index(self.best)] if self.best is not None else ()

    def place(self, frontier: Frontier) -> Place:
        """Return the accelerator of a frontier."""
        return self.inputs.places[frontier.accelerator]

    @cached_property
    def served(self) -> dict[str, Served]:
        """Return the accelerators that reach the speed, by name; power is that of chip and server while they work."""
        return {one.accelerator: self._served(one) for one in self.fast_enough}

    def _served(self, frontier: Frontier) -> Served:
        place, at = self.place(frontier), frontier.place_of(self.speed)
        price, low, high = frontier.usd_at(self.speed)
        rent = float(frontier.at.usd_per_hour[at])
        rate = rent * 1e6 / (3600 * price * self.limits["utilization"])
        watt = SERVER_POWER * _watts(self.release).get(frontier.accelerator, np.nan) * self.settings.pue
        scale = rent / place.listed.middle
        return Served(
            short=place.short,
            usd=price,
            low=low,
            high=high,
            tokens_per_s=rate,
            tokens_per_j=rate / watt,
            rent_usd_per_hour=rent,
            rent_low=scale * place.listed.low,
            rent_high=scale * place.listed.high,
            providers=place.listed.providers,
            points=place.points,
            first_s=float(frontier.first_s[at]),
            why_not=self.why_not(frontier),
        )

    def candidates(
        self, settings: CostOfTokensSettings, *, shape: Architecture | None = None
    ) -> Candidates | None:
        """Return the candidates of the best accelerator under other settings; None without one."""
        if self.best is None:
            return None
        name = self.best.accelerator
        today = built(settings, {name: self.inputs.places[name]}, shape=shape)
        return None if today is None else in_year(settings, self.release, today=today)

    def price(
        self, *, shape: Architecture | None = None, one_request: bool = False, **changes: object
    ) -> float:
        """Return the least price on the best accelerator with settings changed, corrected as at its speed. [USD]

        With the settings chosen it is the price of the headline: all are scaled by one factor to that.
        """
        return self.anchor * self._price(shape=shape, one_request=one_request, **changes)

    @cached_property
    def anchor(self) -> float:
        """Return the headline's price over that of the swept plans, which have one deployment's correction. [1]"""
        own = self._price()
        if self.best is None or not np.isfinite(own):
            return 1.0
        return self.best.usd_at(self.speed)[0] / own

    def _price(
        self, *, shape: Architecture | None = None, one_request: bool = False, **changes: object
    ) -> float:
        settings = replace(self.settings, **changes)  # type: ignore[arg-type]
        tried = self.candidates(settings, shape=shape)
        if tried is None or self.best is None:
            return float("inf")
        plans = shifted(
            tried,
            self.best,
            factors=by_name(model().factors),
            speed=float(settings.speed),
            first_s=settings.wait,
            utilization=settings.utilization / 100,
        )
        if one_request:
            return float(plans.usd[0].min())
        return float(usd_at_speed(plans, tokens_per_s=float(settings.speed))[0].min())

    @cached_property
    def successors(self) -> Successors | None:
        """Return the price on the best accelerator and its successors, on today's price list; None without one."""
        of, today = self.best, self.inputs.today
        if of is None or today is None:
            return None
        made = successors(
            fixed(today, of),
            of,
            factors=by_name(model().factors),
            trend=chip_growths(self.release),
            newer=rents.newer(self.release),
            years=YEARS,
            speed=self.speed,
            **self.limits,
        )
        rate = rents.rate(self.release, self.settings.rents)
        return made.anchored(of.usd_at(self.speed)[0], at=int(self.settings.year) - TODAY, rate=rate)

    @cached_property
    def later(self) -> dict[str, LaterCost]:
        """Return the price by year under each scenario of rents; none without an accelerator."""
        of = self.successors
        return {} if of is None else {name: of.cost(rents.rate(self.release, name)) for name in rents.RENTS}

    @cached_property
    def wanted_usd(self) -> float:
        """Return the price wanted, half of today's where none is given. [USD]"""
        if self.settings.price or self.best is None:
            return self.settings.price or float("nan")
        chosen = self.later.get(self.settings.rents)
        today = self.best.usd_at(self.speed)[0] if chosen is None else float(chosen.middle[0])
        return today / 2
