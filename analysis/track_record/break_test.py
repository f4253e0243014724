"""Test for a break in the trend: the best single break against a straight line, with a p-value."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.arrays import FloatArray, product
from analysis.intervals import SEED
from analysis.trend.kinks import candidate_years
from analysis.trend.trend import Trend, fit, power_of_ten

BLOCK_POINTS = 5
SMALL_P = 0.05


@dataclass(frozen=True, kw_only=True)
class BreakTest:
    """The best-fitting break, accepted or not, and the evidence for it.

    ``growth_before`` and ``growth_after`` are factors a year; ``bic_gain`` is how much lower the kinked BIC is
    (positive: kink preferred). ``p_value`` is how often a straight trend with the same scatter, resampled in blocks of
    neighbours, has as strong a break somewhere.
    """

    break_year: float
    growth_before: float
    growth_after: float
    bic_gain: float
    p_value: float
    n: int

    @property
    def slower(self) -> bool:
        """Return whether growth was slower after the break than before it."""
        return self.growth_after < self.growth_before

    @property
    def verdict(self) -> Literal["established", "possible", "none"]:
        """Return how well a break is supported: by both p-value and information criterion, by one, or by neither."""
        rare, preferred = self.p_value <= SMALL_P, self.bic_gain > 0
        if rare and preferred:
            return "established"
        return "possible" if rare or preferred else "none"


def break_test(year: ArrayLike, value: ArrayLike, *, draws: int = 1000) -> BreakTest:
    """Return the evidence for one break in the trend of positive ``value`` over decimal ``year``, each of shape (n,).

    Raises ValueError if there are too few points for a break with five on either side.

    Notes
    -----
    The largest reduction of the residual sum over all break years (Andrews, Econometrica 61(4), 1993) has no standard
    distribution here. It is therefore simulated by resampling residuals of the straight line, in circular blocks of
    five neighbours, on the same dates. Dependence from the selection of record rows is preserved only within blocks.
    """
    x, y = np.asarray(year, dtype=np.float64), np.log10(np.asarray(value, dtype=np.float64))
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    grid = candidate_years(x)
    if not len(grid):
        raise ValueError(
            f"a break is looked for with at least 5 points on either side; got {len(x)} points. Widen the "
            "window of years or take more rows (a larger top, or all)."
        )
    straight: Trend = fit(x, power_of_ten(y), estimator="least-squares")
    residual = y - straight.at_log10(x)
    basis = np.stack([np.ones_like(x), x - x.mean()], axis=1)
    basis /= np.linalg.norm(basis, axis=0)
    hinge = np.maximum(x[:, None] - grid[None, :], 0)
    hinge -= basis @ (basis.T @ hinge)
    length = np.linalg.norm(hinge, axis=0)
    sound = length > 1e-9
    hinge, grid = hinge[:, sound] / length[sound], grid[sound]

    def strongest(rows: FloatArray) -> tuple[FloatArray, NDArray[np.intp]]:
        centred = rows - (rows @ basis) @ basis.T
        gains = np.square(product(centred, hinge))
        best = np.argmax(gains, axis=1)
        total = np.square(centred).sum(axis=1)
        return gains[np.arange(len(rows)), best] / np.maximum(total, 1e-300), best

    share, best = strongest(residual[None, :])
    generator = np.random.default_rng(SEED)
    blocks = -(-len(x) // BLOCK_POINTS)
    starts = generator.integers(0, len(x), (draws, blocks))
    places = (starts[:, :, None] + np.arange(BLOCK_POINTS)).reshape(draws, -1)[:, : len(x)] % len(x)
    by_chance, _ = strongest(residual[places])
    turn = float(grid[best[0]])
    design = np.stack([np.ones_like(x), np.minimum(x - turn, 0), np.maximum(x - turn, 0)], axis=1)
    _, before, after = np.linalg.lstsq(design, y, rcond=None)[0]
    n = len(x)
    gain = -n * np.log(max(1 - float(share[0]), 1e-12)) - 2 * np.log(n)
    return BreakTest(
        break_year=turn,
        growth_before=float(power_of_ten(before)),
        growth_after=float(power_of_ten(after)),
        bic_gain=float(gain),
        p_value=float((1 + (by_chance >= share[0]).sum()) / (draws + 1)),
        n=n,
    )
