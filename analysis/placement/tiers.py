"""What requests cost and how long they wait when a small model at the edge answers a share of them."""

import numpy as np

from analysis.arrays import FloatArray


def blended(kept: FloatArray, *, edge: FloatArray, cloud: FloatArray, tried_first: bool) -> FloatArray:
    """Return the mean over all requests, shape of ``kept``, in the unit of ``edge`` and ``cloud``.

    ``kept`` is the share answered at the edge. ``tried_first`` charges the edge for every request, as each is tried
    there before it goes on; else a router sends on what the edge never sees.
    """
    at_edge = edge if tried_first else kept * edge
    return at_edge + np.where(kept < 1.0, (1.0 - kept) * cloud, 0.0)


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
