"""Memory for the activations that a transformer stores for the backward pass."""

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray

RECOMPUTE_CODE = {"none": 0, "selective": 1, "full": 2}


def layer_activation_byte(
    *,
    sequence_length: ArrayLike,
    micro_batch: ArrayLike,
    hidden_size: float,
    n_heads: float,
    tensor_parallel: ArrayLike = 1,
    recompute: ArrayLike = 0,
    fused_attention: bool = False,
    feed_forward_byte: float = 16.0,
    attention_byte: float = 8.0,
    outside_byte: float = 10.0,
) -> FloatArray:
    """Return the size of a layer's 16-bit activations on a device, stored for the backward pass. [byte]

    ``recompute`` is 0 none, 1 selective, 2 full. Sequence parallelism splits norms and dropouts over the
    tensor-parallel devices too. ``fused_attention`` never writes the score matrix. ``feed_forward_byte`` is the size of
    both feed-forward activations per token and unit of hidden size, 16 at four times the width. ``attention_byte`` is
    the same for query, key, value and output, ``outside_byte`` for norms, inputs and dropout masks. ``full`` stores the
    layer's whole input on every device, as published.

    References
    ----------
    Korthikanti et al., arXiv:2205.05198, section 4, equations 1 to 4 and 6, table 2.
    """
    s, b, t = (np.asarray(x, dtype=np.float64) for x in (sequence_length, micro_batch, tensor_parallel))
    mode = np.asarray(recompute)
    known = (mode == 0) | (mode == 1) | (mode == 2)
    if not known.all():
        raise ValueError(
            f"recompute is 0 (none), 1 (selective) or 2 (full); got {mode[~known].flat[0]}. "
            "Choose one of these."
        )
    sbh = s * b * hidden_size
    inside = attention_byte + feed_forward_byte
    scores = np.where((mode == 0) & (not fused_attention), 5 * n_heads * s / (hidden_size * t), 0.0)
    return np.where(mode == 2, 2 * sbh, sbh * (outside_byte / t + inside / t + scores))


def stage_activation_byte(
    layer_byte: ArrayLike,
    *,
    n_layers: ArrayLike,
    pipeline_parallel: ArrayLike = 1,
    interleave: ArrayLike = 1,
    micro_batches: ArrayLike | None = None,
    stage: int = 0,
) -> FloatArray:
    """Return the size of the activations that a pipeline stage stores. The first stage stores the most. [byte]

    The 1F1B schedule keeps as many micro-batches in flight as there are stages, so depth saves nothing; interleaving
    adds a share of (p - 1)/(p v). ``micro_batches`` limits the number in flight. Each later ``stage`` stores one
    micro-batch fewer, or two pieces fewer if interleaved.

    References
    ----------
    Korthikanti et al., arXiv:2205.05198, section 4.2.3, equation 5 and the factor 1 + (p - 1)/(p m).
    """
    layer, layers, p, v = (
        np.asarray(x, dtype=np.float64) for x in (layer_byte, n_layers, pipeline_parallel, interleave)
    )
    flight = np.where(v > 1, p + (p - 1 - 2 * stage) / v, p - stage)
    if micro_batches is not None:
        flight = np.minimum(flight, np.asarray(micro_batches, dtype=np.float64))
    return layer * layers / p * flight


def further_activation_byte(
    *,
    sequence_length: ArrayLike,
    micro_batch: ArrayLike,
    hidden_size: float,
    vocabulary_size: float,
    tensor_parallel: ArrayLike = 1,
    pipeline_parallel: ArrayLike = 1,
) -> FloatArray:
    """Return the size of the first stage's activations for the embedding dropout, the last norm and the logits. [byte]

    References
    ----------
    Korthikanti et al., arXiv:2205.05198, section 4.3: s b h L/t (p/L + [p = 1] 4/L (1 + v/h)).
    """
    s, b, t, p = (
        np.asarray(x, dtype=np.float64)
        for x in (sequence_length, micro_batch, tensor_parallel, pipeline_parallel)
    )
    last = np.where(p == 1, 4 * (1 + vocabulary_size / hidden_size), 0.0)
    return s * b * hidden_size / t * (p + last)
