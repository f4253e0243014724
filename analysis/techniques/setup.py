"""How a model is run: everything a technique can change, and the model as a technique reshapes it."""

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
    """How a model is run: everything a technique can change. Sizes of numbers in byte.

    ``memory_step`` is how many times faster the next generation of the chip's memory is; 1 where there is none.
    ``tokens`` a sequence holds, ``batch`` sequences a chip works on at once. ``rank_share`` is the share of each
    matrix's parameters that low-rank factors keep; ``trained_share`` the share of parameters that is trained.
    ``optimizer_byte`` per trained parameter holds the 32-bit weight and Adam's mean and variance.
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
    """Return the model with so many key-value heads in each layer, its parameters otherwise the same.

    References
    ----------
    Ainslie et al., "GQA", EMNLP 2023, arXiv:2305.13245.
    """
    return replace(model, n_key_value_heads=key_value_heads, latent=None, stated=model.parameters)


def as_dense(model: Architecture) -> Architecture:
    """Return a dense model with as many parameters in all, every one of which works on each token."""
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
    """Return the model with its feed-forward part cut into experts, of which each token uses a few.

    The parameters in all stay as they are.

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
