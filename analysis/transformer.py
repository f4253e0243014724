"""How large a transformer is, and how many operations its training takes."""

from dataclasses import dataclass, fields
from typing import Literal

Recompute = Literal["none", "selective", "full"]
RECOMPUTES: tuple[Recompute, ...] = ("none", "selective", "full")


@dataclass(frozen=True, kw_only=True)
class Transformer:
    """A decoder's shape; what is None follows from the rest.

    ``n_key_value_heads`` is None for as many as query heads, ``feed_forward_size`` None for four times the
    hidden size. ``gated`` layers have three feed-forward matrices instead of two. With experts, every expert
    has the feed-forward size given, and ``n_active_experts`` of them work on each token.
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

    def __post_init__(self) -> None:
        """Refuse sizes that no model has."""
        for item in fields(self):
            value = getattr(self, item.name)
            if value is not None and item.name != "gated" and not (value == int(value) and value >= 1):
                raise ValueError(
                    f"{item.name} is a whole number from 1; got {value}. Take it from the model."
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
    def attention_parameters(self) -> int:
        """Return the parameters of a layer's four attention matrices."""
        return int(2 * self.hidden_size**2 * (1 + self.key_value_heads / self.n_heads))

    @property
    def expert_parameters(self) -> int:
        """Return the parameters of one feed-forward layer, of one expert where there are any."""
        return (3 if self.gated else 2) * self.hidden_size * self.feed_forward

    @property
    def embedding_parameters(self) -> int:
        """Return the parameters of the word embedding, which the output layer shares."""
        return self.vocabulary_size * self.hidden_size

    @property
    def n_parameters(self) -> int:
        """Return all parameters, biases and norms as 13 hidden sizes a layer.

        References
        ----------
        Narayanan et al., arXiv:2104.04473, equation 2, without its learned positions.
        """
        layer = self.attention_parameters + self.n_experts * self.expert_parameters + 13 * self.hidden_size
        return self.n_layers * layer + self.embedding_parameters

    @property
    def n_active_parameters(self) -> int:
        """Return the parameters that work on one token."""
        return self.n_parameters - self.n_layers * self.expert_parameters * (
            self.n_experts - self.n_active_experts
        )


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


def forward_flop_per_token(model: Transformer, *, causal: bool = False) -> tuple[float, float, float]:
    """Return the operations of a forward pass per token: linear layers, attention, output layer. [FLOP]

    Two operations per weight; attention 4 s h a layer over the whole sequence, or half of it when only the
    ``causal`` part is counted.

    References
    ----------
    Narayanan et al., arXiv:2104.04473, appendix.
    """
    linear = model.attention_parameters + model.n_active_experts * model.expert_parameters
    attention = 4 * model.sequence_length * model.hidden_size * (0.5 if causal else 1.0)
    return (
        2.0 * model.n_layers * linear,
        model.n_layers * attention,
        2.0 * model.hidden_size * model.vocabulary_size,
    )


def training_flop_per_token(
    model: Transformer, *, recompute: Recompute = "none", causal: bool = False
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
    model: Transformer, *, global_batch: int, recompute: Recompute = "none", causal: bool = False
) -> float:
    """Return the operations of one optimizer step over ``global_batch`` sequences. [FLOP]

    References
    ----------
    As :func:`training_flop_per_token`.
    """
    tokens = global_batch * model.sequence_length
    return tokens * training_flop_per_token(model, recompute=recompute, causal=causal)
