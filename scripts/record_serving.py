"""Fit the serving model to the measured points and record its factors: ``python -m scripts.records serving``."""

import json
from collections.abc import Sequence

import numpy as np

from analysis.arrays import FloatArray
from analysis.serving.fit_points import KINDS, LeftOut, fit_factors, left_out, measured_logs
from analysis.serving.points import Points
from analysis.serving.predict import LEVELS
from analysis.serving.tables import measured_points
from analysis.serving.times import NAMES, decode_step, most_requests
from data.records import SERVING_FIT, serving_fit

FULL_LOAD = KINDS.index("load")
FACTOR = 1.5
"""Factor that separates close predictions from others. [1]"""


def quantiles(
    parts: Sequence[LeftOut], *, by_source: LeftOut, sources: Sequence[str]
) -> dict[str, list[float]]:
    """Return, keyed by kind, the number of standard deviations that covers each level's share of held-out points.

    For points left out with their source it is the median over sources; a source with most points of a kind is ignored,
    because the fit without it is a different model. The largest over all ways of leaving out counts.
    """
    names = np.array(sources, dtype=object)
    widths = {}
    *ways, own = (np.abs(part.measured - part.predicted) / part.scale for part in (*parts, by_source))
    for at, kind in enumerate(KINDS):
        there = np.isfinite(own[at])
        per_source = [
            np.quantile(own[at][there & (names == name)], LEVELS)
            for name in dict.fromkeys(names[there].tolist())
            if 2 * np.sum(there & (names == name)) < np.sum(there)
        ]
        per = [np.nanquantile(way[at], LEVELS) for way in ways]
        most: FloatArray = np.max([*per, np.median(per_source, axis=0)], axis=0)
        widths[kind] = [0.0, *(round(float(value), 3) for value in most[1:])]
    return widths


def halves(points: Points) -> list[str]:
    """Return the half to which each point is randomly assigned, the same on every call."""
    return [str(half) for half in np.random.default_rng(2026).integers(0, 2, len(points))]


def within_factor(off: FloatArray) -> float:
    """Return the share of full-load predictions within :data:`FACTOR` of the measurement.

    ``off`` is log(measured/predicted) of every point, NaN if not measured.
    """
    there = off[np.isfinite(off)]
    return round(float(np.mean(np.abs(there) <= np.log(FACTOR))), 3)


def by_bandwidth_alone(points: Points) -> FloatArray:
    """Return log(measured/predicted) at full load, shape (n,), for a rule based on bandwidth alone.

    Every step reads the visited weights and the cache, and nothing else takes time; the rule is scaled to the median.
    """
    d, ideal = points.deployments, dict.fromkeys(NAMES, 1.0)
    requests = most_requests(d, ideal)
    step = decode_step(d, ideal, requests=requests)
    rule_s = (step.weights_s + step.cache_s) / requests * d.all_chips
    off = np.log(rule_s) - measured_logs(points)[FULL_LOAD]
    return off - np.nanmedian(off)


def record() -> None:
    """Record the fitted factors, the quantiles, and the shares of predictions close to the measurements."""
    points = measured_points()
    factors = fit_factors(points, start=np.log([serving_fit()["factors"].get(name, 1.0) for name in NAMES]))
    known = points.deployments
    by_chip, by_half, by_source = (
        left_out(points, groups=groups, start=factors)
        for groups in (known.accelerator, halves(points), known.source)
    )
    wide = quantiles([by_chip, by_half], by_source=by_source, sources=known.source)
    source_off = by_source.measured[FULL_LOAD] - by_source.predicted[FULL_LOAD]
    within = {"source": within_factor(source_off), "bandwidth": within_factor(by_bandwidth_alone(points))}
    numbers = {name: float(f"{np.exp(value):.4g}") for name, value in zip(NAMES, factors, strict=True)}
    tables = {"factors": numbers, "quantiles": wide, "full_load_within_factor": within}
    SERVING_FIT.write_text(json.dumps(tables, indent=2) + "\n", encoding="utf-8")
