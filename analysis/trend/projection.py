"""Projection of a trend, with separate intervals for the trend and for a new point."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.trend.classical import Classical, basis
from analysis.trend.lines import Lines
from analysis.trend.trend import Trend, power_of_ten

REACH_SHARE = 0.5


@dataclass(frozen=True, kw_only=True, eq=False)
class Projection:
    """A trend in given years, in the unit of the series. Every array has shape (m,).

    ``confidence`` bounds the trend itself and ``prediction`` a new point, each at ``level``.
    """

    year: FloatArray
    value: FloatArray
    confidence_low: FloatArray
    confidence_high: FloatArray
    prediction_low: FloatArray
    prediction_high: FloatArray
    level: float


def reach_year(trend: Trend) -> float:
    """Return the last year plus half the fitted span (since the kink, if there is one). [year]"""
    start = trend.first_year if trend.break_year is None else trend.break_year
    return trend.last_year + REACH_SHARE * (trend.last_year - start)


def project(
    trend: Trend,
    *,
    year: ArrayLike,
    level: float,
    lines: Lines | None,
    classical: Classical | None,
    residuals: FloatArray,
    tail: float,
    seed: int,
) -> Projection:
    """Return the projection. Its intervals come from ``lines`` (bootstrap) or ``classical``.

    ``residuals`` are those of the fitted points, shape (n,) [log10]; ``tail`` is the share of draws cut off at each
    end.
    """
    years = np.atleast_1d(np.asarray(year, dtype=np.float64))
    if not np.isfinite(years).all():
        raise ValueError(
            "year is a list of finite decimal years to project to; got one that is not. Leave it out."
        )
    if lines is not None:
        confidence, prediction = _from_draws(years, lines=lines, residuals=residuals, tail=tail, seed=seed)
    elif classical is not None:
        confidence, prediction = _from_textbook(
            trend, years, classical=classical, residuals=residuals, level=level
        )
    else:
        raise ValueError(
            "a projection needs an interval; got neither refits nor a classical one. Pass one of them."
        )
    return Projection(
        year=years,
        value=trend.at(years),
        confidence_low=power_of_ten(confidence[0]),
        confidence_high=power_of_ten(confidence[1]),
        prediction_low=power_of_ten(prediction[0]),
        prediction_high=power_of_ten(prediction[1]),
        level=level,
    )


def _inflated(residuals: FloatArray) -> FloatArray:
    n = len(residuals)
    return residuals * np.sqrt(n / max(n - 2, 1))


def _from_draws(
    years: FloatArray, *, lines: Lines, residuals: FloatArray, tail: float, seed: int
) -> tuple[FloatArray, FloatArray]:
    heights = lines.at(years)
    pick = np.random.default_rng([seed, 1]).integers(0, len(residuals), len(heights))
    points = heights + _inflated(residuals)[pick][:, None]
    return _ends(heights, tail=tail), _ends(points, tail=tail)


def _ends(draws: FloatArray, *, tail: float) -> FloatArray:
    """Return each column's quantiles at ``tail`` and 1 - ``tail``. Sorting is three times as fast as np.quantile."""
    ordered = np.sort(np.ascontiguousarray(draws.T), axis=1).T
    at = np.array([tail, 1 - tail]) * (len(ordered) - 1)
    below = at.astype(int)
    low, high = ordered[below], ordered[np.minimum(below + 1, len(ordered) - 1)]
    return low + (at - below)[:, None] * (high - low)


def _from_textbook(
    trend: Trend, years: FloatArray, *, classical: Classical, residuals: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    line = trend.at_log10(years)
    if classical.covariance is None:
        turn = years - classical.turning_year
        sides = np.outer(
            [classical.slope_low - trend.slope_per_year, classical.slope_high - trend.slope_per_year], turn
        )
        below, above = -sides.min(axis=0), sides.max(axis=0)
    else:
        design = basis(trend, years)
        variance = np.einsum("ij,jk,ik->i", design, classical.covariance, design)
        below = above = classical.reach * np.sqrt(np.maximum(variance, 0))
    confidence = np.stack([line - below, line + above])
    if trend.estimator in ("least-squares", "kinked"):
        scatter = classical.reach * trend.residual_sd_log10
        under = over = np.full_like(line, scatter)
    else:
        ends = np.quantile(_inflated(residuals), [(1 - level) / 2, (1 + level) / 2])
        under, over = np.full_like(line, max(-ends[0], 0)), np.full_like(line, max(ends[1], 0))
    return confidence, np.stack([line - np.hypot(below, under), line + np.hypot(above, over)])
