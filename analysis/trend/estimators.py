"""Weighted fits of many resamples at once, used by every estimate and bootstrap."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray, product
from analysis.trend.kinks import candidate_years, kinked
from analysis.trend.lines import Lines
from analysis.trend.ranks import quantile_lines, theil_sen

Estimator = Literal["least-squares", "theil-sen", "quantile", "kinked"]
ESTIMATORS: tuple[Estimator, ...] = ("least-squares", "theil-sen", "quantile", "kinked")


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Estimator of a line and, for a quantile line, its probability."""

    estimator: Estimator = "least-squares"
    quantile: float = 0.5

    def __post_init__(self) -> None:
        """Raise an error for an unknown estimator or a quantile not between 0 and 1."""
        if self.estimator not in ESTIMATORS:
            raise ValueError(
                f"estimator is one of {', '.join(ESTIMATORS)}; got {self.estimator!r}. Choose one of these."
            )
        if not 0 < self.quantile < 1:
            per_cent = f" For the {self.quantile:g}th percentile pass {self.quantile / 100:g}."
            raise ValueError(
                f"quantile is a probability strictly between 0 and 1; got {self.quantile:g}."
                + (per_cent if 1 < self.quantile < 100 else " Pass 0.5 for the median.")
            )


def enough(year: FloatArray, weights: FloatArray) -> NDArray[np.bool_]:
    """Return a mask, shape (draws,), of draws with enough rows for a line: at least three, on at least two dates."""
    distinct = np.count_nonzero(weights, axis=1)
    holds = distinct >= 3
    # More rows than any date has cannot all be on one date.
    shared = int(np.unique(year, return_counts=True)[1].max())
    for draw in np.flatnonzero(holds & (distinct <= shared)):
        holds[draw] = np.ptp(year[weights[draw] > 0]) > 0
    return holds


def refit(
    year: FloatArray,
    log10: FloatArray,
    *,
    weights: FloatArray,
    recipe: Recipe,
    kink_years: FloatArray | None = None,
) -> Lines:
    """Return one fitted line per draw.

    ``year`` and ``log10`` have shape (m,); ``weights`` are whole numbers, how often each row counts in each draw, shape
    (draws, m). Every draw must satisfy :func:`enough`. Weights of k equal k repeated rows. ``kink_years`` are the
    candidate years of a kink, by default :func:`analysis.trend.kinks.candidate_years`.
    """
    middle = (year.min() + year.max()) / 2
    match recipe.estimator:
        case "least-squares":
            return least_squares(year - middle, log10, weights=weights).moved(middle)
        case "theil-sen":
            return theil_sen(year - middle, log10, weights=weights).moved(middle)
        case "quantile":
            return quantile_lines(year - middle, log10, weights=weights, quantile=recipe.quantile).moved(
                middle
            )
        case "kinked":
            grid = candidate_years(year) if kink_years is None else kink_years
            return kinked(year, log10, weights=weights, grid=grid)


def least_squares(x: FloatArray, y: FloatArray, *, weights: FloatArray) -> Lines:
    """Return the least-squares line of each draw, in closed form from five weighted sums."""
    centre = y.mean()
    z = y - centre
    n, sx, sy, sxx, sxy = product(weights, np.stack([np.ones_like(x), x, z, x * x, x * z], axis=1)).T
    slope = (sxy - sx * sy / n) / (sxx - sx * sx / n)
    return Lines.straight(level=centre + (sy - slope * sx) / n, slope=slope)
