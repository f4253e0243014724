"""How many bytes the KV cache takes: exact by architecture, with sliding windows and latent attention."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray


@dataclass(frozen=True, kw_only=True)
class Attention:
    """The sizes of a model that decide its KV cache.

    ``n_kv_heads`` equals the number of query heads in multi-head attention, is smaller in grouped-query, 1 in
    multi-query. ``kv_latent_size`` > 0 means latent attention: one latent and one rotary key per layer are kept,
    no heads. Of ``n_layers``, ``n_sliding_layers`` keep only the last ``sliding_window_tokens``.
    """

    n_layers: int
    n_kv_heads: int = 0
    head_size: int = 0
    kv_latent_size: int = 0
    rope_head_size: int = 0
    sliding_window_tokens: int = 0
    n_sliding_layers: int = 0

    def __post_init__(self) -> None:
        """Refuse sizes that make no cache."""
        if self.n_layers < 1:
            raise ValueError(
                f"n_layers is 1 or more; got {self.n_layers}. Give the number of decoder layers."
            )
        if not self.kv_latent_size and not (self.n_kv_heads > 0 and self.head_size > 0):
            raise ValueError(
                "a KV cache needs n_kv_heads and head_size, or kv_latent_size; got "
                f"{self.n_kv_heads}, {self.head_size} and {self.kv_latent_size}. Take them from the model's config."
            )
        if not 0 <= self.n_sliding_layers <= self.n_layers:
            raise ValueError(
                f"n_sliding_layers lies between 0 and n_layers ({self.n_layers}); got {self.n_sliding_layers}. "
                "Count only layers whose attention slides."
            )


def numbers_per_token_and_layer(attention: Attention) -> int:
    """Return how many numbers one layer keeps for one token.

    References
    ----------
    Ainslie et al., arXiv:2305.13245, section 2.2 (grouped-query); DeepSeek-AI, arXiv:2405.04434, table 1 (latent:
    the latent and the decoupled rotary key).
    """
    if attention.kv_latent_size:
        return attention.kv_latent_size + attention.rope_head_size
    return 2 * attention.n_kv_heads * attention.head_size


def tokens_kept(
    context_tokens: ArrayLike, *, n_layers: int, n_sliding_layers: int = 0, sliding_window_tokens: float = 0
) -> FloatArray:
    """Return tokens kept, and looked back at, summed over layers, the shape of ``context_tokens``. [tokens]

    Sliding layers stop growing at their window; a window of 0 is none.
    """
    context = np.asarray(context_tokens, dtype=float)
    sliding = n_sliding_layers if sliding_window_tokens else 0
    return (n_layers - sliding) * context + sliding * np.minimum(context, sliding_window_tokens)


def kv_cache_byte_per_token(attention: Attention, *, byte_per_number: float = 2.0) -> float:
    """Return what one more token adds while every window still fills. [byte]"""
    return byte_per_number * attention.n_layers * numbers_per_token_and_layer(attention)


def kv_cache_byte(
    attention: Attention, context_tokens: float | FloatArray, *, byte_per_number: float = 2.0
) -> FloatArray:
    """Return the cache of one request at a context length, the shape of ``context_tokens``. [byte]

    Sliding layers stop growing at their window. This is also what one token reads of the cache.
    """
    kept = tokens_kept(
        context_tokens,
        n_layers=attention.n_layers,
        n_sliding_layers=attention.n_sliding_layers,
        sliding_window_tokens=attention.sliding_window_tokens,
    )
    return byte_per_number * numbers_per_token_and_layer(attention) * kept
