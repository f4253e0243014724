"""Exact robust lines for many weightings at once: Theil-Sen and quantile regression."""

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import FloatArray, IntArray, product
from analysis.trend.lines import Lines

MOST_POINTS = 3000
CHUNK_CELLS = 1_000_000
BLOCK = 64
PILOT_DRAWS = 48
FEW_PAIRS = 4000
MOST_PIVOTS = 200


def _refuse_too_many(n: int, name: str) -> None:
    if n > MOST_POINTS:
        raise ValueError(
            f"{name} compares every pair of points, at most {MOST_POINTS:,} points; got {n:,}. "
            "Use least squares or a shorter window."
        )


def _row_medians(values: FloatArray, *, weights: FloatArray) -> FloatArray:
    """Return the weighted median of each row, shape (draws,). It is the midpoint if there are two middle values."""
    order = np.argsort(values, axis=1)
    running = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    row, total = np.arange(len(values)), running[:, -1:]
    lower = order[row, np.argmax(2 * running >= total, axis=1)]
    upper = order[row, np.argmax(2 * running > total, axis=1)]
    return (values[row, lower] + values[row, upper]) / 2


def pair_slopes(x: FloatArray, y: FloatArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Return the slopes between points of different years, ascending, and both points' indices, shape (pairs,)."""
    i, j = np.triu_indices(len(x), 1)
    apart = x[i] != x[j]
    i, j = i[apart], j[apart]
    slope = (y[j] - y[i]) / (x[j] - x[i])
    order = np.argsort(slope, kind="stable")
    return slope[order], i[order], j[order]


def theil_sen(x: FloatArray, y: FloatArray, *, weights: FloatArray) -> Lines:
    """Return the Theil-Sen line of each draw, from the median slope and the median residual.

    A few draws locate the median; the others then sort only the pairs near it. This is exact because every draw checks
    that its median is inside, and starts over with all pairs if not.

    References
    ----------
    Sen, "Estimates of the regression coefficient based on Kendall's tau", JASA 63(324), 1968.
    """
    _refuse_too_many(len(x), "Theil-Sen")
    slopes, i, j = pair_slopes(x, y)
    # One row per point, and a last one that is in no draw; whole numbers below 2**24 are exact.
    counts = np.concatenate([weights.T, np.zeros((1, len(weights)))]).astype(np.float32)
    if len(slopes) <= FEW_PAIRS or len(weights) <= PILOT_DRAWS:
        slope = _pair_medians(slopes, i=i, j=j, counts=counts)
    else:
        pilot = _pair_medians(slopes, i=i, j=j, counts=counts[:, :PILOT_DRAWS])
        slope = np.concatenate(
            [pilot, _near_medians(slopes, i=i, j=j, counts=counts[:, PILOT_DRAWS:], pilot=pilot)]
        )
    level = _row_medians(y[None, :] - slope[:, None] * x[None, :], weights=weights)
    return Lines.straight(level=level, slope=slope)


def _pair_medians(
    slopes: FloatArray,
    *,
    i: IntArray,
    j: IntArray,
    counts: NDArray[np.float32],
    below: FloatArray | None = None,
    total: FloatArray | None = None,
) -> FloatArray:
    """Return the median slope of each draw, shape (draws,). NaN if the given pairs do not include it.

    ``below`` is the weight of the pairs under the given ones and ``total`` that of all, shape (draws,).
    """
    spare = -len(slopes) % BLOCK
    i, j = (np.concatenate([side, np.full(spare, len(counts) - 1)]) for side in (i, j))
    slopes = np.concatenate([slopes, np.full(spare, slopes[-1])])
    draws = counts.shape[1]
    median = np.empty(draws)
    for some in np.array_split(np.arange(draws), max(1, -(-draws * len(slopes) // CHUNK_CELLS))):
        held = np.ascontiguousarray(counts[:, some[0] : some[-1] + 1])
        sums = (held[i] * held[j]).reshape(-1, BLOCK, len(some)).sum(axis=1)
        start = np.zeros(len(some)) if below is None else below[some]
        running = start + np.cumsum(sums, axis=0)
        half = (running[-1] if total is None else total[some]) / 2
        lower, upper = (
            _crossing(running, sums=sums, held=held, i=i, j=j, half=half, strictly=strictly)
            for strictly in (False, True)
        )
        inside = (start < half) & (running[-1] > half)
        median[some] = np.where(inside, (slopes[lower] + slopes[upper]) / 2, np.nan)
    return median


def _crossing(
    running: FloatArray,
    *,
    sums: FloatArray,
    held: FloatArray,
    i: IntArray,
    j: IntArray,
    half: FloatArray,
    strictly: bool,
) -> IntArray:
    """Return the first pair where each draw's cumulative weight reaches ``half``, or exceeds it if ``strictly`` is set.

    ``running`` and ``sums`` are per block of pairs; only the block of the crossing is expanded.
    """

    def short(weight: FloatArray, goal: FloatArray) -> NDArray[np.bool_]:
        return weight <= goal if strictly else weight < goal

    block = np.minimum(short(running, half).sum(axis=0), len(running) - 1)
    draw = np.arange(len(half))
    inside = block[:, None] * BLOCK + np.arange(BLOCK)
    single = held[i[inside], draw[:, None]] * held[j[inside], draw[:, None]]
    upto = (running[block, draw] - sums[block, draw])[:, None] + np.cumsum(single, axis=1)
    return inside[:, 0] + np.minimum(short(upto, half[:, None]).sum(axis=1), BLOCK - 1)


def _near_medians(
    slopes: FloatArray, *, i: IntArray, j: IntArray, counts: NDArray[np.float32], pilot: FloatArray
) -> FloatArray:
    reach = np.ptp(pilot)
    first = max(0, int(np.searchsorted(slopes, pilot.min() - 0.7 * reach, side="left")) - 1)
    stop = int(np.searchsorted(slopes, pilot.max() + 0.7 * reach, side="right")) + 1
    under, anywhere = np.zeros((2, len(counts), len(counts)), dtype=np.float32)
    under[i[:first], j[:first]] = 1
    anywhere[i, j] = 1
    total = np.einsum("jd,jd->d", product(counts.T, anywhere).T, counts, dtype=np.float64)
    below = np.einsum("jd,jd->d", product(counts.T, under).T, counts, dtype=np.float64)
    near = slice(first, stop)
    slope = _pair_medians(slopes[near], i=i[near], j=j[near], counts=counts, below=below, total=total)
    outside = np.isnan(slope)
    if outside.any():
        slope[outside] = _pair_medians(slopes, i=i, j=j, counts=counts[:, outside])
    return slope


def quantile_lines(x: FloatArray, y: FloatArray, *, weights: FloatArray, quantile: float) -> Lines:
    """Return the quantile-regression line of each draw, an exact minimum of the check loss.

    Some optimal line passes through two points. From a line through one point, the best slope through it is a weighted
    quantile of the slopes to all others; the point it meets becomes the next pivot, until rotating around either point
    of the line no longer helps. Points are perturbed by at most 1e-9 orders of magnitude so that no three are
    collinear; that is the tolerance of the result.

    References
    ----------
    Koenker and Bassett, "Regression quantiles", Econometrica 46(1), 1978; the descent is that of
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
    """Return the second point on the best line through each draw's pivot, as an index, shape (draws,)."""
    target = np.einsum("di,di->d", counts, push[pivot])
    running = np.cumsum(np.take_along_axis(counts, order[pivot], axis=1) * distance[pivot], axis=1)
    place = np.argmax(running >= (target * (1 - 1e-12))[:, None], axis=1)
    return order[pivot, place].astype(np.int64)


def _set_apart(x: FloatArray, y: FloatArray) -> FloatArray:
    rank = np.empty(len(x))
    rank[np.lexsort((y, x))] = np.arange(len(x))
    return y + 1e-9 * np.mod((rank + 1) ** 2 * 0.6180339887498949, 1)
