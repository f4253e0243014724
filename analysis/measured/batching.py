"""Batched decode on devices that were measured with one user."""

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray
from analysis.measured.decode import TokenTime

SHARED_ROW = ["device", "model", "format", "software", "backend"]
SHARING_POWER = 0.6
"""Exponent of the number of additional requests in the loss. Dense models at 2 to 32 give 0.6."""


def sharing_loss(measured: pd.DataFrame) -> float:
    """Return the share by which a second request lengthens a step, estimated from rows at several batch sizes. [1]

    The loss grows with additional requests to the power :data:`SHARING_POWER`. It is the median over pairs of rows of
    dense models that differ only in batch size, or 0 without such a pair. A batch of a mixture reads more experts,
    which :func:`shared_step_s` counts separately.
    """
    mixture = measured["n_active_parameters"] < 0.95 * measured["n_parameters"]
    dense = (measured["n_devices"] == 1) & (measured["decode_tokens_per_s"] > 0) & ~mixture
    rows = measured.loc[dense, [*SHARED_ROW, "batch", "decode_tokens_per_s"]]
    one = rows.loc[rows["batch"] == 1].drop_duplicates(SHARED_ROW)
    pairs = rows.loc[rows["batch"] > 1].merge(one, on=SHARED_ROW, suffixes=("", "_one"))
    if pairs.empty:
        return 0.0
    longer = pairs["batch"] * pairs["decode_tokens_per_s_one"] / pairs["decode_tokens_per_s"]
    return max(float(np.median((longer - 1) / (pairs["batch"] - 1) ** SHARING_POWER)), 0.0)


def shared_step_s(
    one_user: TokenTime,
    *,
    batch: FloatArray,
    touched_over_active: FloatArray,
    prefill_tokens_per_s: FloatArray,
    sharing_loss: FloatArray | float = 0.0,
) -> tuple[FloatArray, FloatArray]:
    """Return the memory time and the compute time of a step of ``batch`` requests. Shapes broadcast. [s]

    A step reads the weights once and every request's cache, and computes one token per request. ``touched_over_active``
    is the ratio of weights the batch touches to those of one token, 1 for dense models. Memory and compute overlap: the
    longer counts, plus the overhead. Compute per token follows from prefill speed, but is never slower than one user. A
    second request lengthens the step by at least ``sharing_loss`` of one user's, n more by ``n^0.6`` as much.

    References
    ----------
    Williams, Waterman and Patterson, "Roofline", Commun. ACM 52(4), 2009 (the longer of the two); Pope et al.,
    "Efficiently scaling transformer inference", arXiv:2211.05102, section 2 (weights shared, caches not).
    """
    memory_one = one_user.weights_s + one_user.cache_s
    memory = one_user.weights_s * touched_over_active + one_user.cache_s * batch
    compute = batch * np.minimum(1.0 / prefill_tokens_per_s, memory_one)
    further = np.maximum(batch - 1.0, 0.0) ** SHARING_POWER
    sharing = memory_one + sharing_loss * further * one_user.total_s
    return np.maximum(memory, sharing), compute


def batched_tokens_per_s(
    one_user: TokenTime,
    *,
    batch: FloatArray,
    touched_over_active: FloatArray,
    prefill_tokens_per_s: FloatArray,
    sharing_loss: FloatArray | float = 0.0,
) -> FloatArray:
    """Return the total output rate of the requests in a shared step. Shapes broadcast. [tokens/s]"""
    memory, compute = shared_step_s(
        one_user,
        batch=batch,
        touched_over_active=touched_over_active,
        prefill_tokens_per_s=prefill_tokens_per_s,
        sharing_loss=sharing_loss,
    )
    return batch / (one_user.overhead_s + np.maximum(memory, compute))
