"""Fit of times that are sums of parts, each a known size times a factor pooled by class and kind."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray, Rows, product

ITERATIONS = 40
LONGEST_STEP = 1.0
TOLERANCE = 5e-4  # change of a factor's logarithm at convergence
HELD_OUT_TOLERANCE = 5e-3  # no held-out prediction is then more than 2% off, and 99% are within 1%


@dataclass(frozen=True, kw_only=True)
class MeasuredCases(Rows):
    """Names of every measured case's device, engine and source, each of shape (n,).

    Unknown names are ``""``. If ``engine`` is None, all engines are unknown; ``source`` is None for unmeasured cases.
    """

    device: tuple[str, ...]
    device_class: tuple[str, ...]
    backend: tuple[str, ...]
    memory_bandwidth_byte_per_s: FloatArray
    engine: tuple[str, ...] | None = None
    source: tuple[str, ...] | None = None

    def __len__(self) -> int:
        """Return the number of cases."""
        return len(self.device)

    @property
    def engines(self) -> tuple[str, ...]:
        """Return the engine of each case, ``""`` if unknown, shape (n,)."""
        return ("",) * len(self) if self.engine is None else self.engine

    @property
    def sources(self) -> tuple[str, ...]:
        """Return the source of each case, ``""`` if it was not measured, shape (n,)."""
        return ("",) * len(self) if self.source is None else self.source


@dataclass(frozen=True, kw_only=True)
class Part:
    """One part of a time, ``size * exp(design @ factors)``. ``size`` has shape (n,), ``design`` (n, p)."""

    size: FloatArray
    design: FloatArray


@dataclass(frozen=True, kw_only=True)
class Prior:
    """Prior mean and standard deviation of each factor, shape (p,)."""

    mean: FloatArray
    spread: FloatArray


class Columns:
    """Columns of the design matrix in named groups, with one column per level."""

    def __init__(self) -> None:
        self._at: dict[str, slice] = {}
        self._levels: dict[str, tuple[str, ...]] = {}
        self._mean: list[float] = []
        self._spread: list[float] = []

    def add(self, name: str, levels: Sequence[str] = ("",), *, mean: float = 0.0, spread: float) -> None:
        """Add a group of factors with a common prior. By default, the group is a single factor."""
        start = len(self._mean)
        self._levels[name] = tuple(levels)
        self._at[name] = slice(start, start + len(levels))
        self._mean += [mean] * len(levels)
        self._spread += [spread] * len(levels)

    def prior(self) -> Prior:
        """Return the prior of all factors, in the order of the columns."""
        return Prior(mean=np.array(self._mean), spread=np.array(self._spread))

    def levels(self, name: str) -> tuple[str, ...]:
        """Return the levels of a group."""
        return self._levels[name]

    def factors(self, name: str, factors: FloatArray) -> dict[str, float]:
        """Return the factors of one group, keyed by level."""
        return dict(zip(self._levels[name], map(float, factors[self._at[name]]), strict=True))

    def design(self, n: int, **groups: FloatArray | Sequence[str] | float) -> FloatArray:
        """Return a design matrix, shape (n, p). Texts select a level's column; numbers fill a group's only column."""
        design = np.zeros((n, len(self._mean)))
        for name, values in groups.items():
            at = self._at[name]
            if isinstance(values, int | float | np.ndarray):
                design[:, at.start] = values
                continue
            column = {level: at.start + i for i, level in enumerate(self._levels[name])}
            for row, level in enumerate(values):
                if level in column:
                    design[row, column[level]] = 1.0
        return design


def log_times(parts: Sequence[Part], factors: FloatArray) -> FloatArray:
    """Return the natural log of the summed parts, shape (n,). [log s]"""
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
    tolerance: float = TOLERANCE,
) -> FloatArray:
    """Return the most probable factors, shape (p,), for the measured times, shape (n,). [s]

    Only rows marked in ``counted``, shape (n,), are used; None uses all. ``start`` are the starting values. ``noise``
    is the scale of the residuals of log time, which follows Student's t with ``degrees`` of freedom, so that outliers
    have little weight. The prior shrinks: a class with few rows stays near its kind.

    References
    ----------
    Lange, Little and Taylor, "Robust statistical modeling using the t distribution", JASA 84, 1989, section 3
    (the weights); Gelman et al., "Bayesian Data Analysis", 3rd ed., chapter 5 (pooling); Gauss-Newton steps.
    """
    return _Problem(parts, measured_time_s, prior=prior, noise=noise, degrees=degrees).solved(
        start=start, counted=counted, tolerance=tolerance
    )


class _Problem:
    """A prepared fit. It first eliminates factors that share no row, such as single devices' factors.

    The block of these ``own`` factors in the normal equations is therefore diagonal, and its Schur complement is
    a small system for the ``shared`` factors: the same step, four times faster.
    """

    def __init__(
        self,
        parts: Sequence[Part],
        measured_time_s: FloatArray,
        *,
        prior: Prior,
        noise: float,
        degrees: float,
    ) -> None:
        self._observed = np.log(measured_time_s)
        self._prior, self._noise, self._degrees = prior, noise, degrees
        used = np.any([part.design != 0.0 for part in parts], axis=0)
        first = _first_own(used)
        self._shared, self._own = slice(0, first), slice(first, used.shape[1])
        self._parts = [
            (
                part.size,
                np.ascontiguousarray(part.design[:, self._shared]),
                part.design[:, self._own].sum(axis=1),
            )
            for part in parts
        ]
        self._rows_of_own = np.ascontiguousarray(used[:, self._own].T.astype(float))
        self._own_of_row = used[:, self._own].argmax(axis=1) if first < used.shape[1] else None

    def solved(
        self, *, start: FloatArray | None, counted: NDArray[np.bool_] | None, tolerance: float
    ) -> FloatArray:
        factors = self._prior.mean.copy() if start is None else start.copy()
        keep = 1.0 if counted is None else counted.astype(float)
        for _ in range(ITERATIONS):
            step = np.clip(self._step(factors, keep), -LONGEST_STEP, LONGEST_STEP)
            factors = factors + step
            if np.abs(step).max() < tolerance:
                break
        return factors

    def _step(self, factors: FloatArray, keep: FloatArray | float) -> FloatArray:
        shared, own = factors[self._shared], factors[self._own]
        of_row = 0.0 if self._own_of_row is None else own[self._own_of_row]
        values = [size * np.exp(design @ shared + mine * of_row) for size, design, mine in self._parts]
        total = np.sum(values, axis=0)
        slope, own_slope = np.zeros(self._parts[0][1].shape), np.zeros(len(total))
        for value, (_, design, mine) in zip(values, self._parts, strict=True):
            share = value / total
            slope += share[:, None] * design
            own_slope += share * mine
        residual = self._observed - np.log(total)
        weight = keep * (self._degrees + 1) / (self._degrees * self._noise**2 + residual**2)
        hold = self._prior.spread**-2.0
        pull = (factors - self._prior.mean) * hold
        weighted = slope * weight[:, None]
        left = product(weighted.T, slope) + np.diag(hold[self._shared])
        right = residual @ weighted - pull[self._shared]
        mine = weight * own_slope
        across = product(self._rows_of_own, slope * mine[:, None])
        own_left = self._rows_of_own @ (mine * own_slope) + hold[self._own]
        own_right = self._rows_of_own @ (mine * residual) - pull[self._own]
        scaled = across / own_left[:, None]
        of_shared = np.linalg.solve(left - product(scaled.T, across), right - own_right @ scaled)
        return np.concatenate([of_shared, own_right / own_left - scaled @ of_shared])


def _first_own(used: NDArray[np.bool_]) -> int:
    """Return the first column, at least 1, from which on no row of ``used``, shape (n, p), uses more than one."""
    from_here = np.cumsum(used[:, ::-1], axis=1).max(axis=0)
    return max(used.shape[1] - int(np.searchsorted(from_here, 2)), 1)


Groups = Sequence[Sequence[str]]
"""Names of rows that are held out together, such as devices and sources, each of shape (n,)."""


def splits(groups: Groups) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Yield two masks, shape (n,), for each group: its own rows, and the rows that share none of its names."""
    names = [np.asarray(of, dtype=object) for of in groups]
    for shared in dict.fromkeys(zip(*groups, strict=True)):
        same = np.array([of == name for of, name in zip(names, shared, strict=True)], dtype=bool)
        yield np.asarray(same.all(axis=0)), np.asarray(~same.any(axis=0))


def held_out_log_times(
    parts: Sequence[Part],
    measured_time_s: FloatArray,
    *,
    groups: Groups,
    prior: Prior,
    noise: float,
    degrees: float,
    start: FloatArray,
) -> FloatArray:
    """Return each row's log time from a fit without the row's groups, shape (n,). [log s]

    The own factors of a device and a source that are left out have no rows and stay at their prior, as for unknown
    devices and sources.
    """
    problem = _Problem(parts, measured_time_s, prior=prior, noise=noise, degrees=degrees)
    predicted = np.empty(len(measured_time_s))
    for here, rest in splits(groups):
        factors = problem.solved(start=start, counted=rest, tolerance=HELD_OUT_TOLERANCE)
        own = [Part(size=part.size[here], design=part.design[here]) for part in parts]
        predicted[here] = log_times(own, factors)
    return predicted


def fit_and_check(
    parts: Sequence[Part],
    measured_time_s: FloatArray,
    *,
    groups: Groups,
    prior: Prior,
    noise: float,
    degrees: float,
) -> tuple[FloatArray, FloatArray]:
    """Return the fitted factors, shape (p,), and each row's held-out log(predicted time/measured time), shape (n,)."""
    shared = {"prior": prior, "noise": noise, "degrees": degrees}
    factors = fit(parts, measured_time_s, **shared)
    left_out = held_out_log_times(parts, measured_time_s, groups=groups, start=factors, **shared)
    return factors, left_out - np.log(measured_time_s)
