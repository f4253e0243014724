"""A placement question: the work, the places, the conditions and the requirements."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.fits import PlacementFits
from analysis.placement.places import PERSONAL, RENTED, TODAY, Conditions, HardwareGrowth, Places
from analysis.placement.served import PlaceResiduals
from analysis.placement.speed_draws import SpeedDraws
from analysis.placement.work import Requirements, Work

BEHIND = 1e12
"""Factor on the ranking cost of places with unpublished speed, so that they rank last. [1]"""


@dataclass(frozen=True, kw_only=True)
class Question:
    """All inputs of a result. Use ``dataclasses.replace`` to vary them.

    Numbers of ``work`` are scalars or arrays of shape (places,), (cells, 1) or (cells, places); a cell is one variation
    of the work. ``residuals`` is the error of the serving model for measurements like each place's, and ``speed_draws``
    are each place's speeds relative to its median. ``sustained``, shape (n,), are the published ratios of a phone's
    sustained to its initial speed. ``sustained_rule`` fixes phones at one or the other (True or False); None
    interpolates by how busy the device is. A place meets the requirements if its chance is at least
    ``required_probability``. ``growth`` is that of the median, and ``drawn_growth`` its draws relative to the median,
    shape (places, draws), or None without draws.
    """

    work: Work
    places: Places
    fits: PlacementFits
    conditions: Conditions
    requirements: Requirements
    speed_draws: SpeedDraws
    residuals: PlaceResiduals
    sustained: FloatArray
    sustained_rule: bool | None = None
    required_probability: float = 0.8
    growth: HardwareGrowth = TODAY
    drawn_growth: HardwareGrowth | None = None

    def __post_init__(self) -> None:
        """Check the required probability and the number of places in the draws."""
        if not 0.0 < self.required_probability <= 1.0:
            raise ValueError(
                f"required_probability is above 0 and up to 1; got {self.required_probability:g}. Divide a percentage "
                "by 100."
            )
        drawn, count = self.speed_draws.step.shape[0], len(self.places)
        if drawn != count:
            raise ValueError(
                f"speed_draws holds draws for each of {count} places; got {drawn}. Draw it for these places."
            )

    @property
    def rented(self) -> BoolArray:
        """Return a mask, shape (places,), of rented places."""
        return self.places.is_kind(RENTED)

    @property
    def personal(self) -> BoolArray:
        """Return a mask, shape (places,), of people's own devices."""
        return self.places.is_kind(PERSONAL)

    @property
    def phones(self) -> BoolArray:
        """Return a mask, shape (places,), of phones."""
        return np.array(self.places.device_class) == "phone"

    @property
    def proven(self) -> BoolArray:
        """Return a mask, shape (places,), of places with measured results for their own kind.

        Those are devices, which have the measured errors of their class, and accelerators with measured points in the
        serving model.
        """
        places, measured = self.places, self.fits.accelerators
        return ~places.accelerator | np.isin(places.device, measured)

    @cached_property
    def promised(self) -> SpeedDraws:
        """Return the speed factors, shape (places,), used to plan setups.

        Steps and prompts get half of the failure probability each: at 80%, nine in ten draws exceed either.
        """
        planned = self.speed_draws.quantile((1.0 - self.required_probability) / 2)
        return SpeedDraws(**{name: factors[:, 0] for name, factors in vars(planned).items()})

    def ranked(self, cost: FloatArray) -> FloatArray:
        """Return the values by which places (the second axis) rank: costs, with unproven places behind all others.

        A model extrapolated to an unmeasured chip may price it too low, so it is the answer only if no other place is.
        """
        return np.where(self.proven, cost, BEHIND * cost)

    @property
    def allowed(self) -> BoolArray:
        """Return a mask, shape (places,), of places to which the rules allow the text to be sent."""
        requirements = self.requirements
        if requirements.data_residency == "device":
            return self.personal
        inside = requirements.offline or requirements.data_residency == "premises"
        return ~self.rented if inside else np.ones(len(self.places), bool)

    def requiring(self, **requirements: Any) -> "Question":
        """Return the same question with other requirements."""
        return replace(self, requirements=replace(self.requirements, **requirements))

    def under(self, **conditions: Any) -> "Question":
        """Return the same question under other conditions."""
        return replace(self, conditions=replace(self.conditions, **conditions))

    def at(self, keep: BoolArray) -> "Question":
        """Return the same question for the places in the mask ``keep``, shape (places,)."""
        marked = np.flatnonzero(keep)
        return replace(
            self,
            work=self.work.at(keep),
            places=self.places.at(keep),
            speed_draws=self.speed_draws.of(marked),
            residuals=self.residuals.at(keep),
            growth=self.growth.at(keep),
            drawn_growth=None if self.drawn_growth is None else self.drawn_growth.of(marked),
        )
