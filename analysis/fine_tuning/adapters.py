"""How many parameters low-rank adapters add to a model."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.arrays import FloatArray
from analysis.model.architecture import Architecture

Target = Literal["query", "key", "value", "output", "gate", "up", "down"]

ATTENTION: tuple[Target, ...] = ("query", "key", "value", "output")
FEED_FORWARD: tuple[Target, ...] = ("gate", "up", "down")
ALL_LINEAR: tuple[Target, ...] = (*ATTENTION, *FEED_FORWARD)


@dataclass(frozen=True, kw_only=True)
class Adapters:
    """Low-rank adapters: their rank, a number or an array, and the matrices of each layer that get one."""

    rank: float | FloatArray = 16.0
    targets: tuple[Target, ...] = ALL_LINEAR

    def __post_init__(self) -> None:
        if np.any(np.asarray(self.rank) < 1):
            raise ValueError(f"an adapter's rank is 1 or more; got {np.min(self.rank):g}. 8 to 64 is usual.")
        unknown = [target for target in self.targets if target not in ALL_LINEAR]
        if unknown or not self.targets:
            raise ValueError(
                f"adapters sit on some of {', '.join(ALL_LINEAR)}; got {', '.join(unknown) or 'none'}. "
                "Name at least one of these."
            )


def experts_per_layer(model: Architecture, *, active: bool = False) -> float:
    """Return the feed-forward layers of a layer in the mean, in widths of one expert: 1 in a dense model.

    Experts that tokens are sent to, or with ``active`` those that work on one token; shared experts; and the layers
    without experts by their width.
    """
    if not model.is_mixture:
        return 1.0
    layers, dense = model.n_layers, model.n_dense_layers
    routed = model.n_active_experts if active else model.n_experts
    plain = dense * model.dense_feed_forward / model.feed_forward if dense > 0 else 0.0
    return ((layers - dense) * (routed + model.n_shared_experts) + plain) / layers


def adapter_parameters(model: Architecture, adapters: Adapters, *, active: bool = False) -> FloatArray:
    """Return the parameters of all adapters, or with ``active`` of those that work on one token; the rank's shape.

    A matrix of a by b numbers gets r (a + b). Every expert gets its own; ungated layers have no gate. Latent attention
    counts with full matrices, from the number and size of its heads; a linear layer counts as one that attends, so that
    models with gated delta rules get up to an eighth too few.

    References
    ----------
    Hu et al., "LoRA", arXiv:2106.09685, section 4.2: 2 x layers x hidden size x r in square matrices.
    """
    hidden = float(model.hidden_size)
    queries = hidden + model.value_width
    keys = hidden + model.key_value_heads * model.head
    feed_forward = (hidden + model.feed_forward) * experts_per_layer(model, active=active)
    sides = {
        "query": queries,
        "key": keys,
        "value": keys,
        "output": queries,
        "gate": feed_forward if model.gated else 0.0,
        "up": feed_forward,
        "down": feed_forward,
    }
    per_layer = sum(sides[target] for target in dict.fromkeys(adapters.targets))
    return np.asarray(adapters.rank, dtype=np.float64) * model.n_layers * per_layer
