"""Cost and waiting time of requests if a small model at the edge answers some of them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analysis.arrays import FloatArray
from analysis.placement.question import Question
from analysis.placement.verdict import standing

LEAST = 0.01
"""Smallest share that a router sends to the edge. Without requests, there is no cost per request."""


@dataclass(frozen=True, kw_only=True)
class TierPlaces:
    """The cheapest adequate place of each tier, None if the tier has none.

    ``alone_usd`` is the cost of 1,000 requests if the cloud answers all of them, NaN without a cloud.
    """

    at_edge: int | None
    at_cloud: int | None
    alone_usd: float


@dataclass(frozen=True, kw_only=True)
class Tiers:
    """A small model's question at the edge and the original question in a cloud.

    With ``tried_first``, every request is tried at the edge before it is escalated; otherwise a router sends some
    requests directly to the cloud. ``share`` of the requests is answered at the edge.
    """

    small: Question
    whole: Question
    share: float
    tried_first: bool

    @property
    def least(self) -> float:
        """Return the smallest share of requests that may be answered at the edge."""
        return 0.0 if self.tried_first else LEAST

    @property
    def own_share(self) -> float:
        """Return the chosen share of requests to answer at the edge, at least ``LEAST``."""
        return max(self.share, self.least)

    @cached_property
    def places(self) -> TierPlaces:
        """Return the cheapest adequate place of each tier."""
        whole = standing(self.whole, shares=np.ones(1))
        seen = np.array([1.0 if self.tried_first else self.own_share])
        at_cloud = whole.cheapest(rented=True)
        return TierPlaces(
            at_edge=standing(self.small, shares=seen).cheapest(rented=False),
            at_cloud=at_cloud,
            alone_usd=np.nan if at_cloud is None else float(whole.cost_usd[0, at_cloud]),
        )


@dataclass(frozen=True, kw_only=True)
class SplitCost:
    """Cost of a split and mean time to the first token, for each share ``kept`` at the edge.

    Arrays have one entry per share; costs are for 1,000 requests. ``alone_usd`` is for the cloud only, ``mine_usd``
    for the chosen share. A split costs no more than the cloud from ``pays_from``, or never if None. [USD, s]
    """

    kept: FloatArray
    cost_usd: FloatArray
    edge_usd: FloatArray
    first_s: FloatArray
    alone_usd: float
    mine_usd: float
    pays_from: float | None


def split_cost(tiers: Tiers, places: TierPlaces | None = None) -> SplitCost:
    """Return the cost of a split between the given places, by default the tiers' own. Each tier needs a place."""
    places = places or tiers.places
    assert places.at_edge is not None and places.at_cloud is not None
    kept = np.unique([*np.linspace(tiers.least, 1.0, 101), tiers.own_share])
    seen = np.ones_like(kept) if tiers.tried_first else kept
    edge = standing(_only(tiers.small, places.at_edge), shares=seen)
    cloud = standing(_only(tiers.whole, places.at_cloud), shares=np.maximum(1.0 - kept, LEAST))
    edge_s, edge_usd = edge.first_s[:, 0], edge.cost_usd[:, 0]
    answer_s = float(np.max(tiers.small.work.output_tokens)) * edge.token_s[:, 0]
    before = edge_s + answer_s if tiers.tried_first else 0.0
    cost = blended(kept, edge=edge_usd, cloud=cloud.cost_usd[:, 0], tried_first=tiers.tried_first)
    return SplitCost(
        kept=kept,
        cost_usd=cost,
        edge_usd=edge_usd,
        first_s=_weighted(kept, edge_s) + _weighted(1 - kept, before + cloud.first_s[:, 0]),
        alone_usd=places.alone_usd,
        mine_usd=float(np.interp(tiers.own_share, kept, cost)),
        pays_from=break_even(kept, cost=cost, alone=places.alone_usd),
    )


def _only(question: Question, place: int) -> Question:
    return question.at(np.arange(len(question.places)) == place)


def _weighted(share: FloatArray, values: FloatArray) -> FloatArray:
    """Return the share times the value, or 0 for a share of 0, even if the value is infinite."""
    shape = np.broadcast_shapes(np.shape(share), np.shape(values))
    return np.multiply(share, values, out=np.zeros(shape), where=np.broadcast_to(share, shape) > 0)


def blended(kept: FloatArray, *, edge: FloatArray, cloud: FloatArray, tried_first: bool) -> FloatArray:
    """Return the mean over all requests, in the unit of ``edge`` and ``cloud`` and in the shape of ``kept``.

    ``kept`` is the share answered at the edge. With ``tried_first``, every request is charged at the edge, as each is
    tried there first; otherwise a router sends some requests directly to the cloud.
    """
    return (edge if tried_first else kept * edge) + _weighted(1.0 - kept, cloud)


def break_even(kept: FloatArray, *, cost: FloatArray, alone: float) -> float | None:
    """Return the lowest interpolated share at and above which ``cost`` is at most ``alone``. None if there is none."""
    dearer = np.flatnonzero(cost > alone * (1 + 1e-12))
    if not len(dearer):
        return float(kept[0])
    last = int(dearer[-1])
    if last == len(kept) - 1:
        return None
    part = (cost[last] - alone) / (cost[last] - cost[last + 1])
    return float(kept[last] + part * (kept[last + 1] - kept[last]))
