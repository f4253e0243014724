"""How a model is run: everything a technique can change, and the model as a technique reshapes it."""

from dataclasses import dataclass, replace
from typing import Literal

from analysis.hardware.chip import Chip
from analysis.model.decoder import Decoder
from analysis.model.kv_cache import Attention, numbers_per_token_and_layer

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

    model: Decoder
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


def with_heads(model: Decoder, *, key_value_heads: int) -> Decoder:
    """Return the model with so many key-value heads in each layer, its parameters otherwise the same.

    References
    ----------
    Ainslie et al., "GQA", EMNLP 2023, arXiv:2305.13245.
    """
    heads = Attention(n_layers=model.n_layers, n_kv_heads=key_value_heads, head_size=model.head_size)
    work = 4.0 * model.n_heads * model.head_size
    return replace(
        model,
        cache_elements=float(numbers_per_token_and_layer(heads)),
        attention_flop=work,
        sequence_attention_flop=work,
    )


def as_dense(model: Decoder) -> Decoder:
    """Return a dense model with as many parameters in all, every one of which works on each token."""
    return replace(
        model,
        n_active_parameters=model.n_parameters,
        routed_parameters=0.0,
        n_experts=0,
        n_active_experts=0,
        lookup_parameters=0.0,
    )


def as_experts(model: Decoder, *, feed_forward_share: float, experts: int, active: int) -> Decoder:
    """Return the model with its feed-forward part cut into experts, of which each token uses a few.

    The parameters in all stay as they are.

    References
    ----------
    Jiang et al., "Mixtral of Experts", arXiv:2401.04088, section 2.
    """
    routed = model.n_parameters * feed_forward_share
    return replace(
        model,
        n_active_parameters=model.n_parameters - routed * (1 - active / experts),
        routed_parameters=routed,
        n_experts=experts,
        n_active_experts=active,
    )
