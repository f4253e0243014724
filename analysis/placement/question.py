"""The question of placement as one record: which work, at which places, under what, and what its answer must be."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.fits import PlacementFits
from analysis.placement.luck import Luck
from analysis.placement.places import PERSONAL, RENTED, TODAY, Conditions, HardwareGrowth, Places
from analysis.placement.served import Unexplained
from analysis.placement.work import Requirements, Work

BEHIND = 1e12
"""Places whose speed nobody published rank by so many times their price: behind every other."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """Everything an answer is computed from; ``dataclasses.replace`` gives its variations.

    Numbers of ``work`` are scalars or arrays of shape (places,), (cells, 1) or (cells, places); a cell is one
    variation of the work. ``unexplained`` is how far measurements like each place's lie from the model of serving, and
    ``luck`` holds the draws of each place's speed about that. ``sustained``, shape (n,), are the published
    ratios of a phone's sustained to its first speed, and ``sustained_rule`` True or False puts phones at the one or
    the other; None has the work decide: in between as the device is busy. A place meets what is asked where its chance
    is ``required_probability`` or more. ``growth`` is that of the middle expectation, and ``drawn_growth`` its draws
    relative to that middle, shape (places, draws), or None where nothing is drawn.
    """

    work: Work
    places: Places
    fits: PlacementFits
    conditions: Conditions
    requirements: Requirements
    luck: Luck
    unexplained: Unexplained
    sustained: FloatArray
    sustained_rule: bool | None = None
    required_probability: float = 0.8
    growth: HardwareGrowth = TODAY
    drawn_growth: HardwareGrowth | None = None

    def __post_init__(self) -> None:
        """Refuse a certainty that is no probability, and draws of other places."""
        if not 0.0 < self.required_probability <= 1.0:
            raise ValueError(
                f"required_probability is above 0 and up to 1; got {self.required_probability:g}. Divide a percentage "
                "by 100."
            )
        drawn, count = self.luck.step.shape[0], len(self.places)
        if drawn != count:
            raise ValueError(
                f"luck holds draws for each of {count} places; got {drawn}. Draw it for these places."
            )

    @property
    def rented(self) -> BoolArray:
        """Return which places are rented, shape (places,)."""
        return self.places.is_kind(RENTED)

    @property
    def personal(self) -> BoolArray:
        """Return which places are a person's own device, shape (places,)."""
        return self.places.is_kind(PERSONAL)

    @property
    def phones(self) -> BoolArray:
        """Return which places are phones, shape (places,)."""
        return np.array(self.places.device_class) == "phone"

    @property
    def proven(self) -> BoolArray:
        """Return which places' speeds rest on results of their own kind, shape (places,).

        Those are devices, which have the measured errors of their class, and the accelerators of which measured points
        stand in the model of serving.
        """
        places, measured = self.places, self.fits.accelerators
        return ~places.accelerator | np.isin(places.device, measured)

    @cached_property
    def promised(self) -> Luck:
        """Return the factors on speed that setups are planned with, shape (places,), to be as sure as must be.

        Half of the draws that may miss are left to steps and half to prompts: at 80 % nine in ten exceed either.
        """
        planned = self.luck.quantile((1.0 - self.required_probability) / 2)
        return Luck(**{name: factors[:, 0] for name, factors in vars(planned).items()})

    def ranked(self, cost: FloatArray) -> FloatArray:
        """Return what places rank by instead of their cost, places on the second axis: unproven ones come last.

        A part that nobody measured may be priced low by a model that does not hold for it, so it is the answer only
        where no other place is.
        """
        return np.where(self.proven, cost, BEHIND * cost)

    @property
    def allowed(self) -> BoolArray:
        """Return the places that the text may travel to, shape (places,)."""
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
        """Return the same question at the places that ``keep``, shape (places,), marks."""
        marked = np.flatnonzero(keep)
        return replace(
            self,
            work=self.work.at(keep),
            places=self.places.at(keep),
            luck=self.luck.of(marked),
            unexplained=self.unexplained.at(keep),
            growth=self.growth.at(keep),
            drawn_growth=None if self.drawn_growth is None else self.drawn_growth.of(marked),
        )
