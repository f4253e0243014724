"""One fitted trend: its yearly growth, doubling time, kink, and goodness of fit."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.trend.estimators import Estimator, Recipe, refit
from analysis.trend.kinks import bic, candidate_years
from analysis.trend.lines import Lines

FEWEST_POINTS, FEWEST_POINTS_KINKED = 3, 5
SHORTEST_YEARS = 0.25


def power_of_ten(exponent: ArrayLike) -> FloatArray:
    """Return ten to the power ``exponent``. An overflow gives infinity without a warning."""
    with np.errstate(over="ignore"):
        return np.power(10.0, np.asarray(exponent, dtype=np.float64))


def doubling_time_years(slope_per_year: float) -> float:
    """Return the doubling time. Infinite for a flat trend, and minus the halving time for a falling one. [year]

    ``slope_per_year`` is in orders of magnitude. [log10 per year]
    """
    return float(np.log10(2) / slope_per_year) if slope_per_year else float("inf")


@dataclass(frozen=True, kw_only=True)
class Trend:
    """A fitted trend of log10(value) over the decimal year.

    ``slope_per_year`` is that of the last segment if kinked; ``break_year`` and ``slope_before_per_year`` are None
    without a kink.
    """

    estimator: Estimator
    quantile: float
    reference_year: float
    intercept_log10: float
    slope_per_year: float
    break_year: float | None
    slope_before_per_year: float | None
    residual_sd_log10: float
    n: int
    first_year: float
    last_year: float
    bic: float

    @property
    def yearly_growth(self) -> float:
        """Return the yearly growth factor, such as 4.2."""
        return float(power_of_ten(self.slope_per_year))

    @property
    def doubling_time_years(self) -> float:
        """Return the doubling time. Infinite for a flat trend, and minus the halving time for a falling one. [year]"""
        return doubling_time_years(self.slope_per_year)

    @property
    def line(self) -> Lines:
        """Return the trend as a set with one line."""
        before = self.slope_per_year if self.slope_before_per_year is None else self.slope_before_per_year
        return Lines(
            anchor=np.array([self.reference_year]),
            level=np.array([self.intercept_log10]),
            before=np.array([before]),
            slope=np.array([self.slope_per_year]),
            bent=np.array([self.break_year is not None]),
        )

    def at_log10(self, year: ArrayLike) -> FloatArray:
        """Return the trend in each year, in the shape of ``year``. [log10]"""
        years = np.asarray(year, dtype=np.float64)
        return self.line.at(years.ravel())[0].reshape(years.shape)

    def at(self, year: ArrayLike) -> FloatArray:
        """Return the trend in each year, in the shape of ``year``. [the value's unit]"""
        return power_of_ten(self.at_log10(year))


def fit(year: ArrayLike, value: ArrayLike, *, estimator: Estimator, quantile: float = 0.5) -> Trend:
    """Return the trend fitted to the points.

    ``year`` are decimal years, shape (n,) [year]; ``value`` their positive values, shape (n,). ``quantile`` is the
    probability of the quantile line and is ignored by other estimators.

    Raises ValueError for unequal lengths, values that are not finite and positive, fewer than three distinct points
    (five for kinked), less than ``SHORTEST_YEARS`` between them, an unknown estimator or a quantile outside (0, 1).
    """
    recipe = Recipe(estimator=estimator, quantile=quantile)
    years, values = np.asarray(year, dtype=np.float64), np.asarray(value, dtype=np.float64)
    if years.shape != values.shape or years.ndim != 1:
        raise ValueError(
            f"year and value are two lists of equal length; got shapes {years.shape} and {values.shape}. "
            "Pass one value for each year."
        )
    if not (np.isfinite(years).all() and np.isfinite(values).all()):
        count = int((~np.isfinite(years) | ~np.isfinite(values)).sum())
        raise ValueError(
            f"year and value are finite numbers; got {count} that are not. Leave those rows out."
        )
    if (values <= 0).any():
        raise ValueError(
            f"value is positive, since growth is fitted on its logarithm; got {values.min():g}. "
            "Leave that row out."
        )
    fewest = FEWEST_POINTS_KINKED if estimator == "kinked" else FEWEST_POINTS
    distinct = len(np.unique(np.stack([years, values]), axis=1).T) if len(years) else 0
    if distinct < fewest:
        kind = "kinked trend" if estimator == "kinked" else "trend"
        raise ValueError(
            f"a {kind} needs at least {fewest} distinct points; got {distinct}. "
            "Widen the window of years, take more rows (a larger top, or all), or drop a filter."
        )
    if np.ptp(years) < SHORTEST_YEARS:
        raise ValueError(
            f"a trend needs points over at least {SHORTEST_YEARS:g} years; got {len(years)} points over "
            f"{np.ptp(years):.2g} years. Widen the window of years."
        )
    order = np.lexsort((values, years))
    return _fitted(years[order], np.log10(values[order]), recipe=recipe)


def _fitted(year: FloatArray, log10: FloatArray, *, recipe: Recipe) -> Trend:
    ones, n = np.ones((1, len(year))), len(year)
    line = refit(year, log10, weights=ones, recipe=recipe, kink_years=candidate_years(year))
    residual_sum = float(np.square(log10 - line.at(year)[0]).sum())
    bent = bool(line.bent[0])
    parameters = 4 if bent else 2
    reference = float(line.anchor[0]) if bent else (year[0] + year[-1]) / 2
    return Trend(
        estimator=recipe.estimator,
        quantile=recipe.quantile,
        reference_year=float(reference),
        intercept_log10=float(line.at(np.array([reference]))[0, 0]),
        slope_per_year=float(line.slope[0]),
        break_year=reference if bent else None,
        slope_before_per_year=float(line.before[0]) if bent else None,
        residual_sd_log10=float(np.sqrt(residual_sum / max(n - parameters, 1))),
        n=n,
        first_year=float(year[0]),
        last_year=float(year[-1]),
        bic=float(bic(residual_sum, n=n, parameters=parameters)),
    )
