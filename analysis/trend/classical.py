"""Classical intervals of a trend, from the scatter of fixed points around the line."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from analysis.arrays import FloatArray
from analysis.trend.ranks import pair_slopes
from analysis.trend.trend import Trend


@dataclass(frozen=True, kw_only=True, eq=False)
class Classical:
    """The classical uncertainty of a trend.

    ``slope_low`` and ``slope_high`` bound the slope [log10 per year]; ``covariance`` is that of the line's coefficients
    in the basis of :func:`basis`, or None for Theil-Sen, which has only a slope interval.
    """

    slope_low: float
    slope_high: float
    covariance: FloatArray | None
    reach: float
    turning_year: float


def basis(trend: Trend, year: FloatArray) -> FloatArray:
    """Return the design matrix for the trend's coefficients, one row per year, shape (len(year), 2 or 3).

    Coefficients are the height at the reference year and the slope; if kinked, the slopes before and after.
    """
    gone = np.asarray(year, dtype=np.float64) - trend.reference_year
    if trend.break_year is None:
        return np.stack([np.ones_like(gone), gone], axis=1)
    return np.stack([np.ones_like(gone), np.minimum(gone, 0), np.maximum(gone, 0)], axis=1)


def classical(trend: Trend, *, year: FloatArray, log10: FloatArray, level: float) -> Classical:
    """Return the textbook interval for the trend's estimator.

    It is Student's t for least squares, the same with a known break year if kinked, Powell's kernel sandwich for
    quantiles, and Sen's interval from the rank correlation for Theil-Sen.

    References
    ----------
    Sen, JASA 63(324), 1968; Powell, "Estimation of monotonic regression models under quantile restrictions",
    in Barnett, Powell and Tauchen (eds), 1991; Hall and Sheather, J. R. Stat. Soc. B 50(3), 1988.
    """
    design = basis(trend, year)
    residual = log10 - trend.at_log10(year)
    freedom = max(len(year) - design.shape[1], 1)
    reach = float(stdtrit(freedom, (1 + level) / 2))
    turning = float(np.median(year))
    if trend.estimator == "theil-sen":
        low, high = sen_interval(year, log10, level=level)
        return Classical(slope_low=low, slope_high=high, covariance=None, reach=reach, turning_year=turning)
    inverse = np.linalg.inv(design.T @ design)
    if trend.estimator == "quantile":
        covariance = _kernel_sandwich(design, residual, inverse=inverse, quantile=trend.quantile)
    else:
        covariance = inverse * (residual @ residual) / freedom
    half = reach * float(np.sqrt(covariance[-1, -1]))
    return Classical(
        slope_low=trend.slope_per_year - half,
        slope_high=trend.slope_per_year + half,
        covariance=covariance,
        reach=reach,
        turning_year=turning,
    )


def sen_interval(year: FloatArray, log10: FloatArray, *, level: float) -> tuple[float, float]:
    """Return Sen's (1968) interval for the Theil-Sen slope, corrected for ties. [log10 per year]"""
    slopes = pair_slopes(year, log10)[0]
    n = len(year)

    def spread(counts: NDArray[np.integer]) -> float:
        return float((counts * (counts - 1) * (2 * counts + 5)).sum())

    ties = sum(spread(np.unique(side, return_counts=True)[1]) for side in (year, log10))
    sigma = np.sqrt((n * (n - 1) * (2 * n + 5) - ties) / 18)
    reach = float(ndtri((1 + level) / 2)) * sigma
    high = min(round((len(slopes) + reach) / 2), len(slopes) - 1)
    low = max(round((len(slopes) - reach) / 2) - 1, 0)
    return float(slopes[low]), float(slopes[high])


def _kernel_sandwich(
    design: FloatArray, residual: FloatArray, *, inverse: FloatArray, quantile: float
) -> FloatArray:
    """Return Powell's covariance of a quantile line, with the Epanechnikov kernel and the Hall-Sheather bandwidth."""
    n = len(residual)
    z = ndtri(quantile)
    density = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    h = n ** (-1 / 3) * ndtri(0.975) ** (2 / 3) * (1.5 * density**2 / (2 * z * z + 1)) ** (1 / 3)
    while quantile - h <= 0 or quantile + h >= 1:
        h /= 2
    quartiles = np.quantile(residual, [0.25, 0.75])
    scatter = min(float(residual.std(ddof=1)), float(quartiles[1] - quartiles[0]) / 1.34)
    width = scatter * float(ndtri(quantile + h) - ndtri(quantile - h))
    if width < 1e-7:
        return np.zeros_like(inverse)
    kernel = 0.75 * np.maximum(1 - np.square(residual / width), 0) / width
    bread = np.linalg.inv((design * kernel[:, None]).T @ design)
    return quantile * (1 - quantile) * bread @ (design.T @ design) @ bread
