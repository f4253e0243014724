"""Prices computed from measured times and today's rents, and prices from the serving model."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import BoolArray, FloatArray, IntArray
from analysis.cost_of_tokens.candidates import Candidates, Work
from analysis.cost_of_tokens.sweep import least, usd_per_million
from analysis.serving.deployment import Deployments
from analysis.serving.tables import measured_points, model
from analysis.serving.times import by_name, serving_times, throughput

COMPARABLE = 0.4
"""Maximum log difference between the prompt or answer lengths of a measured point and the workload."""


@dataclass(frozen=True, kw_only=True)
class MeasuredPrices:
    """Measured points: index, deployment, speed and price, each of shape (n,).

    ``rent`` and ``usd`` (per million output tokens) are at today's rents; ``computed_usd`` uses only the serving model.
    [USD/h, USD, tokens/s]
    """

    at: IntArray
    deployments: Deployments
    rent: FloatArray
    speed: FloatArray
    usd: FloatArray
    computed_usd: FloatArray

    @property
    def median_error(self) -> float:
        """Return the median error of the computed price, as a factor minus one: 0.2 is a factor of 1.2."""
        return float(np.exp(np.median(np.abs(np.log(self.computed_usd / self.usd)))) - 1)

    def cheapest(self, accelerators: Iterable[str]) -> Candidates | None:
        """Return the deployments on each accelerator's measured frontier. None if there are no such deployments."""
        names = np.array(self.deployments.accelerator)
        places: list[int] = []
        for name in accelerators:
            own = np.flatnonzero(names == name)
            places += own[least(self.speed[own], self.usd[own])].tolist()
        every = Candidates(deployments=self.deployments, usd_per_hour=self.rent)
        return every.at(np.array(places)) if places else None


def whole_points() -> BoolArray:
    """Return a mask, shape (n,), of closed-loop measurements that state time per token and time to first token."""
    points = measured_points()
    return points.closed & np.isfinite(points.token_s) & np.isfinite(points.first_s)


def points_like(
    *, formats: Mapping[str, str], work: Work, first_s: float = np.inf, engine: str = ""
) -> BoolArray:
    """Return a mask, shape (n,), of whole points without speculative decoding that are comparable with ``work``.

    Their time to first token is at most ``first_s``, and they ran on ``engine`` if one is given.
    """
    points = measured_points()
    d = points.deployments
    keep = whole_points() & (points.first_s <= first_s) & _like(d, formats, work=work)
    keep &= np.array(d.tuning) == work.tuning
    return keep & (np.array(d.engine) == engine) if engine else keep


def _like(d: Deployments, formats: Mapping[str, str], *, work: Work) -> BoolArray:
    """Return a mask, shape (n,), of deployments like ``work`` that use their vendor's format and no speculation."""
    in_format = [formats.get(maker) == name for maker, name in zip(d.maker, d.format_name, strict=True)]
    off = np.log([d.prompt_tokens / work.prompt_tokens, d.output_tokens / work.output_tokens])
    return np.array(in_format, dtype=bool) & (d.drafted == 0) & (np.abs(off).max(axis=0) < COMPARABLE)


def full_load(models: Collection[str], accelerator: str, *, work: Work) -> float:
    """Return the highest measured output rate per accelerator at full load. Zero if none was measured. [tokens/s]"""
    points = measured_points()
    d = points.deployments
    own = [of in models and on == accelerator for of, on in zip(d.model, d.accelerator, strict=True)]
    counts = _like(d, dict.fromkeys(d.maker, work.format_name), work=work) & np.array(own, dtype=bool)
    counts &= ~points.closed & np.isfinite(points.tokens_per_s)
    return float(np.max(points.tokens_per_s, where=counts, initial=0.0))


def measured_prices(
    keep: BoolArray, *, models: Collection[str], rents: Mapping[str, float], utilization: float
) -> MeasuredPrices:
    """Return the models' measured points in the mask ``keep``, shape (n,), priced at ``rents`` [USD/h]."""
    points = measured_points()
    whole = points.deployments
    own = [
        name in models and chip in rents for name, chip in zip(whole.model, whole.accelerator, strict=True)
    ]
    at = np.flatnonzero(keep & np.array(own, dtype=bool))
    d, token_s, first_s = whole.at(at), points.token_s[at], points.first_s[at]
    rent = np.array([rents[name] for name in d.accelerator])
    base = serving_times(d, by_name(model().factors))

    def usd(tokens_per_s: FloatArray) -> FloatArray:
        return usd_per_million(usd_per_hour=rent, tokens_per_s=tokens_per_s, utilization=utilization)

    return MeasuredPrices(
        at=at,
        deployments=d,
        rent=rent,
        speed=1 / token_s,
        usd=usd(throughput(d, token_s=token_s, first_s=first_s, concurrency=d.concurrency)),
        computed_usd=usd(base.output_tokens_per_s_per_accelerator),
    )
