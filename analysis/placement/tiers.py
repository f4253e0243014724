"""What requests cost and how long they wait when a small model at the edge answers a share of them."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import BoolArray, FloatArray
from analysis.placement.question import Question
from analysis.placement.verdict import Standing, standing_at_shares

LEAST = 0.01
"""The smallest share a router sends to the edge: a machine for no requests has no cost per request."""


@dataclass(frozen=True, kw_only=True)
class Tiers:
    """The small model's question at the edge and the work's own in a cloud.

    ``tried_first`` tries every request at the edge before it goes on; else a router sends on what the edge never sees.
    ``share`` of the requests is answered at the edge.
    """

    small: Question
    whole: Question
    share: float
    tried_first: bool

    @property
    def least(self) -> float:
        """Return the smallest share that can be answered at the edge."""
        return 0.0 if self.tried_first else LEAST

    @property
    def own_share(self) -> float:
        """Return the share that is answered at the edge, no less than the smallest."""
        return max(self.share, self.least)


@dataclass(frozen=True, kw_only=True)
class TierPlaces:
    """The cheapest place of each tier that will do, None where none does, and how all places stand with the whole."""

    at_edge: int | None
    at_cloud: int | None
    whole: Standing


@dataclass(frozen=True, kw_only=True)
class SplitCost:
    """What a split costs by the share ``kept`` at the edge, and the mean time to the first token that counts.

    Arrays have one entry for each share; costs are of 1,000 requests, ``alone`` that of the cloud alone, ``mine`` that
    of the share asked. ``pays_from`` is the least share from which on a split is no dearer, or None. [USD, s]
    """

    kept: FloatArray
    cost_usd: FloatArray
    edge_usd: FloatArray
    first_s: FloatArray
    alone_usd: float
    mine_usd: float
    pays_from: float | None


def tier_places(tiers: Tiers) -> TierPlaces:
    """Return where each of the two tiers runs."""
    question = tiers.whole
    whole = standing_at_shares(question, np.ones(1))
    seen = np.array([1.0 if tiers.tried_first else tiers.own_share])
    edge = standing_at_shares(tiers.small, seen)
    own, cloud = ~question.rented & question.allowed, question.rented & question.allowed
    return TierPlaces(
        at_edge=edge.cheapest(own, sure=question.sure),
        at_cloud=whole.cheapest(cloud, sure=question.sure),
        whole=whole,
    )


def split_cost(tiers: Tiers, *, at_edge: int, at_cloud: int, alone_usd: float) -> SplitCost:
    """Return what a split between these two places costs; ``alone_usd`` is that of the cloud for everything."""
    shares = np.append(np.linspace(tiers.least, 1.0, 101), tiers.own_share)
    kept = np.unique(shares)
    seen = np.ones_like(kept) if tiers.tried_first else kept
    edge = standing_at_shares(tiers.small.at(_only(tiers.small, at_edge)), seen)
    cloud = standing_at_shares(tiers.whole.at(_only(tiers.whole, at_cloud)), np.maximum(1.0 - kept, LEAST))
    answer_s = float(np.max(tiers.small.work.output_tokens)) * edge.token_s[:, 0]
    before = edge.first_s[:, 0] + answer_s if tiers.tried_first else 0.0
    cost = blended(kept, edge=edge.cost_usd[:, 0], cloud=cloud.cost_usd[:, 0], tried_first=tiers.tried_first)
    return SplitCost(
        kept=kept,
        cost_usd=cost,
        edge_usd=edge.cost_usd[:, 0],
        first_s=_first_s(kept, edge_s=edge.first_s[:, 0], cloud_s=before + cloud.first_s[:, 0]),
        alone_usd=alone_usd,
        mine_usd=float(np.interp(tiers.own_share, kept, cost)),
        pays_from=break_even(kept, cost=cost, alone=alone_usd),
    )


def _only(question: Question, place: int) -> BoolArray:
    return np.arange(len(question.places)) == place


def _weighted(share: FloatArray, values: FloatArray) -> FloatArray:
    """Return share times value, 0 where the share is 0 even if the value is without end."""
    shape = np.broadcast_shapes(np.shape(share), np.shape(values))
    return np.multiply(share, values, out=np.zeros(shape), where=np.broadcast_to(share, shape) > 0)


def _first_s(kept: FloatArray, *, edge_s: FloatArray, cloud_s: FloatArray) -> FloatArray:
    """Return the mean time to the first token that counts; ``cloud_s`` holds whatever was tried before. [s]"""
    return _weighted(kept, edge_s) + _weighted(1 - kept, cloud_s)


def blended(kept: FloatArray, *, edge: FloatArray, cloud: FloatArray, tried_first: bool) -> FloatArray:
    """Return the mean over all requests, shape of ``kept``, in the unit of ``edge`` and ``cloud``.

    ``kept`` is the share answered at the edge. ``tried_first`` charges the edge for every request, as each is tried
    there before it goes on; else a router sends on what the edge never sees.
    """
    at_edge = edge if tried_first else kept * edge
    return at_edge + _weighted(1.0 - kept, cloud)


def break_even(kept: FloatArray, *, cost: FloatArray, alone: float) -> float | None:
    """Return the least share from which on ``cost``, linear between rising ``kept``, is within ``alone``, or None."""
    dearer = np.flatnonzero(cost > alone * (1 + 1e-12))
    if not len(dearer):
        return float(kept[0])
    last = int(dearer[-1])
    if last == len(kept) - 1:
        return None
    part = (cost[last] - alone) / (cost[last] - cost[last + 1])
    return float(kept[last] + part * (kept[last + 1] - kept[last]))
