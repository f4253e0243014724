"""Which model is fine-tuned, and how many parameters low-rank adapters add to it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from analysis.arrays import FloatArray

Target = Literal["query", "key", "value", "output", "gate", "up", "down"]

ATTENTION: tuple[Target, ...] = ("query", "key", "value", "output")
FEED_FORWARD: tuple[Target, ...] = ("gate", "up", "down")
ALL_LINEAR: tuple[Target, ...] = (*ATTENTION, *FEED_FORWARD)


@dataclass(frozen=True, kw_only=True)
class TunedModel:
    """The sizes of a model that decide what fine-tuning it takes; numbers or arrays whose shapes broadcast.

    ``feed_forward_size`` is that of one expert where there are any, ``n_active_experts`` how many of ``n_experts``
    work on each token: both 1 in a dense model, both averages over the layers. ``n_feed_forward_matrices`` is 3 in
    gated layers, else 2. ``n_embeddings`` is 2 where the output layer has its own matrix, 1 where it shares the
    input's.
    """

    n_parameters: float | FloatArray
    n_active_parameters: float | FloatArray
    n_layers: float | FloatArray
    hidden_size: float | FloatArray
    n_heads: float | FloatArray
    n_kv_heads: float | FloatArray
    head_size: float | FloatArray
    feed_forward_size: float | FloatArray
    n_feed_forward_matrices: int = 3
    vocabulary: float | FloatArray = 0.0
    n_embeddings: int = 2
    n_experts: float | FloatArray = 1.0
    n_active_experts: float | FloatArray = 1.0

    @property
    def embedding_parameters(self) -> FloatArray:
        """Return the weights of word embedding and output layer, which QLoRA leaves at 16 bits."""
        return self.n_embeddings * np.asarray(self.vocabulary, dtype=np.float64) * self.hidden_size

    @property
    def layer_parameters(self) -> FloatArray:
        """Return the weights of one layer, all its experts included."""
        return (np.asarray(self.n_parameters, dtype=np.float64) - self.embedding_parameters) / self.n_layers

    @property
    def gathered_parameters(self) -> FloatArray:
        """Return what of one layer a device fetches from others to work on it: experts idle for a token stay away."""
        expert = self.n_feed_forward_matrices * np.asarray(self.hidden_size) * self.feed_forward_size
        return self.layer_parameters - (np.asarray(self.n_experts) - self.n_active_experts) * expert


def tuned_model(row: Mapping[str, Any]) -> TunedModel:
    """Return a row of the table of architectures as a model to tune.

    Where only some layers have experts, every layer counts with the average. Latent attention counts with full
    matrices, from the number and size of its heads.
    """
    layers, heads = float(row["n_layers"]), float(row["n_heads"])
    latent, experts = float(row["kv_latent_size"]) > 0, float(row["n_experts"]) > 0
    wide = float(row["expert_ffn_size"]) if experts else float(row["ffn_size"])

    def per_layer(routed: float) -> float:
        if not experts:
            return 1.0
        dense = float(row["n_dense_layers"])
        plain = dense * float(row["ffn_size"]) / wide if dense > 0 else 0.0
        return ((layers - dense) * (routed + float(row["n_shared_experts"])) + plain) / layers

    return TunedModel(
        n_parameters=float(row["n_parameters"]),
        n_active_parameters=float(row["n_active_parameters"]),
        n_layers=layers,
        hidden_size=float(row["hidden_size"]),
        n_heads=heads,
        n_kv_heads=heads if latent else float(row["n_kv_heads"]),
        head_size=float(row["nope_head_size"] if latent else row["head_size"]),
        feed_forward_size=wide,
        n_feed_forward_matrices=int(row["n_ffn_matrices"]),
        vocabulary=float(row["vocabulary"]),
        n_embeddings=1 if bool(row["tied_embeddings"]) else 2,
        n_experts=per_layer(float(row["n_experts"])),
        n_active_experts=per_layer(float(row["n_active_experts"])),
    )


@dataclass(frozen=True, kw_only=True)
class Adapters:
    """Low-rank adapters: their rank, a number or an array, and the matrices of each layer that get one."""

    rank: float | FloatArray = 16.0
    targets: tuple[Target, ...] = ALL_LINEAR

    def __post_init__(self) -> None:
        """Refuse adapters that cannot be trained."""
        if np.any(np.asarray(self.rank) < 1):
            raise ValueError(f"an adapter's rank is 1 or more; got {np.min(self.rank):g}. 8 to 64 is usual.")
        unknown = [target for target in self.targets if target not in ALL_LINEAR]
        if unknown or not self.targets:
            raise ValueError(
                f"adapters sit on some of {', '.join(ALL_LINEAR)}; got {', '.join(unknown) or 'none'}. "
                "Name at least one of these."
            )


def adapter_parameters(model: TunedModel, adapters: Adapters, *, active: bool = False) -> FloatArray:
    """Return the parameters of all adapters, or with ``active`` of those that work on one token; shapes broadcast.

    A matrix of a by b numbers gets r (a + b). Every expert gets its own; ungated layers have no gate.

    References
    ----------
    Hu et al., "LoRA", arXiv:2106.09685, section 4.2: 2 x layers x hidden size x r in square matrices.
    """
    hidden = np.asarray(model.hidden_size, dtype=np.float64)
    queries = hidden + np.asarray(model.n_heads, dtype=np.float64) * model.head_size
    keys = hidden + np.asarray(model.n_kv_heads, dtype=np.float64) * model.head_size
    experts = model.n_active_experts if active else model.n_experts
    feed_forward = (hidden + model.feed_forward_size) * experts
    gate = feed_forward if model.n_feed_forward_matrices > 2 else 0.0 * feed_forward
    sides = {
        "query": queries,
        "key": keys,
        "value": keys,
        "output": queries,
        "gate": gate,
        "up": feed_forward,
        "down": feed_forward,
    }
    per_layer = sum((sides[target] for target in dict.fromkeys(adapters.targets)), np.zeros(()))
    return adapters.rank * np.asarray(model.n_layers, dtype=np.float64) * per_layer
