"""How many bytes the KV cache takes: exact by architecture, with sliding windows and latent attention."""

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.model.architecture import Architecture


def numbers_per_token_and_layer(model: Architecture) -> int:
    """Return how many numbers one layer keeps for one token.

    References
    ----------
    Ainslie et al., arXiv:2305.13245, section 2.2 (grouped-query); DeepSeek-AI, arXiv:2405.04434, table 1 (latent:
    the latent and the decoupled rotary key).
    """
    if model.latent:
        return model.latent.kv_latent_size + model.latent.rope_head_size
    return 2 * model.key_value_heads * model.head


def tokens_kept(model: Architecture, context_tokens: ArrayLike) -> FloatArray:
    """Return tokens kept, and looked back at, summed over layers, the shape of ``context_tokens``. [tokens]

    Sliding layers stop growing at their window; a window of 0 is none.
    """
    context = np.asarray(context_tokens, dtype=float)
    sliding = model.n_sliding_layers if model.sliding_window_tokens else 0
    return (model.n_layers - sliding) * context + sliding * np.minimum(context, model.sliding_window_tokens)


def kv_cache_byte_per_token(model: Architecture, *, byte_per_number: float = 2.0) -> float:
    """Return what one more token adds while every window still fills. [byte]"""
    return byte_per_number * model.n_layers * numbers_per_token_and_layer(model)


def kv_cache_byte(
    model: Architecture, context_tokens: ArrayLike, *, byte_per_number: float = 2.0
) -> FloatArray:
    """Return the cache of one request at a context length, the shape of ``context_tokens``. [byte]

    Sliding layers stop growing at their window. This is also what each new token reads of the cache.

    References
    ----------
    Pope et al., "Efficiently Scaling Transformer Inference", arXiv:2211.05102, section 3.3; for latent
    attention DeepSeek-AI, "DeepSeek-V2", arXiv:2405.04434, table 1.
    """
    return tokens_kept(model, context_tokens) * numbers_per_token_and_layer(model) * byte_per_number
