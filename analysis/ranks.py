"""Lines that resist outliers, for many weightings at once: Theil-Sen and quantile regression, both exact."""

import numpy as np
from numpy.typing import NDArray

from analysis.lines import Lines

FloatArray = NDArray[np.floating]
IntArray = NDArray[np.integer]
MOST_POINTS = 3000
CHUNK_CELLS = 2_000_000
PILOT_DRAWS = 48
FEW_PAIRS = 4000
MOST_PIVOTS = 200


def _refuse_too_many(n: int, name: str) -> None:
    if n > MOST_POINTS:
        raise ValueError(
            f"{name} compares every pair of points, at most {MOST_POINTS:,} points; got {n:,}. "
            "Use least squares or a shorter window."
        )


def _middle(values: FloatArray, *, running: FloatArray, total: FloatArray) -> FloatArray:
    """Return the median of sorted values whose running weights are given, halfway where two share it."""
    lower = np.argmax(2 * running >= total[:, None], axis=1)
    upper = np.argmax(2 * running > total[:, None], axis=1)
    if values.ndim == 1:
        return (values[lower] + values[upper]) / 2
    row = np.arange(len(values))
    return (values[row, lower] + values[row, upper]) / 2


def _row_medians(values: FloatArray, *, weights: FloatArray) -> FloatArray:
    order = np.argsort(values, axis=1)
    running = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    return _middle(np.take_along_axis(values, order, axis=1), running=running, total=running[:, -1])


def pair_slopes(x: FloatArray, y: FloatArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the slopes between points of different years, ascending, and the two points of each, shape (pairs,)."""
    i, j = np.triu_indices(len(x), 1)
    apart = x[i] != x[j]
    i, j = i[apart], j[apart]
    slope = (y[j] - y[i]) / (x[j] - x[i])
    order = np.argsort(slope, kind="stable")
    return slope[order], i[order], j[order]


def theil_sen(x: FloatArray, y: FloatArray, *, weights: FloatArray) -> Lines:
    """Return the Theil-Sen line of each draw: median slope over pairs of different years, median residual.

    A few draws find where the median lies; the rest then sort only the pairs near it, which is exact because
    every draw checks that its median is inside, and starts over with all pairs if not.

    References
    ----------
    Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA 63(324), 1968.
    """
    _refuse_too_many(len(x), "Theil-Sen")
    slopes, i, j = pair_slopes(x, y)
    counts = weights.astype(np.float64)
    if len(slopes) <= FEW_PAIRS or len(counts) <= PILOT_DRAWS:
        slope = _pair_medians(slopes, i, j, counts)
    else:
        slope = np.empty(len(counts))
        slope[:PILOT_DRAWS] = _pair_medians(slopes, i, j, counts[:PILOT_DRAWS])
        slope[PILOT_DRAWS:] = _near_medians(slopes, i, j, counts[PILOT_DRAWS:], pilot=slope[:PILOT_DRAWS])
    level = _row_medians(y[None, :] - slope[:, None] * x[None, :], weights=counts)
    return Lines.straight(level=level, slope=slope)


def _pair_medians(slopes: FloatArray, i: IntArray, j: IntArray, counts: FloatArray) -> FloatArray:
    parts = []
    for chunk in np.array_split(counts, max(1, -(-len(counts) * len(slopes) // CHUNK_CELLS))):
        running = np.cumsum(chunk[:, i] * chunk[:, j], axis=1)
        parts.append(_middle(slopes, running=running, total=running[:, -1]))
    return np.concatenate(parts)


def _near_medians(
    slopes: FloatArray, i: IntArray, j: IntArray, counts: FloatArray, *, pilot: FloatArray
) -> FloatArray:
    reach = np.ptp(pilot)
    first = int(np.searchsorted(slopes, pilot.min() - 0.7 * reach, side="left"))
    stop = int(np.searchsorted(slopes, pilot.max() + 0.7 * reach, side="right"))
    below, anywhere = np.zeros((2, counts.shape[1], counts.shape[1]))
    below[i[:first], j[:first]] = 1
    anywhere[i, j] = 1
    total = np.einsum("dj,dj->d", counts @ anywhere, counts)
    already = np.einsum("dj,dj->d", counts @ below, counts)
    near, a, b = slopes[first:stop], i[first:stop], j[first:stop]
    slope = np.full(len(counts), np.nan)
    for rows in np.array_split(np.arange(len(counts)), max(1, -(-len(counts) * len(near) // CHUNK_CELLS))):
        running = already[rows, None] + np.cumsum(counts[rows][:, a] * counts[rows][:, b], axis=1)
        inside = (2 * already[rows] < total[rows]) & (2 * running[:, -1] > total[rows])
        slope[rows[inside]] = _middle(near, running=running[inside], total=total[rows[inside]])
    outside = np.isnan(slope)
    if outside.any():
        slope[outside] = _pair_medians(slopes, i, j, counts[outside])
    return slope


def quantile_lines(x: FloatArray, y: FloatArray, *, weights: FloatArray, quantile: float) -> Lines:
    """Return the quantile-regression line of each draw, an exact optimum of the check loss.

    Some optimal line passes through two points. From a line through one point, the best slope through it is a
    weighted quantile of the slopes to all others; the point it meets becomes the next pivot, until turning
    about either point of the line no longer helps. Points are set apart by at most 1e-9 orders of magnitude
    so that no three share a line; that is the tolerance of the answer.

    References
    ----------
    Koenker and Bassett, "Regression quantiles", Econometrica 46(1), 1978, theorem 3.1; the descent is that of
    Bloomfield and Steiger, "Least absolute deviations curve-fitting", SIAM J. Sci. Stat. Comput. 1(2), 1980.
    """
    _refuse_too_many(len(x), "The quantile line")
    y = _set_apart(x, y)
    away = x[None, :] - x[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        slopes = np.where(away == 0, np.inf, (y[None, :] - y[:, None]) / away)
    order = np.argsort(slopes, axis=1, kind="stable").astype(np.int32)
    distance = np.take_along_axis(np.abs(away), order, axis=1)
    push = np.where(away > 0, quantile * away, (quantile - 1) * away)

    counts = weights.astype(np.float64)
    pivot = np.full(len(counts), np.argmin(np.abs(x - np.median(x))), dtype=np.int64)
    previous = np.full(len(counts), -1, dtype=np.int64)
    active = np.arange(len(counts))
    for _ in range(MOST_PIVOTS):
        met = _best_turn(counts[active], pivot[active], order=order, distance=distance, push=push)
        moving = met != previous[active]
        previous[active], pivot[active] = pivot[active], met
        active = active[moving]
        if not len(active):
            break
    slope = slopes[previous, pivot]
    return Lines.straight(level=y[pivot] - slope * x[pivot], slope=slope)


def _best_turn(
    counts: FloatArray, pivot: IntArray, *, order: IntArray, distance: FloatArray, push: FloatArray
) -> IntArray:
    """Return the point that the best line through each draw's pivot meets, shape (draws,)."""
    target = np.einsum("di,di->d", counts, push[pivot])
    running = np.cumsum(np.take_along_axis(counts, order[pivot], axis=1) * distance[pivot], axis=1)
    place = np.argmax(running >= (target * (1 - 1e-12))[:, None], axis=1)
    return order[pivot, place].astype(np.int64)


def _set_apart(x: FloatArray, y: FloatArray) -> FloatArray:
    rank = np.empty(len(x))
    rank[np.lexsort((y, x))] = np.arange(len(x))
    return y + 1e-9 * np.mod((rank + 1) ** 2 * 0.6180339887498949, 1)
