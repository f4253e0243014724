"""Catalogue of techniques, with their changes to how a model runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from analysis.model.architecture import LatentAttention
from analysis.model.formats import INT4_BITS
from analysis.model.kv_cache import numbers_per_token_and_layer
from analysis.techniques.setup import PHASES, Phase, Setup, as_dense, as_experts, with_heads

Change = Callable[[Setup], Setup]

INFERENCE: tuple[Phase, ...] = ("decode", "prefill")
TRAINING: tuple[Phase, ...] = ("training",)
GROUPS = 8
EXPERTS, ACTIVE_EXPERTS = 8, 2
FEED_FORWARD_SHARE = 0.8
LATENT_ELEMENTS, ROTARY_ELEMENTS = 576, 64
NF4_BYTE = 4.127 / 8
DRAFT_TOKENS = 4
REQUESTS = 16
RANK_SHARE = 0.8
ADAPTER_SHARE = 0.002
LINK_GENERATION = 2.0
"""Rate of NVLink 5 over NVLink 4, 900 over 450 GB/s per direction. [1]"""


def _same(setup: Setup) -> Setup:
    return setup


def _sets(**values: float | bool) -> Change:
    return lambda setup: replace(setup, **values)  # pyright: ignore[reportArgumentType]


@dataclass(frozen=True, kw_only=True)
class Technique:
    """A change to the setup, the baseline that it replaces, and the parts of the setup that it sets.

    ``before`` removes the technique if a model or a usual setup already has it. It has no effect outside its
    ``phases``.
    """

    after: Change
    before: Change = _same
    fixes: tuple[str, ...]
    phases: tuple[Phase, ...] = PHASES


def _grouped(setup: Setup) -> Setup:
    model = setup.model
    own = numbers_per_token_and_layer(model) < 2 * model.value_width
    if own or model.n_heads % GROUPS:
        return setup
    return replace(setup, model=with_heads(model, key_value_heads=GROUPS))


def _ungrouped(setup: Setup) -> Setup:
    return replace(setup, model=with_heads(setup.model, key_value_heads=setup.model.n_heads))


def _latent(setup: Setup) -> Setup:
    model = setup.model
    if numbers_per_token_and_layer(model) <= LATENT_ELEMENTS:
        return setup
    latent = replace(
        model,
        latent=LatentAttention(
            kv_latent_size=LATENT_ELEMENTS - ROTARY_ELEMENTS, rope_head_size=ROTARY_ELEMENTS
        ),
        stated=model.parameters,
    )
    return replace(setup, model=latent)


def _dense(setup: Setup) -> Setup:
    return replace(setup, model=as_dense(setup.model)) if setup.model.is_mixture else setup


def _experts(setup: Setup) -> Setup:
    if setup.model.is_mixture:
        return setup
    model = as_experts(
        setup.model, feed_forward_share=FEED_FORWARD_SHARE, experts=EXPERTS, active=ACTIVE_EXPERTS
    )
    return replace(setup, model=model)


def _many(setup: Setup) -> Setup:
    return setup if setup.batch > 1 else replace(setup, batch=REQUESTS)


def _faster_memory(setup: Setup) -> Setup:
    faster = setup.chip.memory_bandwidth_byte_per_s * setup.memory_step
    return replace(setup, chip=replace(setup.chip, memory_bandwidth_byte_per_s=faster))


def _faster_links(setup: Setup) -> Setup:
    faster = setup.chip.link_bandwidth_byte_per_s * LINK_GENERATION
    return replace(setup, chip=replace(setup.chip, link_bandwidth_byte_per_s=faster))


_FOUR_BYTE = (
    "weight_byte",
    "cache_byte",
    "activation_byte",
    "compute_byte",
    "gradient_byte",
    "exchange_byte",
)
_FP32 = dict.fromkeys(_FOUR_BYTE, 4.0) | {"optimizer_byte": 8.0}

TECHNIQUES: dict[str, Technique] = {
    "mixed-precision": Technique(before=_sets(**_FP32), after=_same, fixes=("base",)),
    "fp8-weights": Technique(after=_sets(weight_byte=1.0), fixes=("weights",)),
    "int8-weights": Technique(after=_sets(weight_byte=1.0), fixes=("weights",), phases=INFERENCE),
    "int4-weights": Technique(after=_sets(weight_byte=INT4_BITS / 8), fixes=("weights",), phases=INFERENCE),
    "fp8-compute": Technique(after=_sets(compute_byte=1.0, activation_byte=1.0), fixes=("compute",)),
    "8-bit-cache": Technique(after=_sets(cache_byte=1.0), fixes=("cache",), phases=INFERENCE),
    "4-bit-cache": Technique(after=_sets(cache_byte=0.5), fixes=("cache",), phases=INFERENCE),
    "8-bit-optimizer": Technique(after=_sets(optimizer_byte=6.0), fixes=("optimizer",), phases=TRAINING),
    "experts": Technique(before=_dense, after=_experts, fixes=("experts",)),
    "grouped-query": Technique(before=_ungrouped, after=_grouped, fixes=("heads",)),
    "latent-attention": Technique(before=_ungrouped, after=_latent, fixes=("heads",)),
    "flash-attention": Technique(
        before=_sets(fused_attention=False), after=_same, fixes=("attention",), phases=("prefill", "training")
    ),
    "checkpointing": Technique(after=_sets(recompute=True), fixes=("recompute",), phases=TRAINING),
    "zero-1": Technique(after=_sets(zero_stage=1), fixes=("sharding",), phases=TRAINING),
    "zero-2": Technique(after=_sets(zero_stage=2), fixes=("sharding",), phases=TRAINING),
    "zero-3": Technique(after=_sets(zero_stage=3), fixes=("sharding",), phases=TRAINING),
    "gradient-compression": Technique(after=_sets(exchange_byte=1.0), fixes=("exchange",), phases=TRAINING),
    "low-rank": Technique(after=_sets(rank_share=RANK_SHARE), fixes=("rank",)),
    "speculative": Technique(after=_sets(draft_tokens=DRAFT_TOKENS), fixes=("draft",), phases=("decode",)),
    "batching": Technique(before=_sets(batch=1), after=_many, fixes=("batch",)),
    "lora": Technique(after=_sets(trained_share=ADAPTER_SHARE), fixes=("training",), phases=TRAINING),
    "qlora": Technique(
        after=_sets(trained_share=ADAPTER_SHARE, weight_byte=NF4_BYTE),
        fixes=("training", "weights"),
        phases=TRAINING,
    ),
    "memory-generation": Technique(after=_faster_memory, fixes=("memory",)),
    "link-generation": Technique(after=_faster_links, fixes=("links",), phases=TRAINING),
}


def clash(chosen: Sequence[str]) -> tuple[str, str] | None:
    """Return two chosen techniques that set the same part of the setup. None if all are compatible."""
    for index, name in enumerate(chosen):
        for earlier in chosen[:index]:
            if set(TECHNIQUES[name].fixes) & set(TECHNIQUES[earlier].fixes):
                return earlier, name
    return None


def before_and_after(setup: Setup, chosen: Sequence[str], *, phase: Phase) -> tuple[Setup, Setup]:
    """Return the setup without and with the chosen techniques that apply to the phase.

    Raises ValueError if two techniques fix the same part; the message names them.
    """
    if both := clash(chosen):
        raise ValueError(
            f"{both[0]} and {both[1]} fix the same part of the set-up; got both. Choose one of the two."
        )
    before = after = setup
    for name in chosen:
        if phase in TECHNIQUES[name].phases:
            before, after = TECHNIQUES[name].before(before), TECHNIQUES[name].after(after)
    return before, after
