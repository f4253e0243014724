"""How large a transformer is, and how many operations its training takes."""

from dataclasses import dataclass, fields
from typing import Literal

Recompute = Literal["none", "selective", "full"]
RECOMPUTES: tuple[Recompute, ...] = ("none", "selective", "full")


@dataclass(frozen=True, kw_only=True)
class LatentAttention:
    """Attention through one latent vector for the keys and values of all heads, and maybe one for queries.

    ``rope_head_size`` is the rotary part of a head's query, on top of the head's size; ``query_latent_size``
    None where queries come straight from the hidden state.

    References
    ----------
    DeepSeek-AI, "DeepSeek-V2", arXiv:2405.04434, section 2.1.
    """

    kv_latent_size: int
    rope_head_size: int
    query_latent_size: int | None = None


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """A decoder's shape; what is None follows from the rest.

    ``n_key_value_heads`` is None for as many as query heads, ``feed_forward_size`` None for four times the
    hidden size, ``head_size`` None for an equal part of the hidden size. ``gated`` layers have three
    feed-forward matrices instead of two. With experts, every expert has the feed-forward size given;
    ``n_active_experts`` of them work on each token, and ``n_shared_experts`` more on every one.
    ``n_dense_layers`` of a mixture's layers have one feed-forward layer of ``dense_feed_forward_size`` instead.
    ``tied_embeddings`` share one matrix between the first and the output layer.
    """

    n_layers: int
    hidden_size: int
    n_heads: int
    vocabulary_size: int
    sequence_length: int
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

    def __post_init__(self) -> None:
        """Refuse sizes that no model has."""
        for item in fields(self):
            value = getattr(self, item.name)
            if value is None or item.name in ("gated", "tied_embeddings", "latent"):
                continue
            lowest = 0 if item.name in ("n_shared_experts", "n_dense_layers") else 1
            if not (value == int(value) and value >= lowest):
                raise ValueError(
                    f"{item.name} is a whole number from {lowest}; got {value}. Take it from the model."
                )
        if self.head_size is None and self.hidden_size % self.n_heads:
            raise ValueError(
                f"{self.n_heads} heads are no equal parts of a hidden size of {self.hidden_size}; choose heads "
                "that divide it, or give the head size."
            )
        if self.n_dense_layers > self.n_layers:
            raise ValueError(
                f"a mixture has at most as many dense layers as layers; got {self.n_dense_layers} of "
                f"{self.n_layers}. Lower n_dense_layers."
            )
        if self.n_active_experts > self.n_experts:
            raise ValueError(
                f"a token goes to at most as many experts as there are; got {self.n_active_experts} active of "
                f"{self.n_experts}. Lower n_active_experts."
            )
        if self.n_heads % self.key_value_heads:
            raise ValueError(
                f"every key-value head serves the same number of heads; got {self.n_heads} heads and "
                f"{self.key_value_heads} key-value heads. Choose a divisor of {self.n_heads}."
            )

    @property
    def key_value_heads(self) -> int:
        """Return the number of key-value heads of a layer."""
        return self.n_heads if self.n_key_value_heads is None else self.n_key_value_heads

    @property
    def feed_forward(self) -> int:
        """Return the width of the feed-forward layer, of one expert where there are any."""
        return 4 * self.hidden_size if self.feed_forward_size is None else self.feed_forward_size

    @property
    def dense_feed_forward(self) -> int:
        """Return the width of the feed-forward layer where a mixture has no experts."""
        return self.feed_forward if self.dense_feed_forward_size is None else self.dense_feed_forward_size

    @property
    def value_width(self) -> int:
        """Return the width of all heads' values together."""
        return self.n_heads * (self.head_size or self.hidden_size // self.n_heads)

    @property
    def query_width(self) -> int:
        """Return the width of all heads' queries together, a rotary part of latent attention included."""
        return self.value_width + (self.n_heads * self.latent.rope_head_size if self.latent else 0)

    @property
    def attention_width(self) -> float:
        """Return the mean width of the two products of attention, the hidden size in a plain model."""
        return (self.query_width + self.value_width) / 2

    @property
    def mixture_share(self) -> float:
        """Return the share of layers with experts; 0 in a dense model."""
        return 0.0 if self.n_experts == 1 else 1 - self.n_dense_layers / self.n_layers

    @property
    def active_feed_forward(self) -> float:
        """Return the feed-forward width that works on a token, in the mean of all layers."""
        mixture = (self.n_active_experts + self.n_shared_experts) * self.feed_forward
        if self.n_experts == 1:
            return float(self.feed_forward)
        return self.mixture_share * mixture + (1 - self.mixture_share) * self.dense_feed_forward

    @property
    def attention_parameters(self) -> int:
        """Return the parameters of a layer's attention matrices."""
        if self.latent is not None:
            kept, queries = self.latent.kv_latent_size, self.latent.query_latent_size
            down = kept + self.latent.rope_head_size + (queries or 0)
            up = (queries or self.hidden_size) * self.query_width + kept * 2 * self.value_width
            return self.hidden_size * (down + self.value_width) + up
        return int(2 * self.hidden_size * self.value_width * (1 + self.key_value_heads / self.n_heads))

    @property
    def expert_parameters(self) -> int:
        """Return the parameters of one feed-forward layer, of one expert where there are any."""
        return (3 if self.gated else 2) * self.hidden_size * self.feed_forward

    @property
    def routed_layer_parameters(self) -> float:
        """Return the parameters of the experts that tokens are sent to, in the mean of all layers."""
        return self.mixture_share * self.n_experts * self.expert_parameters

    @property
    def common_layer_parameters(self) -> float:
        """Return all other parameters of a layer, in the mean: biases and norms as 13 hidden sizes."""
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
        """Return the parameters of the word embedding, which a tied output layer shares."""
        return self.vocabulary_size * self.hidden_size

    @property
    def output_parameters(self) -> int:
        """Return the parameters of the output layer, none where it shares the word embedding's."""
        return 0 if self.tied_embeddings else self.embedding_parameters

    @property
    def n_parameters(self) -> int:
        """Return all parameters, biases and norms as 13 hidden sizes a layer.

        References
        ----------
        Narayanan et al., arXiv:2104.04473, equation 2, without its learned positions.
        """
        layers = self.n_layers * (self.common_layer_parameters + self.routed_layer_parameters)
        return round(layers) + self.embedding_parameters + self.output_parameters

    @property
    def n_active_parameters(self) -> int:
        """Return the parameters that work on one token."""
        idle = 1 - self.n_active_experts / self.n_experts
        return self.n_parameters - round(self.n_layers * self.routed_layer_parameters * idle)


def megatron_parameters(
    *, n_layers: int, hidden_size: int, vocabulary_size: int, sequence_length: int
) -> float:
    """Return the parameters of a GPT with learned positions.

    References
    ----------
    Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
    arXiv:2104.04473, equation 2.
    """
    inside = 1 + 13 / (12 * hidden_size)
    inside += (vocabulary_size + sequence_length) / (12 * n_layers * hidden_size)
    return 12 * n_layers * hidden_size**2 * inside


def forward_flop_per_token(model: Architecture, *, causal: bool = False) -> tuple[float, float, float]:
    """Return the operations of a forward pass per token: linear layers, attention, output layer. [FLOP]

    Two operations per weight; attention 4 s h a layer over the whole sequence, or half of it when only the
    ``causal`` part is counted.

    References
    ----------
    Narayanan et al., arXiv:2104.04473, appendix.
    """
    feed_forward = (3 if model.gated else 2) * model.hidden_size * model.active_feed_forward
    linear = model.attention_parameters + feed_forward
    attention = 4 * model.sequence_length * model.attention_width * (0.5 if causal else 1.0)
    return (
        2.0 * model.n_layers * linear,
        model.n_layers * attention,
        2.0 * model.hidden_size * model.vocabulary_size,
    )


def training_flop_per_token(
    model: Architecture, *, recompute: Recompute = "none", causal: bool = False
) -> float:
    """Return the operations of training on one token, recomputed ones included. [FLOP]

    A backward pass costs two forward passes. ``none`` gives model FLOPs. ``full`` repeats the forward pass of
    the layers. ``selective`` is counted as published, which doubles the attention term.

    References
    ----------
    Narayanan et al., arXiv:2104.04473, equation 3 (full: 96 B s l h^2 (1 + s/6h + V/16lh)); Korthikanti et
    al., "Reducing Activation Recomputation in Large Transformer Models", arXiv:2205.05198, appendix A
    (none: 72 B L s h^2 (1 + s/6h + v/12hL); selective: s/3h in place of s/6h).
    """
    if recompute not in RECOMPUTES:
        raise ValueError(
            f"recompute is one of {', '.join(RECOMPUTES)}; got {recompute!r}. Choose one of these."
        )
    linear, attention, output = forward_flop_per_token(model, causal=causal)
    model_flop = 3 * (linear + attention + output)
    repeated = {"none": 0.0, "selective": 3 * attention, "full": linear + attention}
    return model_flop + repeated[recompute]


def iteration_flop(
    model: Architecture, *, global_batch: int, recompute: Recompute = "none", causal: bool = False
) -> float:
    """Return the operations of one optimizer step over ``global_batch`` sequences. [FLOP]

    References
    ----------
    As :func:`training_flop_per_token`.
    """
    tokens = global_batch * model.sequence_length
    return tokens * training_flop_per_token(model, recompute=recompute, causal=causal)
