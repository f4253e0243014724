"""How much faster the growth rate is than a plain Python loop and than scipy's bootstrap, same answer."""

import timeit
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.trend.bootstrap import row_counts
from analysis.trend.estimators import ESTIMATORS, Recipe, refit
from analysis.trend.growth import Growth, Series, Window, growth
from analysis.trend.selection import Contest, Rule

FloatArray = NDArray[np.floating]
ROWS, TOP, DRAWS, LOOP_DRAWS = 530, 10, 10_000, 60
SINCE = 2012.0


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """What was compared and how many times faster ours is."""

    what: str
    times_faster: float
    ours_s: float


def history() -> Series:
    """Return 530 runs from 2005 to 2026 about an exponential, as many as the real history holds."""
    generator = np.random.default_rng(1)
    year = 2005 + 21 * generator.random(ROWS) ** 0.5
    value = 10 ** (16 + 0.62 * (year - 2005) + 1.3 * generator.normal(size=ROWS))
    names = np.array([f"run {i}" for i in range(ROWS)], dtype=object)
    order = np.argsort(year)
    return Series(year=year[order], value=value[order], cluster=names, name=names)


def fastest(work: Callable[[], object], *, repeats: int = 3) -> float:
    """Return the shortest of a few runs. [s]"""
    return min(timeit.repeat(work, number=1, repeat=repeats))


def agree(ours: ArrayLike, theirs: ArrayLike, *, within: float) -> None:
    """Refuse to compare the speed of two answers that differ by more than a share of ``within``."""
    if not np.allclose(ours, theirs, rtol=within, atol=0):
        raise ArithmeticError(
            f"both ways give the same answer within {within:g}; got {ours} and {theirs}. Look at both."
        )


def loop_slopes(year: FloatArray, log10: FloatArray, *, counts: NDArray[np.integer]) -> list[float]:
    """Return each draw's slope as a plain loop finds it: repeat rows, select the leading, fit."""
    slopes = []
    for count in counts:
        rows = [row for row, times in enumerate(count) for _ in range(int(times))]
        leaders: list[float] = []
        x, y = [], []
        for row in rows:
            ahead = sum(1 for value in leaders if value > log10[row])
            copies_before = sum(1 for value in leaders if value == log10[row])
            if ahead + copies_before < TOP:
                if year[row] >= SINCE:
                    x.append(float(year[row]) - 2020)
                    y.append(float(log10[row]))
                leaders = sorted([*leaders, float(log10[row])], reverse=True)[:TOP]
        n, mean_x, mean_y = len(x), sum(x) / len(x), sum(y) / len(y)
        rise = sum(x[i] * y[i] for i in range(n)) - n * mean_x * mean_y
        slopes.append(rise / (sum(v * v for v in x) - n * mean_x * mean_x))
    return slopes


def matrix_slopes(year: FloatArray, log10: FloatArray, *, counts: NDArray[np.integer]) -> FloatArray:
    """Return each draw's slope as the analysis finds it."""
    contest = Contest.between(year, log10, top=TOP, inside=year >= SINCE)
    rows = contest.contenders
    copies = contest.copies(counts).astype(np.float64)
    return refit(year[rows], log10[rows], weights=copies, recipe=Recipe()).slope


def against_a_loop() -> Ratio:
    """Return the ratio for 10,000 draws that select again and refit; the loop is timed on 60 and scaled."""
    runs = history()
    year, log10 = runs.year, np.log10(runs.value)
    few = row_counts(np.random.default_rng(2), rows=ROWS, draws=LOOP_DRAWS)
    agree(matrix_slopes(year, log10, counts=few), loop_slopes(year, log10, counts=few), within=1e-8)
    loop = fastest(lambda: loop_slopes(year, log10, counts=few), repeats=2) * DRAWS / LOOP_DRAWS
    rule, window = Rule(kind="frontier", top=TOP), Window(since=SINCE)
    ours = fastest(lambda: growth(runs, rule=rule, window=window, draws=DRAWS))
    what = f"re-select and refit, {DRAWS:,} draws: plain Python loop (timed on {LOOP_DRAWS} draws, scaled)"
    return Ratio(what=what, times_faster=loop / ours, ours_s=ours)


def against_scipy() -> Ratio:
    """Return the ratio for 10,000 plain bootstrap slopes against scipy.stats.bootstrap in batches."""
    from scipy import stats

    runs = history()
    year, log10 = runs.year - 2015, np.log10(runs.value)

    def slopes(x: FloatArray, y: FloatArray, *, axis: int) -> FloatArray:
        flat = x - x.mean(axis=axis, keepdims=True)
        return (flat * y).sum(axis=axis) / (flat * flat).sum(axis=axis)

    def theirs() -> Any:
        return stats.bootstrap(
            (year, log10),
            slopes,
            paired=True,
            vectorized=True,
            n_resamples=DRAWS,
            batch=500,
            method="percentile",
            confidence_level=0.9,
            rng=np.random.default_rng(3),
        )

    def plain() -> Growth:
        return growth(runs, rule=Rule(kind="all"), window=Window(), draws=DRAWS)

    low, high = theirs().confidence_interval
    agree([plain().growth_low, plain().growth_high], [10**low, 10**high], within=0.01)
    ours = fastest(plain)
    return Ratio(
        what=f"plain slopes, {DRAWS:,} draws: scipy.stats.bootstrap, batch 500",
        times_faster=fastest(theirs) / ours,
        ours_s=ours,
    )


def estimators() -> list[tuple[str, float]]:
    """Return how long 1,000 re-selecting draws take with each estimator. [s]"""
    runs, rule, window = history(), Rule(kind="frontier", top=TOP), Window(since=SINCE)
    return [
        (name, fastest(lambda name=name: growth(runs, rule=rule, window=window, estimator=name, draws=1000)))
        for name in ESTIMATORS
    ]


def main() -> None:
    """Print the ratios, and what 1,000 draws cost with each estimator."""
    lines = ["growth rate with its interval, times faster than:"]
    lines += [
        f"  {r.times_faster:8.1f}x  {r.what} (ours {r.ours_s:.3f} s)"
        for r in (against_a_loop(), against_scipy())
    ]
    lines += ["1,000 re-selecting draws, 530 rows:"]
    lines += [f"  {1000 * seconds:6.0f} ms  {name}" for name, seconds in estimators()]
    print("\n".join(lines))


if __name__ == "__main__":
    main()
