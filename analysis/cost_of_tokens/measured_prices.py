"""Prices that measured times come to at today's rents, beside those that the serving model alone gives."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.arrays import BoolArray, FloatArray, IntArray
from analysis.cost_of_tokens.candidates import Candidates
from analysis.cost_of_tokens.sweep import least, usd_per_million
from analysis.serving.deployment import Deployments
from analysis.serving.factors import by_name
from analysis.serving.tables import measured_points, model
from analysis.serving.times import serving_times, throughput


@dataclass(frozen=True, kw_only=True)
class MeasuredPrices:
    """Measured points by their place in the table of all, their deployments, speed and price; shapes (n,).

    ``rent`` and ``usd``, of a million output tokens, are at today's rents. [USD/h, USD, tokens/s]
    """

    at: IntArray
    deployments: Deployments
    speed: FloatArray
    rent: FloatArray
    usd: FloatArray
    utilization: float

    def by_model(self) -> tuple[FloatArray, FloatArray]:
        """Return speed and price by the mechanisms alone, each of shape (n,). [tokens/s, USD]"""
        base = serving_times(self.deployments, by_name(model().factors))
        usd = usd_per_million(
            usd_per_hour=self.rent,
            tokens_per_s=base.output_tokens_per_s_per_accelerator,
            utilization=self.utilization,
        )
        return 1 / base.time_per_output_token_s, usd

    def cheapest(self, accelerators: Iterable[str]) -> Candidates | None:
        """Return the deployments that no other of their accelerator beats, by accelerator; None without any."""
        names = np.array(self.deployments.accelerator)
        places: list[int] = []
        for name in accelerators:
            own = np.flatnonzero(names == name)
            places += own[least(self.speed[own], self.usd[own])].tolist()
        if not places:
            return None
        every = Candidates(deployments=self.deployments, usd_per_hour=self.rent)
        return every.take(places, concurrency=self.deployments.concurrency[places])


def whole_points() -> BoolArray:
    """Return which measured points ran in a closed loop and have both times, shape (n,)."""
    points = measured_points()
    return points.closed & np.isfinite(points.token_s) & np.isfinite(points.first_s)


def measured_prices(keep: BoolArray, *, rents: Mapping[str, float], utilization: float) -> MeasuredPrices:
    """Return the points that ``keep`` marks, shape (n,), at rents by accelerator. [USD/h]"""
    points, at = measured_points(), np.flatnonzero(keep)
    d = points.deployments.at(keep)
    rate = throughput(d, token_s=points.token_s[at], first_s=points.first_s[at], concurrency=d.concurrency)
    rent = np.array([rents[name] for name in d.accelerator])
    return MeasuredPrices(
        at=at,
        deployments=d,
        speed=1 / points.token_s[at],
        rent=rent,
        usd=usd_per_million(usd_per_hour=rent, tokens_per_s=rate, utilization=utilization),
        utilization=utilization,
    )
