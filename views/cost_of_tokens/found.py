"""What the settings find: frontiers, the accelerator that carries the headline, and the years to come."""

from dataclasses import dataclass
from functools import cached_property

from analysis.cost_of_tokens.frontier import Frontier, fixed, frontiers
from analysis.cost_of_tokens.later import LaterCost, Successors, successors
from analysis.cost_of_tokens.sweep import swept
from analysis.serving.factors import by_name
from analysis.serving.tables import model
from views.chips import rents
from views.cost_of_tokens.inputs import YEARS, Inputs, Place, trend
from views.cost_of_tokens.measured_points import measured_best
from views.cost_of_tokens.settings import TODAY, CostOfTokensSettings


@dataclass(frozen=True, kw_only=True, eq=False)
class Found:
    """The frontiers of a year, cheapest at the speed first, and what is asked of them."""

    settings: CostOfTokensSettings
    inputs: Inputs
    frontiers: tuple[Frontier, ...]

    @property
    def speed(self) -> float:
        """Return the speed asked for. [tokens/s]"""
        return float(self.settings.speed)

    @property
    def limits(self) -> dict[str, float]:
        """Return what every price is asked under: wait for the first token [s] and utilization."""
        return {"first_s": self.settings.wait, "utilization": self.settings.utilization / 100}

    @cached_property
    def held(self) -> bool:
        """Return whether any accelerator's memory holds the model and a request, however long the first token takes."""
        tried = self.inputs.tried
        if tried is None:
            return False
        ever = swept(tried, by_name(model().factors), first_s=float("inf"), utilization=1.0)
        return bool(ever.possible.any())

    @cached_property
    def able(self) -> tuple[Frontier, ...]:
        """Return the frontiers that reach the speed."""
        return tuple(one for one in self.frontiers if one.usd_at(self.speed)[0] < float("inf"))

    @cached_property
    def best(self) -> Frontier | None:
        """Return the cheapest of those measured with the model in the format and rented by several.

        Where there is none, of those measured in another format; else the cheapest there is.
        """
        return max(self.able, key=lambda one: self.place(one).tier, default=None)

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
        return self.able[: self.able.index(self.best)] if self.best is not None else ()

    def place(self, frontier: Frontier) -> Place:
        """Return the accelerator of a frontier."""
        return self.inputs.places[frontier.accelerator]

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
            trend=trend(self.inputs.release),
            newer=rents.newer(self.inputs.release),
            years=YEARS,
            speed=self.speed,
            **self.limits,
        )
        rate = rents.rate(self.inputs.release, self.settings.rents)
        return made.anchored(of.usd_at(self.speed)[0], at=int(self.settings.year) - TODAY, rate=rate)

    def later(self, scenario: str = "") -> LaterCost | None:
        """Return the price by year, rents by a scenario, that chosen where none is named; None without one."""
        of = self.successors
        rate = rents.rate(self.inputs.release, scenario or self.settings.rents)
        return None if of is None else of.cost(rate)


def found(settings: CostOfTokensSettings, inputs: Inputs) -> Found:
    """Return what the settings find."""
    made: tuple[Frontier, ...] = ()
    if inputs.tried is not None:
        made = frontiers(
            inputs.tried,
            model(),
            first_s=settings.wait,
            utilization=settings.utilization / 100,
            speed=float(settings.speed),
            first=frozenset(name for name, place in inputs.places.items() if place.tier),
            measured=measured_best(settings, inputs),
            level=int(settings.level) / 100,
        )
    return Found(settings=settings, inputs=inputs, frontiers=made)
