"""Fits times that are sums of parts, each a known size times a fitted factor; factors are shared by class and kind."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.slabs import product

FloatArray = NDArray[np.floating]

ITERATIONS = 40
HELD_OUT_ITERATIONS = 5  # from the fit of all rows; further ones move no error by half a per cent
LONGEST_STEP = 1.0
TOLERANCE = 5e-4  # of a factor's logarithm


@dataclass(frozen=True, kw_only=True)
class Part:
    """One part of a time: ``size * exp(design @ factors)``; size has shape (n,), design (n, p)."""

    size: FloatArray
    design: FloatArray


@dataclass(frozen=True, kw_only=True)
class Prior:
    """What is held about each factor before any measurement: mean and standard deviation, shape (p,)."""

    mean: FloatArray
    spread: FloatArray


class Columns:
    """Gives each named group of factors its columns in the design, one column per level."""

    def __init__(self) -> None:
        self._at: dict[str, slice] = {}
        self._levels: dict[str, tuple[str, ...]] = {}
        self._mean: list[float] = []
        self._spread: list[float] = []

    def add(self, name: str, levels: Sequence[str] = ("",), *, mean: float = 0.0, spread: float) -> None:
        """Add a group of factors with a common prior; the default is one single factor."""
        start = len(self._mean)
        self._levels[name] = tuple(levels)
        self._at[name] = slice(start, start + len(levels))
        self._mean += [mean] * len(levels)
        self._spread += [spread] * len(levels)

    def prior(self) -> Prior:
        """Return the prior of all factors, in column order."""
        return Prior(mean=np.array(self._mean), spread=np.array(self._spread))

    def levels(self, name: str) -> tuple[str, ...]:
        """Return the levels a group knows."""
        return self._levels[name]

    def factors(self, name: str, factors: FloatArray) -> dict[str, float]:
        """Return one group's factors by level."""
        return dict(zip(self._levels[name], map(float, factors[self._at[name]]), strict=True))

    def design(self, n: int, **groups: FloatArray | Sequence[str] | float) -> FloatArray:
        """Return a design, shape (n, p): text picks the level (unknown ones none), numbers fill one column."""
        design = np.zeros((n, len(self._mean)))
        for name, given in groups.items():
            at = self._at[name]
            if isinstance(given, int | float | np.ndarray):
                design[:, at.start] = given
                continue
            column = {level: at.start + i for i, level in enumerate(self._levels[name])}
            for row, level in enumerate(given):
                if level in column:
                    design[row, column[level]] = 1.0
        return design


def log_times(parts: Sequence[Part], factors: FloatArray) -> FloatArray:
    """Return the natural logarithm of the summed parts, shape (n,). [log s]"""
    return np.log(np.sum([part.size * np.exp(part.design @ factors) for part in parts], axis=0))


def fit(
    parts: Sequence[Part],
    measured_time_s: FloatArray,
    *,
    prior: Prior,
    noise: float,
    degrees: float,
    start: FloatArray | None = None,
    counted: NDArray[np.bool_] | None = None,
    iterations: int = ITERATIONS,
) -> FloatArray:
    """Return the most probable factors, shape (p,), given measured times, shape (n,). [s]

    Only rows marked in ``counted``, shape (n,), are used; None uses all. ``start`` is where the search begins.
    ``noise`` is the scale of the residuals of log time, taken as Student's t with ``degrees`` of freedom, so that a
    wild row counts little. Shrinkage is the prior's: a class with few rows stays near its kind.

    References
    ----------
    Lange, Little and Taylor, "Robust statistical modeling using the t distribution", JASA 84, 1989, section 3
    (the weights); Gelman et al., "Bayesian Data Analysis", 3rd ed., chapter 5 (pooling); Gauss-Newton steps.
    """
    factors = prior.mean.copy() if start is None else start.copy()
    observed = np.log(measured_time_s)
    hold = np.diag(prior.spread**-2.0)
    keep = 1.0 if counted is None else counted.astype(float)
    for _ in range(iterations):
        values = [part.size * np.exp(part.design @ factors) for part in parts]
        total = np.sum(values, axis=0)
        slope = np.zeros(parts[0].design.shape)
        for value, part in zip(values, parts, strict=True):
            slope += (value / total)[:, None] * part.design
        residual = observed - np.log(total)
        weight = keep * (degrees + 1) / (degrees * noise**2 + residual**2)
        weighted = (slope * weight[:, None]).T
        left = product(weighted, slope) + hold
        right = weighted @ residual - (factors - prior.mean) / prior.spread**2
        step = np.clip(np.linalg.solve(left, right), -LONGEST_STEP, LONGEST_STEP)
        factors = factors + step
        if np.abs(step).max() < TOLERANCE:
            break
    return factors


def held_out_log_times(
    parts: Sequence[Part],
    measured_time_s: FloatArray,
    *,
    devices: Sequence[str],
    prior: Prior,
    noise: float,
    degrees: float,
    start: FloatArray,
) -> FloatArray:
    """Return each row's log time as the fit without its device gives it, shape (n,). [log s]

    A left-out device's own factors have no rows and stay at their prior, which is what an unknown device gets.
    """
    names = np.asarray(devices, dtype=object)
    predicted = np.empty(len(names))
    for name in dict.fromkeys(devices):
        out = np.asarray(names == name, dtype=bool)
        factors = fit(
            parts,
            measured_time_s,
            prior=prior,
            noise=noise,
            degrees=degrees,
            start=start,
            counted=~out,
            iterations=HELD_OUT_ITERATIONS,
        )
        here = [Part(size=part.size[out], design=part.design[out]) for part in parts]
        predicted[out] = log_times(here, factors)
    return predicted
