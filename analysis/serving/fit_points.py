"""Fit of the serving factors to measured points, and the residuals that similar deployments share."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from analysis.arrays import BoolArray, FloatArray, IntArray
from analysis.serving import times as durations
from analysis.serving.deployment import Deployments
from analysis.serving.points import Points

SHARED = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
Spreads = dict[str, float]
SPREADS: dict[str, Spreads] = {
    kind: {name: stated[kind] for name, stated in SHARED.items()} for kind in ("token", "first", "load")
}
"""Standard deviation of each shared property's effect, keyed by kind of time. [log time]"""


@dataclass(frozen=True, kw_only=True)
class Traits:
    """Properties for comparing deployments: texts and log loads, each of shape (n,)."""

    words: dict[str, tuple[str, ...]]
    load: FloatArray  # (n, 4): log of concurrency, prompt, answer, chips

    def __len__(self) -> int:
        """Return the number of deployments."""
        return len(self.load)

    def at(self, places: IntArray) -> "Traits":
        """Return the deployments at the given indices."""
        words = {name: tuple(column[place] for place in places) for name, column in self.words.items()}
        return Traits(words=words, load=self.load[places])


def traits(deployments: Deployments, *, concurrency: FloatArray) -> Traits:
    """Return the properties of deployments. ``concurrency`` is the number of their concurrent requests, shape (n,)."""
    d = deployments
    disaggregated = ["disaggregated" if mark else "" for mark in d.disaggregated]
    version = [
        version or ("" if np.isnan(year) else f"{year:.2f}")
        for version, year in zip(d.version, d.year, strict=True)
    ]
    plan = [
        f"{tensor:g}/{data:g}/{expert:g}/{pipeline:g}/{drafted:g}"
        for tensor, data, expert, pipeline, drafted in zip(
            d.tensor, d.data, d.expert, d.pipeline, d.drafted, strict=True
        )
    ]

    def joined(*columns: tuple[str, ...] | list[str]) -> tuple[str, ...]:
        return tuple("|".join(parts) for parts in zip(*columns, strict=True))

    setup = joined(d.model, d.accelerator, d.engine, d.format_name, disaggregated)
    software = joined(d.engine, version)
    return Traits(
        words={
            "source": d.source,
            "tuning": d.tuning,
            "maker": d.maker,
            "engine": joined(d.engine, disaggregated),
            "software": software,
            "model": d.model,
            "chip": d.accelerator,
            "engine_model": joined(d.engine, d.model),
            "chip_model": joined(d.accelerator, d.model),
            "setup": setup,
            "setup_software": joined(setup, software),
            "plan": joined(setup, plan),
            "same_software": joined(setup, plan, software),
        },
        load=np.column_stack(
            [
                np.log(concurrency),
                np.log(d.prompt_tokens),
                np.log(d.output_tokens),
                np.log(d.tensor * d.data * d.pipeline),
            ]
        ),
    )


def covariance(one: Traits, other: Traits, *, spreads: Spreads) -> FloatArray:
    """Return the covariance of two sets of deployments' residuals, shape (n, m). [log time squared]

    Each property that two deployments share (vendor, model, engine...) adds its variance; properties that depend on
    load add less the further apart the loads are.

    References
    ----------
    Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, sections 2.2 and 4.2.4 (sums of products of
    covariances are covariances).
    """
    total = np.zeros((len(one), len(other)))
    same: dict[str, BoolArray] = {}

    def same_word(word: str) -> BoolArray:
        if word not in same:
            codes: dict[str, int] = {}
            left = np.array([codes.setdefault(name, len(codes)) for name in one.words[word]])
            right = np.array([codes.setdefault(name, len(codes)) for name in other.words[word]])
            same[word] = left[:, None] == right[None, :]
        return same[word]

    for name, spread in spreads.items():
        shared = SHARED[name]
        if "fades" not in shared:
            total[same_word(name)] += spread**2
            continue
        left, right = np.nonzero(same_word(shared["word"]))
        distance = ((one.load[left] - other.load[right]) / shared["fades"]) ** 2
        total[left, right] += spread**2 * np.exp(-0.5 * distance.sum(axis=1))
    return total


def variance(spreads: Spreads) -> float:
    """Return the residual variance of a deployment that shares no property with others. [log time squared]"""
    return sum(spread**2 for spread in spreads.values())


TOKEN_NOISE, FIRST_NOISE, LOAD_NOISE = 0.15, 0.35, 0.25  # noise of log times while the factors are fitted
OWN_NOISE = {"token": 0.05, "first": 0.12, "load": 0.1}
"""Standard deviation between measurements of one setup, keyed by kind of time. [log time]"""
ENOUGH = 1e-6  # a fit ends once a step improves it by less than this share
DEGREES = 4.0
KINDS = tuple(SPREADS)


def _logs(times: durations.ServingTimes) -> FloatArray:
    """Return the logs of time per token, time to first token and inverse throughput per accelerator, shape (3, n)."""
    load = 1.0 / times.output_tokens_per_s_per_accelerator
    return np.log([times.time_per_output_token_s, times.time_to_first_token_s, load])


def measured_logs(points: Points) -> FloatArray:
    """Return measured log times in the order of :data:`KINDS`, shape (3, n). NaN if not measured.

    A throughput counts only if no times were measured with it.
    """
    load = np.where(np.isnan(points.token_s), points.tokens_per_s, np.nan)
    return np.log([points.token_s, points.first_s, 1.0 / load])


def _shared_effects(deployments: Deployments, *, there: BoolArray, noise: FloatArray) -> FloatArray:
    """Return the design matrix, shape (m, q), of effects that are shared at any load.

    Each column is for one source, setup or similar and one kind of time, in units of its effect's spread.
    """
    columns = []
    shared = traits(deployments, concurrency=np.ones(len(deployments))).words
    for word in (name for name, stated in SHARED.items() if "fades" not in stated):
        names = np.array(shared[word], dtype=object)
        for name in dict.fromkeys(shared[word]):
            for at, kind in enumerate(KINDS):
                column = np.zeros(there.shape)
                column[at, names == name] = SPREADS[kind][word] / noise[at, 0]
                columns.append(column[there])
    return np.column_stack(columns)


def fit_factors(
    points: Points,
    *,
    counted: BoolArray | None = None,
    start: FloatArray | None = None,
    evaluations: int = 30,
) -> FloatArray:
    """Return the maximum a posteriori log factors, shape (p,), fitted to the counted points.

    Each property that deployments share at any load (source, chip, engine, setup...) has a random effect on each kind
    of time, as in predictions, so that many points of one source do not dominate. Large residuals are penalized by a
    smooth absolute value, so that outliers have little weight.

    References
    ----------
    Laird and Ware, "Random-Effects Models for Longitudinal Data", Biometrics 38, 1982 (effects of groups); Charbonnier
    et al., IEEE Trans. Image Process. 6, 1997 (the loss); the priors are those of :mod:`analysis.serving.times`.
    """
    from scipy.optimize import least_squares

    keep = np.ones(len(points), dtype=bool) if counted is None else counted
    deployments = points.deployments.at(keep)
    measured = measured_logs(points)[:, keep]
    there = np.isfinite(measured)
    noise = np.array([TOKEN_NOISE, FIRST_NOISE, LOAD_NOISE])[:, None]
    design = _shared_effects(deployments, there=there, noise=noise)
    shrunk = np.linalg.solve(design.T @ design + np.eye(design.shape[1]), design.T)

    def residuals(logs: FloatArray) -> FloatArray:
        predicted = _logs(durations.serving_times(deployments, durations.by_name(logs)))
        scaled = ((measured - predicted) / noise)[there]
        effects = shrunk @ scaled
        scaled = scaled - design @ effects
        robust = np.sign(scaled) * np.sqrt(2 * (np.sqrt(1 + scaled**2) - 1))
        return np.concatenate([robust, effects, (logs - durations.PRIOR_MEAN) / durations.PRIOR_SPREAD])

    begin = durations.PRIOR_MEAN if start is None else start
    spread = durations.PRIOR_SPREAD
    return least_squares(residuals, begin, max_nfev=evaluations, x_scale=spread, ftol=ENOUGH).x


@dataclass(frozen=True, kw_only=True)
class Residuals:
    """Measured log times less the mechanisms' log times, shape (n,), for correcting other deployments.

    ``rows`` are indices of the points, ``factorised`` is the Cholesky factor, shape (n, n), of their shared covariance
    plus the noise of each. [log time]
    """

    kind: str
    traits: Traits
    residual: FloatArray
    rows: IntArray
    factorised: tuple[FloatArray, bool]

    @cached_property
    def weights(self) -> FloatArray:
        """Return each point's weight in a prediction, shape (n,), from the inverse covariance and the residuals."""
        return cho_solve(self.factorised, self.residual)

    def at(self, wanted: Traits) -> tuple[FloatArray, FloatArray]:
        """Return each deployment's expected residual, and its standard deviation including measurement noise.

        Both have shape (m,).
        """
        return self.sharing(covariance(wanted, self.traits, spreads=SPREADS[self.kind]))

    def sharing(self, across: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return expected residuals and their standard deviations, given covariances with the points, shape (m, n)."""
        own = variance(SPREADS[self.kind])
        explained = np.einsum("ij,ji->i", across, cho_solve(self.factorised, across.T))
        scatter = OWN_NOISE[self.kind] ** 2
        return across @ self.weights, np.sqrt(np.maximum(own - explained, 0.0) + scatter)


def factorised(covariances: FloatArray, *, residual: FloatArray, kind: str) -> tuple[FloatArray, bool]:
    """Return scipy's Cholesky factor, shape (n, n), of the points' covariance plus noise.

    The noise is larger for a point unlike those near it (Student's t).
    """
    own = OWN_NOISE[kind] ** 2
    noise = np.full(len(residual), own)
    for _ in range(2):
        factor = cho_factor(covariances + np.diag(noise), lower=True)
        left = noise * cho_solve(factor, residual)
        noise = own * np.maximum(1.0, (DEGREES + left**2 / own) / (DEGREES + 1))
    return cho_factor(covariances + np.diag(noise), lower=True)


def requests_offered(deployments: Deployments, factors: FloatArray) -> FloatArray:
    """Return the number of concurrent requests, shape (n,), by default as many as fit in memory. [1]"""
    most = durations.most_requests(deployments, durations.by_name(factors))
    return np.where(np.isnan(deployments.concurrency), most, deployments.concurrency)


def _traits(points: Points, factors: FloatArray) -> Traits:
    return traits(points.deployments, concurrency=requests_offered(points.deployments, factors))


def residuals_of(
    points: Points,
    *,
    factors: FloatArray,
    counted: BoolArray | None = None,
    covariances: dict[str, FloatArray] | None = None,
) -> dict[str, Residuals]:
    """Return the residuals that the factors leave at the counted points, keyed by kind of time.

    ``covariances`` of all points by kind, each of shape (n, n), are computed if not given.
    """
    whole, keep = _traits(points, factors), np.ones(len(points), dtype=bool) if counted is None else counted
    times = durations.serving_times(points.deployments, durations.by_name(factors))
    by_kind = {}
    for kind, residual in zip(KINDS, measured_logs(points) - _logs(times), strict=True):
        used = np.flatnonzero(keep & np.isfinite(residual))
        own = whole.at(used)
        shared = (
            covariance(own, own, spreads=SPREADS[kind])
            if covariances is None
            else covariances[kind][np.ix_(used, used)]
        )
        factor = factorised(shared, residual=residual[used], kind=kind)
        by_kind[kind] = Residuals(
            kind=kind, traits=own, residual=residual[used], rows=used, factorised=factor
        )
    return by_kind


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """Predictions of points, each from a fit without the point's group: log times and deviations, shape (3, n)."""

    measured: FloatArray
    predicted: FloatArray
    scale: FloatArray


def left_out(points: Points, *, groups: Sequence[str], start: FloatArray, evaluations: int = 30) -> LeftOut:
    """Return predictions of each point from a fit without the point's group. ``groups`` has shape (n,).

    Fits run to convergence, so the result does not depend on ``start``, whose fit included the group.
    """
    names = np.asarray(groups, dtype=object)
    measured = measured_logs(points)
    predicted, scale = np.full(measured.shape, np.nan), np.full(measured.shape, np.nan)
    whole = _traits(points, start)
    covariances = {kind: covariance(whole, whole, spreads=SPREADS[kind]) for kind in KINDS}
    for name in dict.fromkeys(groups):
        out = np.asarray(names == name, dtype=bool)
        factors = fit_factors(points, counted=~out, start=start, evaluations=evaluations)
        rest = residuals_of(points, factors=factors, counted=~out, covariances=covariances)
        base = _logs(durations.serving_times(points.deployments.at(out), durations.by_name(factors)))
        for at, kind in enumerate(KINDS):
            if not len(rest[kind].residual):
                continue
            across = covariances[kind][np.ix_(np.flatnonzero(out), rest[kind].rows)]
            shift, width = rest[kind].sharing(across)
            predicted[at, out] = base[at] + shift
            scale[at, out] = width
    return LeftOut(measured=measured, predicted=predicted, scale=scale)
