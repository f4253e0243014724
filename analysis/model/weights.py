"""Bytes of weights read per step: all weights of a dense model, or the visited experts of a mixture."""

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.model.architecture import Architecture


def share_of_experts_touched(active_share: ArrayLike, batch: ArrayLike) -> FloatArray:
    """Return the expected share of experts visited by at least one of ``batch`` tokens. [1]

    Tokens choose independently and evenly; real routers are uneven and visit fewer. Shapes broadcast.

    References
    ----------
    1 - (1 - k/E)^b, the occupancy of E experts by b draws of k: Feller, "An Introduction to Probability Theory",
    vol. 1, section IV.2.
    """
    share = np.clip(np.asarray(active_share, dtype=float), 0.0, 1.0)
    return 1.0 - (1.0 - share) ** np.asarray(batch, dtype=float)


def experts_touched(*, tokens: ArrayLike, experts: int, active: int) -> FloatArray:
    """Return the expected number of experts that at least one token visits if routing is even. [experts]

    This is :func:`share_of_experts_touched` as a number, for tokens that each choose ``active`` of ``experts``.
    """
    if not 0 < active <= experts:
        raise ValueError(
            f"active experts lie between 1 and all {experts}; got {active}. Pass how many a token is sent to."
        )
    return experts * share_of_experts_touched(active / experts, tokens)


def weights_read(model: Architecture, *, tokens: ArrayLike) -> FloatArray:
    """Return the number of weights that a step over ``tokens`` tokens reads. Each weight counts once. [parameters]

    A dense model reads all weights except an untied input embedding. A mixture reads the active parameters and every
    other expert visited by at least one token, with even routing.

    References
    ----------
    Fedus, Zoph and Shazeer, "Switch Transformers", JMLR 23, 2022, section 2.
    """
    count, parameters = np.asarray(tokens, dtype=np.float64), model.parameters
    if not parameters.routed:
        return np.full(count.shape, parameters.active - parameters.lookup)
    touched = experts_touched(tokens=count, experts=model.n_experts, active=model.n_active_experts)
    more = parameters.routed * (touched - model.n_active_experts) / model.n_experts
    return np.minimum(parameters.active + more, parameters.total)


def weights_read_byte(
    *,
    weights_byte: float | FloatArray,
    active_weights_byte: float | FloatArray,
    batch: float | FloatArray = 1.0,
) -> FloatArray:
    """Return the bytes of weights read in a step of ``batch`` tokens. Shapes broadcast. [byte]

    The whole model is treated as experts: a batch of 1 reads the active weights, a large batch all weights.
    """
    every = np.asarray(weights_byte, dtype=float)
    active = np.minimum(np.asarray(active_weights_byte, dtype=float), every)
    share = np.divide(active, every, out=np.ones(np.broadcast(active, every).shape), where=every > 0)
    return every * share_of_experts_touched(share, batch)
