"""Size of the KV cache for each architecture, including sliding windows and latent attention."""

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.model.architecture import Architecture


def numbers_per_token_and_layer(model: Architecture) -> int:
    """Return how many numbers one layer caches per token.

    References
    ----------
    Ainslie et al., arXiv:2305.13245, section 2.2 (grouped-query); DeepSeek-AI, arXiv:2405.04434, table 1 (latent:
    the latent and the decoupled rotary key).
    """
    if model.latent:
        return model.latent.kv_latent_size + model.latent.rope_head_size
    return 2 * model.key_value_heads * model.head


def tokens_kept(model: Architecture, context_tokens: ArrayLike) -> FloatArray:
    """Return the number of cached tokens summed over layers, in the shape of ``context_tokens``. [tokens]

    Sliding layers cache at most their window; a window of 0 means none. Linear layers cache no tokens.
    """
    context = np.asarray(context_tokens, dtype=float)
    sliding = model.n_sliding_layers if model.sliding_window_tokens else 0
    whole = model.n_layers - sliding - model.n_linear_layers
    return whole * context + sliding * np.minimum(context, model.sliding_window_tokens)


def tokens_attended(model: Architecture, context_tokens: ArrayLike) -> FloatArray:
    """Return how many tokens a new token attends to, summed over layers, in the shape of ``context_tokens``. [tokens]

    These are all cached tokens, unless sparse attention selects some of them in layers without a window.
    """
    if model.sparse is None:
        return tokens_kept(model, context_tokens)
    return tokens_kept(model, np.minimum(context_tokens, model.sparse.n_tokens))


def state_byte(model: Architecture) -> float:
    """Return the size of the linear layers' state for one request, the same at any context length. [byte]"""
    return float(model.linear.n_layers * model.linear.state_byte) if model.linear else 0.0


def kv_cache_byte(
    model: Architecture, context_tokens: ArrayLike, *, byte_per_number: float = 2.0
) -> FloatArray:
    """Return the size of one request's KV cache, in the shape of ``context_tokens``. [byte]

    Sliding layers stop growing at their window. Sparse attention stores one more key for its indexer. Linear layers
    store a state of constant size, at 32 bits.

    References
    ----------
    Pope et al., "Efficiently Scaling Transformer Inference", arXiv:2211.05102, section 3.3; for latent
    attention DeepSeek-AI, "DeepSeek-V2", arXiv:2405.04434, table 1.
    """
    index = model.sparse.index_head_size if model.sparse else 0
    numbers = numbers_per_token_and_layer(model) + index
    return tokens_kept(model, context_tokens) * numbers * byte_per_number + state_byte(model)


def kv_read_byte(
    model: Architecture, context_tokens: ArrayLike, *, byte_per_number: float = 2.0
) -> FloatArray:
    """Return how much of the cache each new token reads, in the shape of ``context_tokens``. [byte]

    It is the whole cache, except that sparse attention reads every token's indexer key and only the selected tokens.

    References
    ----------
    DeepSeek-AI, "DeepSeek-V3.2", arXiv:2512.02556, section 2.1.
    """
    if model.sparse is None:
        return kv_cache_byte(model, context_tokens, byte_per_number=byte_per_number)
    index = tokens_kept(model, context_tokens) * model.sparse.index_head_size
    attended = tokens_attended(model, context_tokens) * numbers_per_token_and_layer(model)
    return (index + attended) * byte_per_number + state_byte(model)
