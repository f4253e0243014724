"""Continuous lines with at most one kink, at a date on a calendar grid. BIC decides whether the kink is kept."""

import numpy as np

from analysis.arrays import FloatArray, product
from analysis.trend.lines import Lines

STEPS_YEAR = (1 / 12, 1 / 4, 1 / 2, 1.0)
MOST_CANDIDATES = 80
FEWEST_EITHER_SIDE = 5
SMALLEST_SHARE_EITHER_SIDE = 0.1
# A scatter below a millionth of an order of magnitude is numerical noise, in which no kink is fitted.
NO_SCATTER_LOG10 = 1e-6


def candidate_years(year: FloatArray) -> FloatArray:
    """Return the years to try for a kink, shape (k,). [year]

    They are calendar months, quarters, half-years or years: the finest step with at most 80 candidates. At least five
    points and a tenth of all points are on either side.
    """
    least = max(FEWEST_EITHER_SIDE, int(np.ceil(SMALLEST_SHARE_EITHER_SIDE * len(year))))
    if len(year) < 2 * least:
        return np.empty(0)
    ordered = np.sort(year)
    first, last = ordered[least - 1], ordered[-least]
    step = next(
        (s for s in STEPS_YEAR if (last - first) / s < MOST_CANDIDATES), (last - first) / MOST_CANDIDATES
    )
    grid = np.arange(np.ceil(first / step), np.floor(last / step) + 1) * step
    return grid[(grid >= first) & (grid <= last)]


def bic(residual_sum: FloatArray | float, *, n: FloatArray | float, parameters: int) -> FloatArray:
    """Return the Bayesian information criterion for normal scatter. Lower is better.

    References
    ----------
    Schwarz, "Estimating the dimension of a model", Ann. Stat. 6(2), 1978; constants dropped.
    """
    return np.asarray(n) * np.log(np.maximum(residual_sum / n, NO_SCATTER_LOG10**2)) + parameters * np.log(n)


def kinked(year: FloatArray, log10: FloatArray, *, weights: FloatArray, grid: FloatArray) -> Lines:
    """Return the best kinked line of each draw, or the straight line if BIC prefers it.

    The kink year, one of ``grid``, counts as a parameter (four against two). Each draw needs five points and
    a tenth of its points on either side.

    Notes
    -----
    With both slopes free, adding max(year - kink, 0) to the straight fit lowers its residual sum of squares
    by (hy - hx xy / xx)^2 / (hh - hx^2 / xx) in centred sums (Frisch and Waugh, 1933): no system is solved.
    """
    middle, centre = (year.min() + year.max()) / 2, log10.mean()
    x, y = year - middle, log10 - centre
    n, sx, sy, sxx, sxy, syy = product(
        weights, np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    ).T
    xx, xy, yy = sxx - sx * sx / n, sxy - sx * sy / n, syy - sy * sy / n
    slope, straight_sum = xy / xx, yy - xy * xy / xx
    level = (sy - slope * sx) / n
    straight = Lines.straight(level=centre + level, slope=slope).moved(middle)
    if not len(grid):
        return straight

    hinge = np.maximum(x[:, None] - (grid - middle)[None, :], 0)
    moments = [hinge, hinge * x[:, None], hinge * y[:, None], hinge * hinge, hinge > 0]
    sums = product(weights, np.concatenate(moments, axis=1))
    sh, shx, shy, shh, later = np.split(sums, 5, axis=1)
    hx = shx - sh * (sx / n)[:, None]
    hy = shy - sh * (sy / n)[:, None]
    hh = shh - sh * sh / n[:, None]
    left = hh - hx * hx / xx[:, None]
    least = np.maximum(FEWEST_EITHER_SIDE, SMALLEST_SHARE_EITHER_SIDE * n)[:, None]
    allowed = (later >= least) & (n[:, None] - later >= least) & (left > 1e-9 * np.maximum(hh, 1e-300))
    turn = np.where(allowed, (hy - hx * slope[:, None]) / np.where(allowed, left, 1), 0)
    gain = turn * turn * left
    best = np.argmax(gain, axis=1)
    row = np.arange(len(n))
    turn, gain, hinge_x, hinge_mean = turn[row, best], gain[row, best], hx[row, best], sh[row, best] / n

    before = slope - turn * hinge_x / xx
    start = sy / n - turn * hinge_mean - before * sx / n
    kink = grid[best]
    bent = bic(np.maximum(straight_sum - gain, 0), n=n, parameters=4) < bic(straight_sum, n=n, parameters=2)
    return Lines(
        anchor=np.where(bent, kink, straight.anchor),
        level=centre + np.where(bent, start + before * (kink - middle), level),
        before=np.where(bent, before, slope),
        slope=np.where(bent, before + turn, slope),
        bent=bent,
    )
