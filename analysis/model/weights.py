"""How many bytes of weights one step reads: all of a dense model, the experts touched of a mixture."""

import numpy as np

from analysis.arrays import FloatArray


def share_of_experts_touched(active_share: float | FloatArray, batch: float | FloatArray) -> FloatArray:
    """Return the expected share of experts that at least one of ``batch`` tokens is sent to. [1]

    Tokens choose independently and evenly; real routers are uneven and touch fewer. Shapes broadcast.

    References
    ----------
    1 - (1 - k/E)^b, the occupancy of E experts by b draws of k: Feller, "An Introduction to Probability Theory",
    vol. 1, section IV.2.
    """
    share = np.clip(np.asarray(active_share, dtype=float), 0.0, 1.0)
    return 1.0 - (1.0 - share) ** np.asarray(batch, dtype=float)


def weights_read_byte(
    *,
    weights_byte: float | FloatArray,
    active_weights_byte: float | FloatArray,
    batch: float | FloatArray = 1.0,
    shared_weights_byte: float | FloatArray = 0.0,
) -> FloatArray:
    """Return the bytes of weights one step of ``batch`` tokens reads; shapes broadcast. [byte]

    ``shared_weights_byte`` is what every token reads (attention, shared experts); where it is not known, 0 treats
    the whole model as experts, which at batch 1 gives the active weights and at large batches all weights.
    """
    routed = np.asarray(weights_byte, dtype=float) - shared_weights_byte
    active = np.minimum(np.asarray(active_weights_byte, dtype=float), weights_byte) - shared_weights_byte
    share = np.divide(active, routed, out=np.ones(np.broadcast(active, routed).shape), where=routed > 0)
    return shared_weights_byte + routed * share_of_experts_touched(share, batch)
