"""Pace of runs (speed relative to the step-time model), predicted from comparable published runs."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray

EIGHT_IN_TEN = 1.4
"""Standard deviations around a run's pace that cover 80% of runs with held-out model and chip. 1.28 in
a normal distribution. [1]"""
NINE_IN_TEN = 2.1
"""Standard deviations around a run's pace that cover 90% of runs. 1.64 in a normal distribution. [1]"""
FIRST_AFTER, DATES = 0.5, 5
"""Years from a chip's release to the first software of an undated run, and number of dates to try."""


@dataclass(frozen=True, kw_only=True)
class Traits:
    """Properties that a run may share with others. An empty text is never shared.

    ``kind`` is the generation of its chip, ``shape`` identifies its model, ``plan`` how it is split; ``year`` is the
    date of its software, a decimal year, and ``stack`` its family, such as Megatron or FSDP.
    """

    maker: str
    kind: str
    chip: str
    shape: str
    mixture: bool
    precision: str
    year: float
    plan: str = ""
    stack: str = ""


@dataclass(frozen=True, kw_only=True)
class Spreads:
    """Standard deviations of the contributions to log pace, one for each trait of a run.

    They were chosen once, few and rounded, so that runs left out with their model and chip, their model, their chip or
    their source are likely given the others. Drifts are per year and accumulate as a random walk.
    """

    maker: float = 0.12
    kind: float = 0.06
    precision: float = 0.06
    mixture: float = 0.20
    shape: float = 0.08
    shape_on_chip: float = 0.07
    plan: float = 0.07
    drift: float = 0.10
    drift_of_mixtures: float = 0.10
    drift_of_model: float = 0.15
    stack: float = 0.10
    source: float = 0.05
    run: float = 0.05


SPREADS = Spreads()
DRIFT_FROM = 2021.0
"""Date that earlier software counts as. [year]"""
MIXTURES_DRIFT_FROM = 2025.0
"""Date from which mixtures of experts have a separate drift. [year]"""


@dataclass(frozen=True, kw_only=True)
class Pace:
    """A run's speed relative to the step-time model, and the standard deviation of its logarithm. [1]"""

    share: float = 1.0
    spread: float = 0.0

    def bounds(self, spreads: float) -> tuple[float, float]:
        """Return the paces ``spreads`` standard deviations below and above this pace. [1]"""
        width = float(np.exp(spreads * self.spread))
        return self.share / width, self.share * width


def software_years(released_year: float, *, newest: float) -> FloatArray:
    """Return possible software dates of a run that states none, from its chip's release to the newest date. [year]"""
    return np.linspace(min(released_year + FIRST_AFTER, newest), newest, DATES)


def likeness(some: Sequence[Traits], others: Sequence[Traits]) -> FloatArray:
    """Return the covariance of the paces of ``some`` runs (rows) and ``others`` (columns). Sources are ignored."""

    def same(key: Callable[[Traits], tuple[Hashable, ...]]) -> FloatArray:
        """Return 1 for two runs whose keys are complete and equal, otherwise 0."""
        codes: dict[tuple[Hashable, ...], int] = {}

        def coded(runs: Sequence[Traits], *, empty: int) -> NDArray[np.int_]:
            keys = [key(run) for run in runs]
            return np.array(
                [empty if "" in each else codes.setdefault(each, len(codes)) for each in keys], dtype=int
            )

        return np.equal.outer(coded(some, empty=-1), coded(others, empty=-2)).astype(float)

    def walked(since: float) -> FloatArray:
        """Return the years of drift that two runs have in common."""
        years = (np.array([max(run.year - since, 0.0) for run in runs]) for runs in (some, others))
        return np.minimum.outer(*years)

    mixtures = np.multiply.outer(
        np.array([float(run.mixture) for run in some]), np.array([float(run.mixture) for run in others])
    )
    of_maker, of_shape = same(lambda run: (run.maker,)), same(lambda run: (run.shape,))
    return (
        SPREADS.maker**2 * of_maker
        + SPREADS.kind**2 * same(lambda run: (run.kind,))
        + SPREADS.precision**2 * same(lambda run: (run.kind, run.precision))
        + SPREADS.mixture**2 * mixtures
        + SPREADS.shape**2 * of_shape
        + SPREADS.shape_on_chip**2 * same(lambda run: (run.shape, run.chip))
        + SPREADS.plan**2 * same(lambda run: (run.shape, run.chip, run.precision, run.plan))
        + SPREADS.stack**2 * same(lambda run: (run.stack,))
        + SPREADS.drift**2 * of_maker * walked(DRIFT_FROM)
        + (SPREADS.drift_of_mixtures**2 + SPREADS.drift_of_model**2 * of_shape)
        * mixtures
        * walked(MIXTURES_DRIFT_FROM)
    )


@dataclass(frozen=True, kw_only=True)
class Paces:
    """Published runs: their traits, their sources, and the log of measured over predicted speed.

    They give the best linear prediction of a run's pace, with covariances from :func:`likeness`. A run similar to many
    measured ones gets their pace; one similar to none keeps the step-time model's speed, with a wider spread.

    References
    ----------
    Robinson, "That BLUP is a Good Thing: The Estimation of Random Effects", Statistical Science 6, 1991.
    """

    runs: tuple[Traits, ...]
    sources: tuple[str, ...]
    log_paces: tuple[float, ...]

    @cached_property
    def _alike(self) -> FloatArray:
        return likeness(self.runs, self.runs)

    @cached_property
    def _inverse(self) -> FloatArray:
        source = np.equal.outer(*(np.unique(self.sources, return_inverse=True)[1],) * 2)
        own = SPREADS.source**2 * source + SPREADS.run**2 * np.eye(len(self.runs))
        return np.linalg.inv(self._alike + own)

    def _own(self, run: Traits) -> float:
        """Return the variance specific to a run of a new source. An unknown stack shares nothing with others."""
        return SPREADS.source**2 + SPREADS.run**2 + (0.0 if run.stack else SPREADS.stack**2)

    def newest(self, maker: str) -> float:
        """Return the newest software date of runs on a vendor's chips, or of all runs if the vendor has none. [year]"""
        years = [run.year for run in self.runs if run.maker == maker]
        return max(years or [run.year for run in self.runs], default=np.inf)

    def of(self, run: Traits) -> Pace:
        """Return the pace of a run from a new source."""
        alone, own = float(likeness([run], [run])[0, 0]), self._own(run)
        if not self.runs:
            return Pace(spread=float(np.sqrt(alone + own)))
        shared = likeness([run], self.runs)[0]
        weights = self._inverse @ shared
        rest = max(alone - float(shared @ weights), 0.0)
        return Pace(
            share=float(np.exp(weights @ np.array(self.log_paces))), spread=float(np.sqrt(rest + own))
        )

    def over(self, run: Traits, *, years: FloatArray) -> Pace:
        """Return the pace of a run whose software has one of the dates ``years``, all equally likely."""
        paces = [self.of(replace(run, year=float(year))) for year in years]
        logs = np.log([pace.share for pace in paces])
        between, within = np.var(logs), np.mean([pace.spread**2 for pace in paces])
        return Pace(share=float(np.exp(np.mean(logs))), spread=float(np.sqrt(between + within)))

    def ratio(self, run: Traits, *, to: Traits) -> Pace:
        """Return the ratio of the speeds of two runs that differ in some traits.

        Common effects cancel, so the spread is only that of the traits that differ.
        """
        both = [to, run]
        prior = likeness(both, both)
        step = np.array([-1.0, 1.0])
        mean, rest = 0.0, float(step @ prior @ step)
        if self.runs:
            shared = step @ likeness(both, self.runs)
            weights = self._inverse @ shared
            mean, rest = float(weights @ np.array(self.log_paces)), rest - float(shared @ weights)
        return Pace(share=float(np.exp(mean)), spread=float(np.sqrt(max(rest, 0.0))))

    def without_its_group(self, group: Callable[[Traits], Hashable]) -> tuple[Pace, ...]:
        """Return the pace of each run, predicted from other groups as if it came from a new source.

        The inverse without a group is that of all, downdated by the group's block (Schur complement).
        """
        groups: dict[Hashable, list[int]] = {}
        for at, run in enumerate(self.runs):
            groups.setdefault(group(run), []).append(at)
        logs, inverse, shared = np.array(self.log_paces), self._inverse, self._alike
        paces: dict[int, Pace] = {}
        for members in groups.values():
            inside = np.zeros(len(self.runs), dtype=bool)
            inside[members] = True
            rest = ~inside
            outer = inverse[rest][:, members]
            weights = shared[members][:, rest]
            less = np.linalg.solve(inverse[members][:, members], (weights @ outer).T).T
            weighted = weights @ inverse[rest][:, rest] - less @ outer.T
            explained = np.sum(weighted * weights, axis=1)
            for at, mean, known in zip(members, weighted @ logs[rest], explained, strict=True):
                own = self._own(self.runs[at])
                spread = np.sqrt(max(float(shared[at, at]) - float(known), 0.0) + own)
                paces[at] = Pace(share=float(np.exp(mean)), spread=float(spread))
        return tuple(paces[at] for at in range(len(self.runs)))
