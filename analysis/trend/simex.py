"""What errors of the values do to a growth rate, and the rate without them: simulation and extrapolation (SIMEX)."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import BoolArray, FloatArray, IntArray
from analysis.intervals import SEED
from analysis.trend.bootstrap import cluster_numbers, expanded_tail
from analysis.trend.growth import FEWEST_CLUSTERS, Series, Window
from analysis.trend.selection import Rule
from analysis.trend.trend import power_of_ten

ADDED = (0.0, 0.5, 1.0, 1.5, 2.0)
"""How much variance is added, in multiples of that of the errors; -1 would take them away."""
FEWEST_ROWS = 3
MOST_CELLS = 1_000_000
"""So many rows of histories are worked on at once, some 80 MB. [histories x rows]"""


@dataclass(frozen=True, kw_only=True)
class Corrected:
    """The yearly growth with the errors undone and its interval, of ``n`` rows."""

    yearly_growth: float
    low: float
    high: float
    n: int


def without_errors(
    series: Series,
    *,
    error_sd: FloatArray,
    rule: Rule,
    window: Window,
    level: float = 0.9,
    clustered: bool = True,
    draws: int = 200,
    simulations: int = 120,
    seed: int = SEED,
) -> Corrected:
    """Return the least-squares growth of the rows that ``rule`` picks and ``window`` keeps, errors undone.

    ``error_sd`` is the standard deviation of each row's error, shape (rows,), 0 where it is exact [log10]. Errors of
    that kind are added in growing measure, rows are picked and the line fitted again, and the slope is carried back
    along a parabola to where no error would be left. The interval is of ``draws`` bootstrap draws of rows, or of whole
    clusters, each corrected with ``simulations`` / 30 errors of its own.

    Raises
    ------
    ValueError
        If errors are not of the series, negative or unknown, or too few rows are picked for a line.

    Notes
    -----
    An error of the value alone does not bend a regression on time; it does so through the rule: an overestimated row
    gets onto the frontier, an underestimated one falls off, and the more so the more rows compete.

    References
    ----------
    Cook and Stefanski, "Simulation-extrapolation estimation in parametric measurement error models", J. Am. Stat.
    Assoc. 89(428), 1994.
    """
    sd = np.asarray(error_sd, dtype=np.float64)
    if sd.shape != series.year.shape or not (np.isfinite(sd).all() and (sd >= 0).all()):
        raise ValueError(
            f"error_sd is one finite number, 0 or more, for each of {len(series.year)} rows; got {sd.size} with "
            f"{int((~(sd >= 0)).sum())} below 0 or unknown. Pass 0 where a value is exact."
        )
    order = np.lexsort((series.name.astype(str), series.value, series.year))
    year, log10, sd = series.year[order], np.log10(series.value[order]), sd[order]
    generator = np.random.default_rng(seed)
    whole = np.arange(len(year))[None, :]
    picked = leading(year[None, :], log10[None, :], rule=rule)[0] & window.holds(year)
    if picked.sum() < FEWEST_ROWS or np.ptp(year[picked]) == 0:
        raise ValueError(
            f"a line needs at least {FEWEST_ROWS} rows of two moments; got {int(picked.sum())}. Widen the window of "
            "years or take more rows."
        )
    ask = {"year": year, "log10": log10, "sd": sd, "rule": rule, "window": window, "generator": generator}
    point = _corrected(np.repeat(whole, simulations, axis=0), **ask)
    plain, correction = float(point[0, 0]), float(np.nanmean(point[:, 1] - point[:, 0]))
    numbers = cluster_numbers(series.cluster[order]) if clustered else np.arange(len(year))
    groups = len(np.unique(numbers[picked]))
    if groups < FEWEST_CLUSTERS:
        numbers, groups = np.arange(len(year)), int(picked.sum())
    each = max(simulations // 30, 1)
    rows = np.repeat(resampled_rows(numbers, draws=draws, generator=generator), each, axis=0)
    drawn = _corrected(rows, **ask).reshape(draws, each, 2)
    slopes = drawn[:, 0, 0] + np.mean(drawn[:, :, 1] - drawn[:, :, 0], axis=1)
    # What is left of the chance of a few errors a draw is taken off their scatter about the draws' mean.
    noise = np.nanmean(np.var(drawn[:, :, 1] - drawn[:, :, 0], axis=1, ddof=1)) / each if each > 1 else 0.0
    known = slopes[np.isfinite(slopes)]
    shrink = np.sqrt(max(1 - noise / known.var(), 0.0)) if known.var() > 0 else 1.0
    tail = expanded_tail(level=level, degrees_of_freedom=groups - (1 if clustered else 2))
    low, high = np.quantile(known.mean() + shrink * (known - known.mean()), [tail, 1 - tail])
    return Corrected(
        yearly_growth=float(power_of_ten(plain + correction)),
        low=float(power_of_ten(low)),
        high=float(power_of_ten(high)),
        n=int(picked.sum()),
    )


def leading(year: FloatArray, log10: FloatArray, *, rule: Rule) -> BoolArray:
    """Return which rows the rule takes in each of many histories, as ``selection.select`` does of one.

    Both have shape (histories, rows), rows oldest first; a row of -inf is none.
    """
    real = np.isfinite(log10)
    if rule.depth is None:
        return real
    best = np.full((len(log10), rule.depth), -np.inf)
    least = best[:, 0].copy()
    needed = np.empty(log10.shape[::-1])
    for row, heights in enumerate(np.ascontiguousarray(log10.T)):
        higher = np.flatnonzero(heights > least)
        if len(higher):
            held = best[higher]
            held[np.arange(len(higher)), held.argmin(axis=1)] = heights[higher]
            best[higher], least[higher] = held, held.min(axis=1)
        needed[row] = least
    # Rows of one day compete with each other: what is needed is what stands at the end of the day.
    same = ((year[:, :-1] == year[:, 1:]) & real[:, 1:]).T.copy()
    for row in np.flatnonzero(same.any(axis=1))[::-1]:
        np.copyto(needed[row], needed[row + 1], where=same[row])
    return real & (log10 >= needed.T)


def resampled_rows(numbers: IntArray, *, draws: int, generator: np.random.Generator) -> IntArray:
    """Return the rows of each draw of whole clusters, in order, shape (draws, most rows); -1 fills up.

    ``numbers`` says of each row which cluster it is of, 0 to k - 1 without gaps, shape (rows,).
    """
    count = int(numbers.max()) + 1
    weights = generator.multinomial(count, np.full(count, 1 / count), size=draws)[:, numbers]
    longest = int(weights.sum(axis=1).max())
    rows = np.full((draws, longest), -1, dtype=np.int64)
    for draw, own in enumerate(weights):
        picked = np.repeat(np.arange(len(numbers)), own)
        rows[draw, : len(picked)] = picked
    return rows


def _corrected(
    rows: IntArray,
    *,
    year: FloatArray,
    log10: FloatArray,
    sd: FloatArray,
    rule: Rule,
    window: Window,
    generator: np.random.Generator,
) -> FloatArray:
    """Return the slope of each history of ``rows`` as it is, and with its errors undone, shape (histories, 2)."""
    slopes = np.empty((len(rows), len(ADDED)))
    centre = year[rows].mean()
    step = max(MOST_CELLS // rows.shape[1], 1)
    for start in range(0, len(rows), step):
        some = rows[start : start + step]
        real = some >= 0
        at = year[some]
        inside = window.holds(at) & real
        noise = generator.standard_normal(log10.size * len(some)).reshape(len(some), -1)
        # Copies of a row are one estimate: they share its error.
        error = np.take_along_axis(noise, np.maximum(some, 0), axis=1) * sd[some]
        for place, added in enumerate(ADDED):
            values = np.where(real, log10[some] + np.sqrt(added) * error, -np.inf)
            chosen = leading(at, values, rule=rule) & inside
            slopes[start : start + step, place] = _slopes(at - centre, values, chosen=chosen)
    back = np.polynomial.polynomial.polyfit(np.array(ADDED), slopes.T, 2)
    return np.stack([slopes[:, 0], back[0] - back[1] + back[2]], axis=1)


def _slopes(year: FloatArray, log10: FloatArray, *, chosen: BoolArray) -> FloatArray:
    """Return the slope of the chosen rows of each history, shape (histories,); ``year`` is about its mean."""
    x = np.where(chosen, year, 0.0)
    y = np.where(chosen, log10, 0.0)
    n = chosen.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (n * (x * y).sum(axis=1) - x.sum(axis=1) * y.sum(axis=1)) / (
            n * (x * x).sum(axis=1) - x.sum(axis=1) ** 2
        )
