"""Lines through points of which some are known only to lie in an interval: interval regression, a kind of Tobit."""

import numpy as np
from scipy.special import ndtr

from analysis.arrays import FloatArray, product
from analysis.trend.lines import Lines

MOST_STEPS = 400
SETTLED_LOG10 = 1e-8
"""Steps end where no line moves by more than this anywhere. [log10]"""
LEAST_SCATTER_LOG10 = 1e-9
UNLIKELY = 1e-280


def interval_lines(
    year: FloatArray, log10: FloatArray, *, half_width: FloatArray, weights: FloatArray
) -> tuple[Lines, FloatArray]:
    """Return the line of greatest likelihood of each draw, and the scatter about it, shape (draws,) [log10].

    ``year`` and ``log10`` have shape (m,). A row with ``half_width`` zero, shape (m,) [log10], is known; another is
    known only to lie within that of its ``log10``. ``weights`` are whole numbers, how often each row counts in each
    draw, shape (draws, m). Without rows of an interval these are the lines of least squares.

    Notes
    -----
    The scatter is normal on log10, so the likelihood is that of Tobin's model with two limits a row. It is climbed by
    expectation and maximisation: a row of an interval is replaced by its mean and variance given the line, and the
    line laid anew, until nothing moves. All draws climb together.

    References
    ----------
    Tobin, "Estimation of relationships for limited dependent variables", Econometrica 26(1), 1958; Dempster, Laird and
    Rubin, J. R. Stat. Soc. B 39(1), 1977, section 4.3.
    """
    middle = (year.min() + year.max()) / 2
    x, centre = year - middle, float(log10.mean())
    y = log10 - centre
    held = np.flatnonzero(half_width > 0)
    sums = product(weights, np.stack([np.ones_like(x), x, x * x, y, x * y, y * y], axis=1))
    n, sx, sxx, sy, sxy, syy = sums.T
    own, at = weights[:, held], x[held]
    low, high = y[held] - half_width[held], y[held] + half_width[held]
    # What the rows known exactly add to the sums, and, as a start, the middles of the others.
    sy = sy - own @ y[held]
    sxy = sxy - own @ (at * y[held])
    syy = syy - own @ (y[held] ** 2)
    mean = np.broadcast_to(y[held], own.shape)
    variance = np.zeros_like(own)
    spread = n * sxx - sx * sx
    level, slope, scatter = np.zeros(len(n)), np.zeros(len(n)), np.zeros(len(n))
    reach = float(np.abs(x).max())
    for _ in range(MOST_STEPS):
        before = level, slope
        all_y = sy + (own * mean).sum(axis=1)
        all_xy = sxy + (own * mean * at).sum(axis=1)
        all_yy = syy + (own * (mean**2 + variance)).sum(axis=1)
        slope = (n * all_xy - sx * all_y) / spread
        level = (all_y - slope * sx) / n
        squares = all_yy - level * all_y - slope * all_xy
        scatter = np.sqrt(np.maximum(squares / n, LEAST_SCATTER_LOG10**2))
        moved = np.abs(level - before[0]).max() + reach * np.abs(slope - before[1]).max()
        if not len(held) or moved < SETTLED_LOG10:
            break
        line = level[:, None] + slope[:, None] * at
        mean, variance = moments_within(line, scatter[:, None], low=low, high=high)
    lines = Lines.straight(level=centre + level, slope=slope).moved(middle)
    return lines, scatter


def moments_within(
    mean: FloatArray, scatter: FloatArray, *, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return mean and variance of a normal number that is known to lie between ``low`` and ``high``.

    All arrays share a shape or broadcast to one. Where the normal has no weight there, the nearer end without variance.
    """
    left, right = (low - mean) / scatter, (high - mean) / scatter
    # In the upper tail the difference of two probabilities near one says nothing: it is taken from the other side.
    upper = left > 0
    first, second = np.where(upper, -right, left), np.where(upper, -left, right)
    chance = ndtr(second) - ndtr(first)
    bell = [np.exp(-np.square(end) / 2) / np.sqrt(2 * np.pi) for end in (left, right)]
    possible = chance > UNLIKELY
    safe = np.where(possible, chance, 1.0)
    shift = (bell[0] - bell[1]) / safe
    shrink = 1 + (left * bell[0] - right * bell[1]) / safe - np.square(shift)
    nearer = np.where(upper, low, high)
    inside = np.clip(mean + scatter * shift, low, high)
    return (
        np.where(possible, inside, nearer),
        np.where(possible, np.square(scatter) * np.clip(shrink, 0, 1), 0.0),
    )
