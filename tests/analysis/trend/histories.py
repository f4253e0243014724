"""Histories that tests share: known exponentials, known kinks, and scattered ones drawn from a seed."""

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray
from analysis.trend.growth import Series


def series(year, value, *, cluster=None) -> Series:
    """Return a series whose rows are named by their number."""
    names = np.array([f"row {i}" for i in range(len(year))], dtype=object)
    return Series(year=year, value=value, cluster=names if cluster is None else cluster, name=names)


def scattered(n: int, *, seed: int = 1, growth: float = 4.0, scatter: float = 1.0) -> Series:
    """Return ``n`` rows from 2010 to 2026 about an exponential, from ten organisations."""
    generator = np.random.default_rng(seed)
    year = 2010 + 16 * generator.random(n)
    value = 10 ** (18 + np.log10(growth) * (year - 2010) + scatter * generator.normal(size=n))
    cluster = np.array([f"lab {i}" for i in generator.integers(0, 10, n)], dtype=object)
    return series(year, value, cluster=cluster)


def drawn(n: int, *, draws: int, seed: int) -> FloatArray:
    """Return how often each of ``n`` rows is drawn, shape (draws, n)."""
    return np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=draws).astype(float)


def resampled(
    weights: FloatArray, *, dominance: NDArray[np.float32], top: int, columns: BoolArray | None = None
) -> FloatArray:
    """Return how many copies of each row lead in each draw, shape (draws, m).

    ``weights`` is how often each row was drawn, shape (draws, n); ``dominance`` and ``columns`` as made by
    :func:`analysis.trend.selection.dominance`. A row drawn twice takes two places.
    """
    ahead = weights.astype(np.float32, copy=False) @ dominance
    own = weights if columns is None else weights[:, columns]
    return np.clip(top - ahead, 0, own)


def rows_of(history: Series, rows) -> Series:
    """Return the rows of a series that are marked or numbered."""
    return Series(**{name: getattr(history, name)[rows] for name in ("year", "value", "cluster", "name")})


def changed_after(history: Series, moment: float) -> Series:
    """Return the history with other values, dates and one row more after the moment."""
    late = history.year >= moment
    generator = np.random.default_rng(99)
    year = np.where(late, moment + (history.year - moment) * 0.7, history.year)
    value = np.where(late, history.value * 10 ** generator.normal(3, 2, len(year)), history.value)
    return Series(
        year=np.append(year, moment + 0.3),
        value=np.append(value, 1e40),
        cluster=np.append(history.cluster, "lab"),
        name=np.append(history.name, "one more"),
    )
