"""Attention variants: latent, linear (a state of constant size) and sparse (selected tokens only)."""

from dataclasses import dataclass, fields

STATE_BYTE = 4
"""Size of a number in a linear layer's state. Engines store it at 32 bits. [byte]"""

CONVOLUTION_TOKENS = 4
"""Width of the short convolution in front of a linear layer: Yang et al., arXiv:2412.06464, section 3.4. [tokens]"""


def refuse_no_size(name: str, value: int | None, *, lowest: int) -> None:
    """Raise an error if a model's size is invalid.

    Raises ValueError if the value is given but is not a whole number of at least ``lowest``.
    """
    if value is not None and not (value == int(value) and value >= lowest):
        raise ValueError(f"{name} is a whole number from {lowest}; got {value}. Take it from the model.")


@dataclass(frozen=True, kw_only=True)
class LatentAttention:
    """Attention with one latent vector for all heads' keys and values. Queries may have a separate one.

    ``rope_head_size`` is the rotary part of a head's query, added to ``nope_head_size``, which is None if equal to that
    of the values. ``query_latent_size`` is None if queries are projected from the hidden state.

    References
    ----------
    DeepSeek-AI, "DeepSeek-V2", arXiv:2405.04434, section 2.1.
    """

    kv_latent_size: int
    rope_head_size: int
    query_latent_size: int | None = None
    nope_head_size: int | None = None

    def __post_init__(self) -> None:
        for item in fields(self):
            refuse_no_size(item.name, getattr(self, item.name), lowest=int(item.name != "rope_head_size"))


@dataclass(frozen=True, kw_only=True)
class LinearAttention:
    """Layers with a gated delta rule. Each value head stores a keys-by-values matrix, whatever the context length.

    References
    ----------
    Yang, Kautz and Hatamizadeh, "Gated Delta Networks: Improving Mamba2 with Delta Rule", arXiv:2412.06464.
    """

    n_layers: int
    n_key_heads: int
    n_value_heads: int
    head_size: int

    def __post_init__(self) -> None:
        for item in fields(self):
            refuse_no_size(item.name, getattr(self, item.name), lowest=1)

    @property
    def key_width(self) -> int:
        """Return the total key width of all heads."""
        return self.n_key_heads * self.head_size

    @property
    def value_width(self) -> int:
        """Return the total value width of all heads."""
        return self.n_value_heads * self.head_size

    def parameters(self, hidden_size: int) -> int:
        """Return the number of parameters of one layer, including its output gate and two rates per value head."""
        inside = 2 * self.key_width + 2 * self.value_width + 2 * self.n_value_heads
        convolution = CONVOLUTION_TOKENS * (2 * self.key_width + self.value_width)
        return hidden_size * (inside + self.value_width) + convolution

    @property
    def state_byte(self) -> int:
        """Return the size of a layer's state for a request, including the short convolution's at 16 bits. [byte]"""
        return STATE_BYTE * self.value_width * self.head_size + 2 * CONVOLUTION_TOKENS * (
            2 * self.key_width + self.value_width
        )

    @property
    def token_flop(self) -> int:
        """Return the operations per token that one layer performs on its state. [FLOP]"""
        return 7 * self.value_width * self.head_size


@dataclass(frozen=True, kw_only=True)
class SparseAttention:
    """Attention to the ``n_tokens`` earlier tokens that a small indexer scores highest.

    The indexer has one key of ``index_head_size`` for each token, and ``n_index_heads`` queries.

    References
    ----------
    DeepSeek-AI, "DeepSeek-V3.2", arXiv:2512.02556, section 2.1 (DeepSeek Sparse Attention).
    """

    n_tokens: int
    n_index_heads: int
    index_head_size: int

    def __post_init__(self) -> None:
        for item in fields(self):
            refuse_no_size(item.name, getattr(self, item.name), lowest=1)

    def parameters(self, hidden_size: int, query_size: int) -> int:
        """Return the number of indexer parameters in a layer. The queries come from a vector of size ``query_size``."""
        return query_size * self.n_index_heads * self.index_head_size + hidden_size * (
            self.index_head_size + self.n_index_heads
        )

    @property
    def index_flop(self) -> int:
        """Return the operations for one layer to score an earlier token. [FLOP]"""
        return 2 * self.n_index_heads * self.index_head_size
