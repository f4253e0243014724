"""How decode scales when several requests share each step, on devices measured with one user."""

import numpy as np
from numpy.typing import NDArray

from analysis.decode import TokenTime

FloatArray = NDArray[np.floating]


def batched_tokens_per_s(
    one_user: TokenTime,
    *,
    batch: FloatArray,
    touched_over_active: FloatArray,
    prefill_tokens_per_s: FloatArray,
) -> FloatArray:
    """Return tokens a second of all requests together, shape (n,). [tokens/s]

    A step reads the weights once (``touched_over_active``: those the whole batch touches over those of one token; 1
    for dense models) and the cache of every request, and computes one token for each. Memory and compute overlap; the
    longer counts. Compute per token is taken from how fast the device reads prompts, but never slower than one user.

    References
    ----------
    Williams, Waterman and Patterson, "Roofline", Commun. ACM 52(4), 2009 (the longer of the two); Pope et al.,
    "Efficiently scaling transformer inference", arXiv:2211.05102, section 2 (weights shared, caches not).
    """
    memory_one = one_user.weights_s + one_user.cache_s
    memory = one_user.weights_s * touched_over_active + one_user.cache_s * batch
    compute = batch * np.minimum(1.0 / prefill_tokens_per_s, memory_one)
    return batch / (one_user.overhead_s + np.maximum(memory, compute))
