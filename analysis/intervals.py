"""Central intervals of draws, and intervals of shares of dependent rows."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from analysis.arrays import BoolArray, FloatArray

SEED = 20260723
"""Default seed of sampled intervals."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A number with its central interval in the same unit. Bounds are NaN if there is no interval."""

    value: float
    low: float = math.nan
    high: float = math.nan

    @classmethod
    def median_of(cls, drawn: FloatArray, *, level: float) -> "Estimate":
        """Return the median of draws, shape (n,), with its central interval at a level such as 0.9."""
        low, high = central_interval(drawn, level=level)
        return cls(value=float(np.quantile(drawn, 0.5)), low=float(low), high=float(high))

    def times(self, factor: float) -> "Estimate":
        """Return the estimate multiplied by ``factor``."""
        return Estimate(value=factor * self.value, low=factor * self.low, high=factor * self.high)

    def at_least(self, least: float) -> "Estimate":
        """Return the estimate with its lower bound raised to ``least``. NaN stays NaN."""
        return replace(self, low=self.low if math.isnan(self.low) else max(self.low, least))


@dataclass(frozen=True, kw_only=True)
class DrawnRate(Estimate):
    """A yearly factor with its interval, its draws, shape (draws,), and the number of points behind it. [1]"""

    draws: FloatArray
    n: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class Resamples:
    """Numbers in resamples, shape (draws,), and the ``tail`` cut at each end. Draws of equal ``sample`` are paired."""

    sample: bytes
    value: FloatArray
    tail: float

    def over(self, other: "Resamples") -> tuple[float, float] | None:
        """Return the interval of this number's ratio to another. None if their resamples are not paired."""
        if (self.sample, self.value.shape) != (other.sample, other.value.shape):
            return None
        tail = min(self.tail, other.tail)
        low, high = np.quantile(self.value / other.value, [tail, 1 - tail])
        return float(low), float(high)


def product_bounds(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """Return the bounds of two independent factors' product, divided by its median. Log widths add in quadrature."""
    low, high = (np.hypot(np.log(a), np.log(b)) for a, b in zip(one, other, strict=True))
    return float(np.exp(-low)), float(np.exp(high))


def chance_below(one: Estimate, other: Estimate, *, level: float) -> float:
    """Return the probability that ``one`` is below ``other``, which is larger, if their errors are independent. [1]

    Both are positive, with bounds at ``level``. As in :func:`product_bounds`, log widths add in quadrature; each side
    of an interval is half a normal distribution.
    """
    width = math.hypot(math.log(one.high / one.value), math.log(other.value / other.low))
    return float(ndtr(ndtri((1 + level) / 2) * math.log(other.value / one.value) / width))


def check_level(level: float) -> None:
    """Validate a confidence level.

    Raises ValueError if the level is not strictly between 0 and 1.
    """
    if not 0 < level < 1:
        hint = f"For {level:g}% pass {level / 100:g}." if 1 < level < 100 else "For 90% pass 0.9."
        raise ValueError(f"level is a probability strictly between 0 and 1; got {level:g}. {hint}")


def central_interval(drawn: FloatArray, *, level: float) -> tuple[FloatArray, FloatArray]:
    """Return bounds, shape (...), that contain the share ``level`` of draws of shape (draws, ...)."""
    check_level(level)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def independent_rows(held: BoolArray, *, groups: ArrayLike, most: float | None = None) -> float:
    """Return the effective number of independent rows behind a share whose rows come in groups. [1]

    Rows of one group, such as a chip, are correlated: treating them as independent would make the interval of the share
    too narrow. ``most`` is the upper limit, all rows if None.

    References
    ----------
    Korn and Graubard, "Confidence intervals for proportions with small expected number of positive counts estimated
    from survey data", Survey Methodology 24, 1998: effective sample size of a cluster sample, no more than its rows.
    """
    share = float(np.mean(held))
    member = np.unique(np.asarray(groups), return_inverse=True)[1]
    off = np.bincount(member, weights=np.asarray(held, dtype=float) - share)
    if len(off) < 2 or share in (0.0, 1.0):
        return float(len(off) if most is None else most)
    variance = len(off) / (len(off) - 1) * float(np.square(off).sum()) / len(member) ** 2
    return min(
        float(len(member) if most is None else most), max(share * (1 - share) / max(variance, 1e-12), 1.0)
    )


def wilson(share: float, *, n: float, level: float = 0.9) -> tuple[float, float]:
    """Return the Wilson interval of a share observed in ``n`` independent trials.

    References
    ----------
    Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.
    """
    z = float(ndtri((1 + level) / 2))
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * float(np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)))
    return max(min(centre - half, share), 0.0), min(max(centre + half, share), 1.0)
