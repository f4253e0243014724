"""Pairs of chips measured on the same work: their speed-ups and the ratios of their data sheets."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray, IntArray, Rows


@dataclass(frozen=True, kw_only=True)
class Measurements(Rows):
    """Measured speeds, one row for each kind of chip and work. Every array has shape (n,).

    ``work`` identifies everything that must match for two rows to be comparable. ``speed`` has one unit within a work
    (tokens a second, or the inverse of a time). ``model`` is the language model; ``precision``, such as "4-bit",
    separates pairs and may be empty. Bandwidth [byte/s] and FLOP/s are those of the data sheet; ``released_year`` is
    the chip's [decimal year].
    """

    work: tuple[str, ...]
    chip: tuple[str, ...]
    model: tuple[str, ...]
    precision: tuple[str, ...]
    speed: FloatArray
    bandwidth_byte_per_s: FloatArray
    flop_per_s: FloatArray
    released_year: FloatArray

    def __post_init__(self) -> None:
        """Validate that speeds and rates are positive and finite."""
        for name in ("speed", "bandwidth_byte_per_s", "flop_per_s"):
            values = getattr(self, name)
            wrong = values[~(np.isfinite(values) & (values > 0))]
            if len(wrong):
                raise ValueError(
                    f"{name} is a positive number in every row; got {wrong[0]}. Leave out rows that do not have it."
                )

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.work)


@dataclass(frozen=True, kw_only=True)
class Pairs(Rows):
    """Pairs of chips measured on the same work. Every array has shape (n,).

    ``speed_up`` is the speed of ``second`` over that of ``first``; ``bandwidth_ratio`` and ``flop_ratio`` are the same
    for their data sheets. [1] ``n_chips`` is the number of chips that did the work: k (k - 1)/2 pairs come from k
    measurements.
    """

    work: tuple[str, ...]
    model: tuple[str, ...]
    precision: tuple[str, ...]
    first: tuple[str, ...]
    second: tuple[str, ...]
    speed_up: FloatArray
    bandwidth_ratio: FloatArray
    flop_ratio: FloatArray
    n_chips: FloatArray

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.work)

    @property
    def chips(self) -> tuple[str, ...]:
        """Return the sorted names of the chips that occur in any pair."""
        return tuple(sorted({*self.first, *self.second}))

    def where(self, holds: Callable[[str, str], bool]) -> Self:
        """Return the pairs in which both chips satisfy a predicate."""
        return self.at(
            np.array([holds(*both) for both in zip(self.first, self.second, strict=True)], dtype=bool)
        )


def pairs_of(measurements: Measurements) -> Pairs:
    """Return every pair of chips measured on the same work. ``second`` has more bandwidth or, if equal, is newer.

    Several measurements of a chip on a work count once, as their geometric mean.
    """
    work, chip, model, precision = (
        np.array(column, dtype=object)
        for column in (measurements.work, measurements.chip, measurements.model, measurements.precision)
    )
    key = np.array([f"{one}\t{other}" for one, other in zip(work, chip, strict=True)], dtype=str)
    _, kept, which = np.unique(key, return_index=True, return_inverse=True)
    speed = np.exp(np.bincount(which, weights=np.log(measurements.speed)) / np.bincount(which))
    byte, flop = measurements.bandwidth_byte_per_s[kept], measurements.flop_per_s[kept]
    year, work, chip = measurements.released_year[kept], work[kept], chip[kept]
    model, precision = model[kept], precision[kept]
    order = np.lexsort((chip.astype(str), year, byte, work.astype(str)))
    one, other, shared = _within(work[order].astype(str))
    one, other = order[one], order[other]
    return Pairs(
        work=tuple(work[one]),
        model=tuple(model[one]),
        precision=tuple(precision[one]),
        first=tuple(chip[one]),
        second=tuple(chip[other]),
        speed_up=speed[other] / speed[one],
        bandwidth_ratio=byte[other] / byte[one],
        flop_ratio=flop[other] / flop[one],
        n_chips=shared.astype(float),
    )


def _within(work: NDArray[np.str_]) -> tuple[IntArray, IntArray, IntArray]:
    """Return the positions of each pair of rows of the same work, and the number of rows of that work."""
    _, begin, size = np.unique(work, return_index=True, return_counts=True)
    none = np.empty(0, dtype=np.intp)
    parts: list[tuple[IntArray, IntArray, IntArray]] = [(none, none, none)]
    for chips in np.unique(size[size > 1]):
        low, high = np.triu_indices(chips, 1)
        starts = begin[size == chips][:, None]
        one, other = (starts + low).ravel(), (starts + high).ravel()
        parts.append((one, other, np.full(one.shape, chips)))
    one, other, shared = (np.concatenate([part[column] for part in parts]) for column in range(3))
    return one, other, shared


@dataclass(frozen=True, kw_only=True)
class PairSummary:
    """Medians for two chips over ``n`` workloads of ``n_models`` models, with the speed-ups' quartiles. [1]"""

    first: str
    second: str
    precision: str
    n: int
    n_models: int
    speed_up: float
    low: float
    high: float
    bandwidth_ratio: float
    flop_ratio: float


def summaries(pairs: Pairs) -> tuple[PairSummary, ...]:
    """Return the median speed-up, with quartiles, of each pair of chips, pairs with the most workloads first.

    Works at different precisions have different FLOP/s ratios and are summarized separately.
    """
    number: dict[tuple[str, str, str], int] = {}
    keys = zip(pairs.first, pairs.second, pairs.precision, strict=True)
    kind = np.array([number.setdefault(key, len(number)) for key in keys], dtype=int)
    models: dict[int, set[str]] = {}
    for place, model in zip(kind.tolist(), pairs.model, strict=True):
        models.setdefault(place, set()).add(model)
    count = np.bincount(kind, minlength=len(number))
    low, middle, high = (
        np.exp(_quantiles(np.log(pairs.speed_up), kind, share=share)) for share in (0.25, 0.5, 0.75)
    )
    byte, flop = (_quantiles(ratio, kind, share=0.5) for ratio in (pairs.bandwidth_ratio, pairs.flop_ratio))
    summed = [
        PairSummary(
            first=first,
            second=second,
            precision=precision,
            n=int(count[place]),
            n_models=len(models[place]),
            speed_up=float(middle[place]),
            low=float(low[place]),
            high=float(high[place]),
            bandwidth_ratio=float(byte[place]),
            flop_ratio=float(flop[place]),
        )
        for (first, second, precision), place in number.items()
    ]
    return tuple(sorted(summed, key=lambda one: (-one.n, one.first, one.second, one.precision)))


def _quantiles(values: FloatArray, kind: IntArray, *, share: float) -> FloatArray:
    """Return a quantile of the values of each kind, shape (kinds,), interpolated as in NumPy."""
    order = np.lexsort((values, kind))
    ranked, count = values[order], np.bincount(kind)
    place = np.cumsum(count) - count + share * (count - 1)
    below, above = np.floor(place).astype(int), np.ceil(place).astype(int)
    return ranked[below] + (place - below) * (ranked[above] - ranked[below])


def once_a_pair(pairs: Pairs) -> Pairs:
    """Return every pair of chips once, with its medians over workloads."""
    medians = summaries(replace(pairs, precision=("",) * len(pairs)))
    return Pairs(
        work=tuple(f"{one.first}|{one.second}" for one in medians),
        model=("",) * len(medians),
        precision=("",) * len(medians),
        first=tuple(one.first for one in medians),
        second=tuple(one.second for one in medians),
        speed_up=np.array([one.speed_up for one in medians]),
        bandwidth_ratio=np.array([one.bandwidth_ratio for one in medians]),
        flop_ratio=np.array([one.flop_ratio for one in medians]),
        n_chips=np.full(len(medians), 2.0),
    )
