"""What a decoder-only model keeps, reads and computes for each token it generates or reads."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.hardware.roofline import experts_touched
from analysis.model.kv_cache import tokens_kept


@dataclass(frozen=True, kw_only=True)
class Decoder:
    """The sizes of a model that decide what a token costs.

    ``cache_elements`` is what one layer keeps of a token: keys and values of all key-value heads, or the
    latent vector and its rotary part. ``attention_flop`` is a layer's work for each earlier token when one token
    is generated, ``sequence_attention_flop`` when a whole sequence is read at once.
    ``routed_parameters`` are those of all experts a token can be sent to, 0 in a dense model.
    ``lookup_parameters`` are those of an input embedding kept apart, of which a token reads one row.
    """

    n_parameters: float
    n_active_parameters: float
    n_layers: int
    hidden_size: int
    n_heads: int
    head_size: int
    cache_elements: float
    attention_flop: float
    sequence_attention_flop: float
    routed_parameters: float = 0.0
    n_experts: int = 0
    n_active_experts: int = 0
    lookup_parameters: float = 0.0
    n_sliding_layers: int = 0
    sliding_window_tokens: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a model that no one can run."""
        if not 0 < self.n_active_parameters <= self.n_parameters:
            raise ValueError(
                f"active parameters lie above 0 and at most at all {self.n_parameters:g}; got "
                f"{self.n_active_parameters:g}. Pass how many work on one token."
            )

    @property
    def is_sparse(self) -> bool:
        """Return whether tokens are sent to some of many experts."""
        return self.routed_parameters > 0


def attended_tokens(model: Decoder, context_tokens: ArrayLike) -> FloatArray:
    """Return tokens looked back at, summed over layers; sliding layers see at most their window. [tokens]"""
    return tokens_kept(
        context_tokens,
        n_layers=model.n_layers,
        n_sliding_layers=model.n_sliding_layers,
        sliding_window_tokens=model.sliding_window_tokens,
    )


def kv_cache_byte(model: Decoder, *, context_tokens: ArrayLike, element_byte: float) -> FloatArray:
    """Return the KV cache of one request, all of which each new token reads. [byte]

    What a layer keeps of a token is a field of the model, since techniques reshape it; for a model as published it is
    :func:`analysis.model.kv_cache.numbers_per_token_and_layer`.

    References
    ----------
    Pope et al., "Efficiently Scaling Transformer Inference", arXiv:2211.05102, section 3.3; for latent
    attention DeepSeek-AI, "DeepSeek-V2", arXiv:2405.04434, table 1.
    """
    return attended_tokens(model, context_tokens) * model.cache_elements * element_byte


def weights_read(model: Decoder, *, tokens: ArrayLike) -> FloatArray:
    """Return how many weights a step over ``tokens`` tokens reads, each once. [parameters]

    All but a separate input embedding in a dense model. With experts, those of the active parameters, and
    every further expert that at least one token is sent to when routing is even.

    References
    ----------
    Fedus, Zoph and Shazeer, "Switch Transformers", JMLR 23, 2022, section 2.
    """
    count = np.asarray(tokens, dtype=np.float64)
    if not model.is_sparse:
        return np.full(count.shape, model.n_active_parameters - model.lookup_parameters)
    touched = experts_touched(tokens=count, experts=model.n_experts, active=model.n_active_experts)
    more = model.routed_parameters * (touched - model.n_active_experts) / model.n_experts
    return np.minimum(model.n_active_parameters + more, model.n_parameters)


def token_flop(model: Decoder, *, context_tokens: ArrayLike) -> FloatArray:
    """Return the operations of one token that looks back at ``context_tokens``. [FLOP]

    Two for each active weight, and the attention of every layer.

    References
    ----------
    Kaplan et al., "Scaling Laws for Neural Language Models", arXiv:2001.08361, section 2.1.
    """
    weights = model.n_active_parameters - model.lookup_parameters
    return 2 * weights + attended_tokens(model, context_tokens) * model.attention_flop
