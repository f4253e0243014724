"""Shape of a language model, and the parameter counts that follow from the shape."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from analysis.model.attention import LatentAttention, LinearAttention, SparseAttention, refuse_no_size
from analysis.model.parameters import ParameterCounts
from analysis.refusal import Refusal

__all__ = ["Architecture", "LatentAttention", "LinearAttention", "SparseAttention"]

_FROM_ZERO = ("n_shared_experts", "n_dense_layers", "n_sliding_layers", "sliding_window_tokens")
_NO_SIZE = (
    "name",
    "published_format",
    "gated",
    "gated_attention",
    "tied_embeddings",
    "latent",
    "linear",
    "sparse",
    "stated",
    "idealized",
)


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """The shape of a decoder. Fields that are None follow from the others.

    ``n_key_value_heads`` is None for as many as query heads, 1 in multi-query attention; ``feed_forward_size`` is None
    for four times the hidden size, ``head_size`` None for an equal part of the hidden size. ``gated`` layers have three
    feed-forward matrices instead of two. ``feed_forward_size`` is the width of each expert, of which
    ``n_active_experts`` work on each token and ``n_shared_experts`` on every token; a dense model is one expert.
    ``n_dense_layers`` of a mixture have one feed-forward layer of ``dense_feed_forward_size`` instead.
    ``tied_embeddings`` share one matrix between the first and the output layer. ``n_sliding_layers`` see only the last
    ``sliding_window_tokens``. ``linear`` layers replace attention by a state of constant size; ``sparse`` selects the
    earlier tokens that other layers attend to. ``gated_attention`` gates its output by one more matrix as wide as the
    queries. ``published_format`` is the weights' format at release. ``stated`` parameter counts, published or assumed,
    override those counted from the shape. An ``idealized`` shape follows a rule: its key-value heads need not divide
    its heads.
    """

    n_layers: int
    hidden_size: int
    n_heads: int
    vocabulary_size: int
    sequence_length: int = 1
    name: str = ""
    n_key_value_heads: int | None = None
    feed_forward_size: int | None = None
    gated: bool = False
    n_experts: int = 1
    n_active_experts: int = 1
    head_size: int | None = None
    n_shared_experts: int = 0
    n_dense_layers: int = 0
    dense_feed_forward_size: int | None = None
    tied_embeddings: bool = True
    latent: LatentAttention | None = None
    linear: LinearAttention | None = None
    sparse: SparseAttention | None = None
    gated_attention: bool = False
    n_sliding_layers: int = 0
    sliding_window_tokens: int = 0
    stated: ParameterCounts | None = None
    idealized: bool = False
    published_format: str = "BF16"

    def __post_init__(self) -> None:
        for item in fields(self):
            if item.name not in _NO_SIZE:
                refuse_no_size(item.name, getattr(self, item.name), lowest=int(item.name not in _FROM_ZERO))
        if self.head_size is None and self.hidden_size % self.n_heads:
            raise Refusal(
                f"{self.n_heads} heads do not divide a hidden size of {self.hidden_size}",
                remedy="choose heads that divide it, or give the head size.",
            )
        if self.n_dense_layers > self.n_layers:
            raise ValueError(
                f"a mixture has at most as many dense layers as layers; got {self.n_dense_layers} of "
                f"{self.n_layers}. Lower n_dense_layers."
            )
        if self.n_sliding_layers > self.n_layers:
            raise ValueError(
                f"n_sliding_layers lies between 0 and n_layers ({self.n_layers}); got {self.n_sliding_layers}. "
                "Count only layers whose attention slides."
            )
        if self.n_linear_layers + self.n_sliding_layers > self.n_layers:
            raise ValueError(
                f"linear and sliding layers are at most all {self.n_layers}; got {self.n_linear_layers} and "
                f"{self.n_sliding_layers}. Lower one of them."
            )
        if self.n_active_experts > self.n_experts:
            raise ValueError(
                f"a token goes to at most as many experts as there are; got {self.n_active_experts} active of "
                f"{self.n_experts}. Lower n_active_experts."
            )
        if self.n_heads % self.key_value_heads and not self.idealized:
            raise ValueError(
                f"every key-value head serves the same number of heads; got {self.n_heads} heads and "
                f"{self.key_value_heads} key-value heads. Choose a divisor of {self.n_heads}."
            )

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Architecture":
        """Return the model described by a table row. Sizes without a value follow from the others.

        If the row has ``n_parameters``, its counts are stated; routed and lookup parameters are counted from the shape.
        """

        def number(column: str) -> float:
            value = row.get(column)
            return 0.0 if value is None or value == "" or value != value else float(value)

        def size(column: str) -> int | None:
            return int(number(column)) or None

        experts, heads = size("n_experts"), int(number("n_heads"))
        latent = size("kv_latent_size")
        shape = cls(
            name=str(row.get("name") or ""),
            n_layers=int(number("n_layers")),
            hidden_size=int(number("hidden_size")),
            n_heads=heads,
            vocabulary_size=int(number("vocabulary")),
            n_key_value_heads=size("n_kv_heads") or heads,
            feed_forward_size=size("expert_ffn_size" if experts else "ffn_size"),
            gated=number("n_ffn_matrices") == 3,
            n_experts=experts or 1,
            n_active_experts=(size("n_active_experts") or 1) if experts else 1,
            head_size=size("head_size"),
            n_shared_experts=int(number("n_shared_experts")),
            n_dense_layers=int(number("n_dense_layers")) if experts else 0,
            dense_feed_forward_size=size("ffn_size"),
            tied_embeddings=bool(row.get("tied_embeddings", True)),
            latent=LatentAttention(
                kv_latent_size=latent,
                rope_head_size=int(number("rope_head_size")),
                query_latent_size=size("query_latent_size"),
                nope_head_size=size("nope_head_size"),
            )
            if latent
            else None,
            linear=LinearAttention(
                n_layers=int(number("n_linear_layers")),
                n_key_heads=int(number("linear_key_heads")),
                n_value_heads=int(number("linear_value_heads")),
                head_size=int(number("linear_head_size")),
            )
            if number("n_linear_layers")
            else None,
            sparse=SparseAttention(
                n_tokens=int(number("sparse_tokens")),
                n_index_heads=int(number("index_heads")),
                index_head_size=int(number("index_head_size")),
            )
            if number("sparse_tokens")
            else None,
            gated_attention=bool(number("gated_attention")),
            published_format=str(row.get("published_format") or "BF16"),
            n_sliding_layers=int(number("n_sliding_layers")),
            sliding_window_tokens=int(number("sliding_window_tokens")),
        )
        total = number("n_parameters")
        if not total:
            return shape
        stated = replace(shape.counted, total=total, active=number("n_active_parameters") or total)
        return replace(shape, stated=stated)

    @property
    def is_mixture(self) -> bool:
        """Return whether the model routes each token to some of its experts."""
        return self.n_experts > 1

    @property
    def key_value_heads(self) -> int:
        """Return the number of key-value heads per layer."""
        return self.n_heads if self.n_key_value_heads is None else self.n_key_value_heads

    @property
    def head(self) -> int:
        """Return the size of one head, without the rotary part of latent attention."""
        return self.head_size or self.hidden_size // self.n_heads

    @property
    def feed_forward(self) -> int:
        """Return the width of the feed-forward layer, or of one expert in a mixture."""
        return 4 * self.hidden_size if self.feed_forward_size is None else self.feed_forward_size

    @property
    def dense_feed_forward(self) -> int:
        """Return the feed-forward width of the layers without experts in a mixture of experts."""
        return self.feed_forward if self.dense_feed_forward_size is None else self.dense_feed_forward_size

    @property
    def value_width(self) -> int:
        """Return the total value width of all heads."""
        return self.n_heads * self.head

    @property
    def query_width(self) -> int:
        """Return the total query width of all heads, including the rotary part of latent attention."""
        if self.latent is None:
            return self.value_width
        return self.n_heads * ((self.latent.nope_head_size or self.head) + self.latent.rope_head_size)

    @property
    def n_linear_layers(self) -> int:
        """Return the number of linear-attention layers. They have a fixed-size state instead of keys and values."""
        return self.linear.n_layers if self.linear else 0

    @property
    def attention_width(self) -> float:
        """Return the mean width of attention's two matmuls. In a plain model it is the hidden size."""
        return (self.query_width + self.value_width) / 2

    @property
    def mixture_share(self) -> float:
        """Return the share of layers with experts. Zero in a dense model."""
        return 0.0 if self.n_experts == 1 else 1 - self.n_dense_layers / self.n_layers

    @property
    def active_feed_forward(self) -> float:
        """Return the feed-forward width per token, as the mean over all layers."""
        mixture = (self.n_active_experts + self.n_shared_experts) * self.feed_forward
        if self.n_experts == 1:
            return float(self.feed_forward)
        return self.mixture_share * mixture + (1 - self.mixture_share) * self.dense_feed_forward

    @property
    def attending_layer_parameters(self) -> int:
        """Return the number of attention parameters in a layer with attention."""
        gate = self.hidden_size * self.query_width if self.gated_attention else 0
        if self.latent is None:
            matrices = int(
                2 * self.hidden_size * self.value_width * (1 + self.key_value_heads / self.n_heads)
            )
            return matrices + gate
        kept, queries = self.latent.kv_latent_size, self.latent.query_latent_size
        down = kept + self.latent.rope_head_size + (queries or 0)
        keys = self.query_width - self.n_heads * self.latent.rope_head_size
        up = (queries or self.hidden_size) * self.query_width + kept * (keys + self.value_width)
        index = self.sparse.parameters(self.hidden_size, queries or self.hidden_size) if self.sparse else 0
        return self.hidden_size * (down + self.value_width) + up + gate + index

    @property
    def attention_parameters(self) -> float:
        """Return the mean number of attention parameters per layer, including linear-attention layers."""
        if self.linear is None:
            return self.attending_layer_parameters
        linear = self.n_linear_layers / self.n_layers
        return (
            linear * self.linear.parameters(self.hidden_size) + (1 - linear) * self.attending_layer_parameters
        )

    @property
    def expert_parameters(self) -> int:
        """Return the number of parameters of a feed-forward layer, or of an expert in a mixture."""
        return (3 if self.gated else 2) * self.hidden_size * self.feed_forward

    @property
    def routed_layer_parameters(self) -> float:
        """Return the mean number of routed experts' parameters per layer."""
        return self.mixture_share * self.n_experts * self.expert_parameters

    @property
    def common_layer_parameters(self) -> float:
        """Return a layer's mean parameter count without routed experts. Biases and norms count as 13 hidden sizes."""
        matrices = (3 if self.gated else 2) * self.hidden_size
        if self.n_experts == 1:
            feed_forward = float(self.expert_parameters)
        else:
            shared = self.n_shared_experts * self.expert_parameters + self.n_experts * self.hidden_size
            dense = matrices * self.dense_feed_forward
            feed_forward = self.mixture_share * shared + (1 - self.mixture_share) * dense
        return self.attention_parameters + feed_forward + 13 * self.hidden_size

    @property
    def embedding_parameters(self) -> int:
        """Return the number of parameters of the token embedding. A tied output layer shares them."""
        return self.vocabulary_size * self.hidden_size

    @property
    def output_parameters(self) -> int:
        """Return the number of parameters of the output layer. Zero if it shares the token embedding."""
        return 0 if self.tied_embeddings else self.embedding_parameters

    @property
    def counted(self) -> ParameterCounts:
        """Return the parameter counts implied by the shape. Biases and norms count as 13 hidden sizes per layer.

        Published active parameters of mixtures usually include the embedding, so only dense models count it separately.

        References
        ----------
        Narayanan et al., arXiv:2104.04473, equation 2, without its learned positions.
        """
        layers = self.n_layers * (self.common_layer_parameters + self.routed_layer_parameters)
        total = round(layers) + self.embedding_parameters + self.output_parameters
        idle = 1 - self.n_active_experts / self.n_experts
        mixture_layers = self.n_layers - self.n_dense_layers if self.is_mixture else 0
        return ParameterCounts(
            total=total,
            active=total - round(self.n_layers * self.routed_layer_parameters * idle),
            routed=float(mixture_layers * self.n_experts * self.expert_parameters),
            lookup=0.0 if self.is_mixture else float(self.output_parameters),
        )

    @property
    def parameters(self) -> ParameterCounts:
        """Return the stated parameter counts, or else those implied by the shape."""
        return self.stated or self.counted

    @property
    def n_parameters(self) -> float:
        """Return the total number of parameters, stated or implied by the shape."""
        return self.parameters.total

    @property
    def n_active_parameters(self) -> float:
        """Return the number of active parameters per token, stated or implied by the shape."""
        return self.parameters.active
