"""Decomposition of a growth rate into factors that are fitted and resampled jointly."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.arrays import BoolArray, FloatArray, IntArray, product
from analysis.intervals import SEED, Estimate
from analysis.trend.bootstrap import CHUNK_DRAWS, cluster_numbers, expanded_tail, row_counts
from analysis.trend.calendar_year import decimal_year
from analysis.trend.estimators import enough
from analysis.trend.growth import FEWEST_CLUSTERS, Window
from analysis.trend.selection import Contest, Rule, select
from analysis.trend.trend import FEWEST_POINTS, power_of_ten

MOST_DROPPED = 0.5
FEWEST_TO_SPLIT = 20
"""Number of rows below which a decomposition counts as rough."""
MOST_SHARE = 10
"""Largest share of the total's growth that is reported. Above it, the total hardly grows. [1]"""
AGREES = 0.15
"""Maximum relative difference at which an implied and a reported utilization agree. [1]"""


@dataclass(frozen=True, kw_only=True, eq=False)
class PartGrowth(Estimate):
    """Yearly growth of one quantity over the leading rows that state it.

    ``low`` to ``high`` is the interval of the yearly growth at ``level``. ``rows`` is the mask of fitted rows, shape
    (rows,). ``draw_slope`` has one slope per draw, shape (draws,), NaN if a draw has too few rows; draw i is the same
    for every part.
    """

    level: float
    n: int
    rows: BoolArray
    slope_per_year: float
    draw_slope: FloatArray

    @property
    def rough(self) -> bool:
        """Return whether the part has so few rows that its growth is only a rough estimate."""
        return self.n < FEWEST_TO_SPLIT

    def share_of(self, total: Self) -> float | None:
        """Return the part's share of the total's log growth. None if the total hardly grows."""
        share = self.slope_per_year / total.slope_per_year if total.slope_per_year else math.inf
        return share if np.isfinite(share) and abs(share) < MOST_SHARE else None

    def against(self, other: Self) -> tuple[float, float, float]:
        """Return this part's growth divided by another's, with the interval of the joint draws."""
        apart = self.draw_slope - other.draw_slope
        tail = expanded_tail(level=self.level, degrees_of_freedom=min(self.n, other.n) - 2)
        low, high = np.quantile(apart[np.isfinite(apart)], [tail, 1 - tail])
        exact = self.slope_per_year - other.slope_per_year
        return float(power_of_ten(exact)), float(power_of_ten(low)), float(power_of_ten(high))


@dataclass(frozen=True, kw_only=True)
class Assumed:
    """An assumed yearly growth, not fitted. Its bounds are None if the source states none. [1]"""

    factor: float
    low: float | None = None
    high: float | None = None
    level: float | None = None

    def reach(self, level: float) -> tuple[float, float]:
        """Return the log distances to the bounds at another level, assuming normality. Zero if none are stated."""
        if self.low is None or self.high is None or self.level is None:
            return 0.0, 0.0
        wide = NormalDist().inv_cdf((1 + level) / 2) / NormalDist().inv_cdf((1 + self.level) / 2)
        return wide * math.log(self.factor / self.low), wide * math.log(self.high / self.factor)


def effective_growth(total: PartGrowth, assumed: Assumed) -> Estimate:
    """Return the yearly growth of effective compute: measured growth times assumed growth.

    Both are assumed to be independent: the log distances to their bounds add in quadrature, below and above.
    """
    below, above = assumed.reach(total.level)
    factor = total.value * assumed.factor
    return Estimate(
        value=factor,
        low=factor * math.exp(-math.hypot(math.log(total.value / total.low), below)),
        high=factor * math.exp(math.hypot(math.log(total.high / total.value), above)),
    )


@dataclass(frozen=True, kw_only=True)
class Step:
    """One factor of a year's growth, as a bar from ``start`` to ``top``, and its interval."""

    name: str
    start: float
    top: float
    low: float
    high: float


def steps(parts: Mapping[str, PartGrowth], *, factors: Sequence[str], total: str) -> tuple[Step, ...]:
    """Return a year's growth as multiplicative steps from 1, one for each factor and one for the total."""
    laid: list[Step] = []
    reached = 1.0
    for name in (*factors, total):
        start = 1.0 if name == total else reached
        part = parts[name]
        reached = start * part.value
        laid.append(Step(name=name, start=start, top=reached, low=start * part.low, high=start * part.high))
    return tuple(laid)


def agreeing(implied: FloatArray, reported: FloatArray) -> int:
    """Return how many of the implied utilizations, shape (n,), agree with the reported ones."""
    return int((abs(implied / reported - 1) <= AGREES).sum())


def implied_utilization(
    compute_flop: FloatArray, *, n_chips: FloatArray, training_time_s: FloatArray, peak_flop_per_s: FloatArray
) -> FloatArray:
    """Return the utilization implied by compute, chips and training time, as a share of peak, shape (n,).

    All arguments have shape (n,); NaN if any of them is unknown.
    """
    return compute_flop / (n_chips * training_time_s * peak_flop_per_s)


FACTORS = ("chips", "time", "flop_per_s_per_chip", "utilization")
"""Factors of training compute, in display order."""


def with_parts(runs: pd.DataFrame, chips: pd.DataFrame) -> pd.DataFrame:
    """Return the runs with the columns ``FACTORS`` and ``missing`` added. Factors are NaN unless ``missing`` is empty.

    ``chips`` are rows of accelerators with a column ``peak_16_bit`` [FLOP/s]. The peak of a run is that of FP8 if the
    run states FP8 and the chip supports it; of FP32 if it states FP32 on a GPU; otherwise of 16 bits if the chip runs
    them at full rate (matrix units first), then TF32, then FP32. ``peak_flop_per_s`` is known whenever the chip is.
    ``missing`` is the code of what excludes a run from the decomposition, empty for included runs.
    """
    used = chips.drop_duplicates("name").set_index("name").reindex(runs["hardware"])
    used.index = runs.index
    eight, full = used["peak_fp8_dense_flop_per_s"], used["peak_fp32_dense_flop_per_s"]
    peak = (
        eight.where(runs["numerical_format"] == "FP8")
        .fillna(full.where((runs["numerical_format"] == "FP32") & (used["type"] == "GPU")))
        .fillna(used["peak_16_bit"])
        .fillna(used["peak_tf32_dense_flop_per_s"])
        .fillna(full)
    )
    count, seconds = runs["hardware_quantity"], runs["training_time_s"]
    compute, n, time_s, rate = (
        values.to_numpy(dtype=float) for values in (runs["training_compute_flop"], count, seconds, peak)
    )
    implied = pd.Series(
        implied_utilization(compute, n_chips=n, training_time_s=time_s, peak_flop_per_s=rate),
        index=runs.index,
    )
    missing = pd.Series("", index=runs.index, dtype=object)
    for code, holds in (
        ("base model", runs["base_model"] != ""),
        ("no chip", runs["hardware"] == ""),
        ("several chips", runs["hardware"].str.contains(";", regex=False)),
        ("no peak", peak.isna()),
        ("no count", count.isna()),
        ("no time", seconds.isna()),
        ("above peak", implied > 1),
    ):
        missing = missing.mask((missing == "") & holds.astype(bool), code)
    parts = dict(zip(FACTORS, (count, seconds, peak, implied), strict=True))
    known = {name: part.where(missing == "") for name, part in parts.items()}
    return runs.assign(peak_flop_per_s=peak, missing=missing, **known)


def growth_of_runs(
    runs: pd.DataFrame,
    *,
    rule: Rule,
    window: Window,
    level: float,
    clusters: NDArray[np.object_] | None,
    further: Mapping[str, str],
    draws: int = 2000,
) -> dict[str, PartGrowth]:
    """Return the yearly growth of the runs' factors, of their total and of ``further`` parts.

    ``total`` is compute on the rows of the factors. With ``further``, which maps part names to columns, ``all`` is the
    compute of all selected rows. Each further part is fitted on the rows where it is known, and omitted if those are
    too few.

    Raises ValueError if too few of the selected runs have known factors.
    """
    compute = runs["training_compute_flop"].to_numpy(dtype=float)
    quantities = {"total": runs["training_compute_flop"].where(runs["missing"] == "")}
    quantities |= {name: runs[name] for name in FACTORS}
    if further:
        quantities["all"] = runs["training_compute_flop"]
        quantities |= {name: runs[column].where(runs[column] > 0) for name, column in further.items()}
    return growth_of_parts(
        decimal_year(runs["published_on"]),
        compute,
        parts={name: values.to_numpy(dtype=float) for name, values in quantities.items()},
        rule=rule,
        window=window,
        level=level,
        optional=further,
        cluster=clusters,
        draws=draws,
    )


def clusters_of(runs: pd.DataFrame, *, rule: Rule, window: Window) -> NDArray[np.object_] | None:
    """Return each run's organization as its cluster. None if too few leading runs have known parts."""
    year = decimal_year(runs["published_on"])
    leading = select(year, runs["training_compute_flop"].to_numpy(dtype=float), rule=rule)
    known = runs.loc[leading & window.holds(year) & (runs["missing"] == ""), "organisation"]
    return None if known.nunique() < FEWEST_CLUSTERS else runs["organisation"].to_numpy(dtype=object)


def confident_only(runs: pd.DataFrame) -> pd.DataFrame:
    """Return all runs, but with parts only for those graded confident. The other runs still count in the ranking."""
    unsure = (runs["missing"] == "") & (runs["confidence"] != "confident")
    parts = {name: runs[name].mask(unsure) for name in FACTORS}
    return runs.assign(missing=runs["missing"].mask(unsure, "not confident"), **parts)


def growth_of_parts(
    year: FloatArray,
    ranked_by: FloatArray,
    *,
    parts: Mapping[str, FloatArray],
    rule: Rule,
    window: Window,
    level: float = 0.9,
    optional: Collection[str] = (),
    cluster: NDArray[np.object_] | None = None,
    draws: int = 2000,
    seed: int = SEED,
) -> dict[str, PartGrowth]:
    """Return the growth, keyed by name, of every quantity in ``parts`` along the rows that lead in ``ranked_by``.

    ``year`` are decimal years and ``ranked_by`` positive, both of shape (n,). Each of ``parts`` has shape (n,),
    positive, NaN if unknown, and is fitted on the selected rows where it is known. Every draw resamples rows (whole
    clusters if ``cluster`` is given) with replacement, selects again, and refits all parts. ``optional`` parts known
    for too few rows are omitted from the result.

    Raises ValueError if values have no logarithm, or a part that is not optional is known for too few selected rows.

    Notes
    -----
    The least-squares slope is linear in log10(value) given the rows and their years. If one quantity is the product of
    others known for the same rows, their slopes therefore add up exactly, in every draw too, and their growth factors
    multiply to that of the product.
    """
    logs = {name: _log10(values, name=name) for name, values in parts.items()}
    selected = select(year, ranked_by, rule=rule) & window.holds(year)
    rows = {name: selected & np.isfinite(log) for name, log in logs.items()}
    for name, held in rows.items():
        moments = len(np.unique(year[held]))
        if held.sum() >= FEWEST_POINTS and moments >= 2:
            continue
        if name not in optional:
            raise ValueError(
                f"a part is fitted on at least {FEWEST_POINTS} selected rows of two moments; {name} is known "
                f"for {held.sum()} at {moments}. Widen the window of years, take more rows (a larger top, or "
                "all), or drop a filter."
            )
    logs = {name: log for name, log in logs.items() if rows[name].sum() >= FEWEST_POINTS}
    numbers = None if cluster is None else cluster_numbers(cluster)
    drawn = _redrawn(
        year, ranked_by, logs=logs, rule=rule, window=window, cluster=numbers, draws=draws, seed=seed
    )
    growths = {}
    for name, log in logs.items():
        held = rows[name]
        slopes = drawn[name]
        known = slopes[np.isfinite(slopes)]
        if len(known) < MOST_DROPPED * draws and name in optional:
            continue
        if len(known) < MOST_DROPPED * draws:
            raise ValueError(
                f"a bootstrap needs draws that hold at least 3 distinct rows; {name} has them in "
                f"{len(known):,} of {draws:,}. Widen the window of years or take more rows."
            )
        freedom = int(held.sum()) - 2 if numbers is None else len(np.unique(numbers[held])) - 1
        tail = expanded_tail(level=level, degrees_of_freedom=freedom)
        low, high = np.quantile(known, [tail, 1 - tail])
        x, y = year[held], log[held]
        x = x - x.mean()
        slope = float((x * y).sum() / np.square(x).sum())
        growths[name] = PartGrowth(
            value=float(power_of_ten(slope)),
            low=float(power_of_ten(low)),
            high=float(power_of_ten(high)),
            level=level,
            n=int(held.sum()),
            rows=held,
            slope_per_year=slope,
            draw_slope=slopes,
        )
    return growths


def _log10(values: FloatArray, *, name: str) -> FloatArray:
    numbers = np.asarray(values, dtype=np.float64)
    wrong = np.flatnonzero((numbers <= 0) | np.isinf(numbers))
    if len(wrong):
        row = int(wrong[0])
        raise ValueError(
            f"a part is positive and finite, or nan where unknown; {name} is {numbers[row]:g} in row {row}. "
            "Leave that value out."
        )
    return np.log10(numbers)


def _redrawn(
    year: FloatArray,
    ranked_by: FloatArray,
    *,
    logs: Mapping[str, FloatArray],
    rule: Rule,
    window: Window,
    cluster: IntArray | None,
    draws: int,
    seed: int,
) -> dict[str, FloatArray]:
    inside = window.holds(year)
    contest = None
    kept = np.flatnonzero(inside)
    if rule.depth is not None:
        contest = Contest.between(year, ranked_by, top=rule.depth, inside=inside, cluster=cluster)
        kept = contest.contenders
    generator = np.random.default_rng(seed)
    units = len(year) if cluster is None else int(cluster.max()) + 1
    pieces: dict[str, list[FloatArray]] = {name: [] for name in logs}
    for start in range(0, draws, CHUNK_DRAWS):
        counts = row_counts(generator, rows=units, draws=min(CHUNK_DRAWS, draws - start))
        unit = kept if cluster is None else cluster[kept]
        copies = counts[:, unit].astype(np.float32) if contest is None else contest.copies(counts)
        for name, slopes in _slopes(year[kept], copies, logs={n: log[kept] for n, log in logs.items()}):
            pieces[name].append(slopes)
    return {name: np.concatenate(parts) for name, parts in pieces.items()}


def _slopes(
    year: FloatArray, copies: FloatArray, *, logs: Mapping[str, FloatArray]
) -> list[tuple[str, FloatArray]]:
    groups: dict[bytes, list[str]] = {}
    for name, log in logs.items():
        groups.setdefault(np.isfinite(log).tobytes(), []).append(name)
    slopes_of = []
    for names in groups.values():
        known = np.flatnonzero(np.isfinite(logs[names[0]]))
        weights = copies[:, known].astype(np.float64)
        holds = enough(year[known], weights) if len(known) else np.zeros(len(weights), dtype=bool)
        x = year[known] - year.mean()
        values = np.stack([logs[name][known] for name in names])
        z = values - values.mean(axis=1, keepdims=True) if len(known) else values
        sums = product(weights, np.concatenate([[np.ones_like(x), x, x * x], z, z * x]).T)
        n, sx, sxx = sums[:, 0], sums[:, 1], sums[:, 2]
        sy, sxy = sums[:, 3 : 3 + len(names)], sums[:, 3 + len(names) :]
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = (sxy - (sx / n)[:, None] * sy) / (sxx - sx * sx / n)[:, None]
        slope[~holds] = np.nan
        slopes_of.extend((name, slope[:, column]) for column, name in enumerate(names))
    return slopes_of
