"""Setup for running a model, and the changes that techniques make."""

import math
from dataclasses import dataclass, replace
from typing import Literal

from analysis.hardware.chip import Chip
from analysis.model.architecture import Architecture
from analysis.model.parameters import ParameterCounts

Phase = Literal["decode", "prefill", "training"]
PHASES: tuple[Phase, ...] = ("decode", "prefill", "training")


@dataclass(frozen=True, kw_only=True)
class Setup:
    """Setup for running a model, with everything that a technique can change. The sizes of numbers are in bytes.

    ``memory_step`` is the speed-up of the next generation of the chip's memory, 1 if there is none. ``tokens`` is the
    length of a sequence, ``batch`` the number of sequences that a chip processes at once. ``rank_share`` is the share
    of each matrix's parameters that low-rank factors retain; ``trained_share`` is the share of trained parameters.
    ``optimizer_byte`` per trained parameter includes the 32-bit weight and Adam's mean and variance.
    """

    model: Architecture
    chip: Chip
    tokens: int
    batch: int
    devices: int = 1
    memory_step: float = 1.0
    weight_byte: float = 2.0
    cache_byte: float = 2.0
    activation_byte: float = 2.0
    compute_byte: float = 2.0
    gradient_byte: float = 2.0
    exchange_byte: float = 2.0
    optimizer_byte: float = 12.0
    rank_share: float = 1.0
    trained_share: float = 1.0
    fused_attention: bool = True
    recompute: bool = False
    zero_stage: int = 0
    draft_tokens: int = 0
    acceptance: float = 0.8
    draft_share: float = 0.05


def with_heads(model: Architecture, *, key_value_heads: int) -> Architecture:
    """Return the model with a different number of key-value heads per layer but the same number of parameters.

    References
    ----------
    Ainslie et al., "GQA", EMNLP 2023, arXiv:2305.13245.
    """
    return replace(model, n_key_value_heads=key_value_heads, latent=None, stated=model.parameters)


def as_dense(model: Architecture) -> Architecture:
    """Return a dense model with the same number of parameters. All parameters are active for each token."""
    return replace(
        model,
        n_experts=1,
        n_active_experts=1,
        n_shared_experts=0,
        n_dense_layers=0,
        feed_forward_size=(model.n_experts + model.n_shared_experts) * model.feed_forward,
        stated=ParameterCounts(total=model.n_parameters, active=model.n_parameters),
    )


def as_experts(model: Architecture, *, feed_forward_share: float, experts: int, active: int) -> Architecture:
    """Return the model with its feed-forward part split into experts. A token uses only some of them.

    The total number of parameters does not change.

    References
    ----------
    Jiang et al., "Mixtral of Experts", arXiv:2401.04088, section 2.
    """
    routed = model.n_parameters * feed_forward_share
    counts = replace(
        model.parameters, active=model.n_parameters - routed * (1 - active / experts), routed=routed
    )
    return replace(
        model,
        n_experts=experts,
        n_active_experts=active,
        feed_forward_size=math.ceil(model.feed_forward / experts),
        stated=counts,
    )
