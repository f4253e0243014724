"""Times of deployments under load, predicted with intervals, as cells of a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.arrays import FloatArray
from analysis.serving.deployment import Deployments
from analysis.serving.fit_points import Residuals, requests_offered, residuals_of, traits
from analysis.serving.points import Points
from analysis.serving.served_case import PREDICTED, ServedCase
from analysis.serving.times import by_name, fits, serving_times, throughput

LEVELS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99)
BEYOND = 0.2  # growth of the last quantile for each factor e of rarer odds
RAREST = 1e-9


@dataclass(frozen=True, kw_only=True)
class ServingFit:
    """The fitted serving model.

    ``factors`` are log factors in order. ``residuals`` are by kind of time. ``quantiles`` give by kind
    the number of standard deviations that cover the shares :data:`LEVELS` of left-out points.
    """

    factors: FloatArray
    residuals: Mapping[str, Residuals]
    quantiles: Mapping[str, Sequence[float]]

    def _deviations(self, kind: str, level: FloatArray | float) -> FloatArray:
        """Return how many standard deviations cover the given shares of held-out points, in the shape of ``level``. [1]

        Beyond the last of :data:`LEVELS`, they grow by :data:`BEYOND` of the last for each factor e of rarer odds.
        """
        wide = np.interp(level, LEVELS, self.quantiles[kind])
        rarer = np.log((1 - LEVELS[-1]) / np.maximum(1 - np.asarray(level), RAREST))
        return wide + BEYOND * self.quantiles[kind][-1] * np.maximum(0.0, rarer)

    def half_width(self, kind: str, scale: FloatArray, *, level: float) -> FloatArray:
        """Return the half-width of an interval of log times, in the shape of ``scale``."""
        if not 0 < level < 1:
            raise ValueError(f"a level lies between 0 and 1; got {level:g}. Write 0.9 for 90%.")
        return scale * self._deviations(kind, level)

    def drawn(self, kind: str, scale: FloatArray | float, *, uniform: FloatArray) -> FloatArray:
        """Return log times around 0 for uniform draws between 0 and 1. Shapes broadcast.

        Their central intervals agree with :meth:`half_width` at every level.
        """
        return np.sign(uniform - 0.5) * scale * self._deviations(kind, np.abs(2 * uniform - 1))


@dataclass(frozen=True, kw_only=True)
class Interval:
    """Expected values and the bounds of their prediction intervals, each of shape (n,)."""

    middle: FloatArray
    low: FloatArray
    high: FloatArray


@dataclass(frozen=True, kw_only=True)
class Served:
    """Times of deployments under load, and throughput per accelerator, each of shape (n,). [s, tokens/s]"""

    token_s: Interval
    first_s: Interval
    tokens_per_s: Interval
    concurrency: FloatArray


def fitted(points: Points, *, factors: FloatArray, quantiles: Mapping[str, Sequence[float]]) -> ServingFit:
    """Return the model that holds factors from an earlier fit and their residuals on the points."""
    return ServingFit(factors=factors, residuals=residuals_of(points, factors=factors), quantiles=quantiles)


def _around(middle: FloatArray, wide: FloatArray) -> Interval:
    return Interval(middle=middle, low=middle * np.exp(-wide), high=middle * np.exp(wide))


def serve(cases: Deployments, *, fit: ServingFit, level: float = 0.9) -> Served:
    """Return the times of deployments, corrected by similar measurements.

    Throughput in a closed loop follows from both times; if memory limits the load, throughput has its own correction.
    """
    base = serving_times(cases, by_name(fit.factors))
    offered = requests_offered(cases, fit.factors)
    wanted = traits(cases, concurrency=offered)
    (token_shift, token_scale), (first_shift, first_scale), (load_shift, load_scale) = (
        fit.residuals[kind].at(wanted) for kind in ("token", "first", "load")
    )
    token = base.time_per_output_token_s * np.exp(token_shift)
    first = base.time_to_first_token_s * np.exp(first_shift)
    token_wide = fit.half_width("token", token_scale, level=level)
    first_wide = fit.half_width("first", first_scale, level=level)
    closed = throughput(cases, token_s=token, first_s=first, concurrency=offered)
    writing = token * np.maximum(cases.output_tokens - 1, 0.0)
    share = writing / (writing + first)
    closed_wide = np.hypot(share * token_wide, (1 - share) * first_wide)
    full = np.isnan(cases.concurrency)
    rate = np.where(full, base.output_tokens_per_s_per_accelerator * np.exp(-load_shift), closed)
    rate_wide = np.where(full, fit.half_width("load", load_scale, level=level), closed_wide)
    return Served(
        token_s=_around(token, token_wide),
        first_s=_around(first, first_wide),
        tokens_per_s=_around(rate, rate_wide),
        concurrency=offered,
    )


def _with_others(served: Served, *, cases: Sequence[ServedCase], fit: ServingFit, level: float) -> Served:
    """Return the results, with intervals that cover all readings of ambiguous cases."""
    at = np.array([i for i, case in enumerate(cases) for _ in case.others], dtype=int)
    if not at.size:
        return served
    meant = [{**case.entries, **other} for case in cases for other in case.others]
    others = serve(Deployments.from_rows(meant), fit=fit, level=level)

    def wider(own: Interval, other: Interval) -> Interval:
        low, high = own.low.copy(), own.high.copy()
        np.minimum.at(low, at, other.low)
        np.maximum.at(high, at, other.high)
        return Interval(middle=own.middle, low=low, high=high)

    names = ("token_s", "first_s", "tokens_per_s")
    return replace(served, **{name: wider(getattr(served, name), getattr(others, name)) for name in names})


def predicted_cells(cases: Sequence[ServedCase], *, fit: ServingFit, level: float) -> list[dict[str, str]]:
    """Return the predicted columns of each case as cells, with predictions rounded to six significant digits."""
    if not cases:
        return []
    columns = Deployments.from_rows([dict(case.entries) for case in cases])
    served = _with_others(serve(columns, fit=fit, level=level), cases=cases, fit=fit, level=level)
    enough = fits(columns, by_name(fit.factors))
    chips = columns.all_chips
    intervals = (served.token_s, served.first_s, served.tokens_per_s)
    values = [value for interval in intervals for value in (interval.middle, interval.low, interval.high)]
    cells = []
    for i, case in enumerate(cases):
        notes = list(case.notes)
        if not enough[i]:
            notes.append("weights and one request do not fit the memory: times as if they barely did")
        used = {"accelerators_used": f"{chips[i]:g}", "concurrency_used": f"{served.concurrency[i]:.4g}"}
        times = {name: f"{value[i]:.6g}" for name, value in zip(PREDICTED, values, strict=True)}
        cells.append({**times, **used, "note": "; ".join(notes)})
    return cells
