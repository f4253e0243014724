"""Work in each phase of running a model: the operations and memory traffic of its kernels."""

from dataclasses import dataclass, field, replace

from analysis.hardware.chip import Chip
from analysis.hardware.collectives import reduce_scatter_s, ring_all_reduce_s
from analysis.hardware.roofline import ADAM_FLOP_PER_PARAMETER
from analysis.latency_floor.floor import tokens_per_pass
from analysis.model.activations import layer_activation_byte
from analysis.model.flop import attention_flop, sequence_attention_flop
from analysis.model.kv_cache import kv_cache_byte, numbers_per_token_and_layer, tokens_kept
from analysis.model.weights import weights_read
from analysis.techniques.setup import Setup


@dataclass(frozen=True, kw_only=True)
class Kernel:
    """A part of the work: operations [FLOP], memory traffic [byte] and rate of computing [FLOP/s]."""

    flop: float
    byte: float
    peak_flop_per_s: float = field(repr=False)


PROMPT_PASSES, TRAINING_PASSES = 4, 18
"""Number of passes of unfused attention's score matrix through memory. [1]"""


def _peak(setup: Setup) -> float:
    if setup.compute_byte > 2:
        return peak_32_bit_flop_per_s(setup.chip)
    return setup.chip.usable_peak(1.0 if setup.compute_byte <= 1 else 2.0)


def peak_32_bit_flop_per_s(chip: Chip) -> float:
    """Return the chip's 32-bit peak, or half its 16-bit peak if it has no 32-bit peak. [FLOP/s]"""
    wide, narrow = chip.usable_peak(4.0), chip.usable_peak(2.0)
    return wide if wide != narrow else narrow / 2


def _weights(setup: Setup, *, tokens: float) -> tuple[float, float, float]:
    """Return the numbers of weights stored, of weights read for ``tokens`` tokens, and of operations per token."""
    model = setup.model
    read = float(weights_read(model, tokens=tokens))
    active = model.parameters.active - model.parameters.lookup
    share = setup.rank_share
    return model.n_parameters * share, read * share, 2 * active * share


def decode(setup: Setup) -> tuple[float, list[Kernel], float]:
    """Return the memory, kernels and tokens of one decode pass for all requests."""
    model = setup.model
    checked = setup.batch * (setup.draft_tokens + 1)
    held, read, per_token = _weights(setup, tokens=checked)
    cache = setup.batch * float(kv_cache_byte(model, setup.tokens, byte_per_number=setup.cache_byte))
    drafting = setup.draft_tokens * setup.draft_share
    _, alone, _ = _weights(setup, tokens=1)
    seen = float(tokens_kept(model, setup.tokens))
    kernels = [
        Kernel(
            flop=per_token * (checked + setup.batch * drafting),
            byte=setup.weight_byte * (read + drafting * alone)
            + setup.activation_byte * 2 * model.hidden_size * model.n_layers * checked,
            peak_flop_per_s=_peak(setup),
        ),
        Kernel(
            flop=checked * seen * attention_flop(model),
            byte=cache,
            peak_flop_per_s=setup.chip.usable_peak(2.0),
        ),
    ]
    memory = held * setup.weight_byte * (1 + (setup.draft_share if setup.draft_tokens else 0)) + cache
    yielded = tokens_per_pass(draft_tokens=setup.draft_tokens, acceptance=setup.acceptance)
    return memory, kernels, setup.batch * yielded


def attention(setup: Setup, *, passes: float) -> Kernel:
    """Return the kernel of causal attention over whole sequences. ``passes`` is 1, or at least 3.5 in training.

    Unfused, scores are written to memory and read again: 4 times in prefill (scores, softmax), 18 times in training
    with mask and dropout, which gives the published 40.3 GB. Fused, queries, keys, values and outputs move once, and
    twice more in the backward pass, which recomputes the scores.

    References
    ----------
    Dao et al., "FlashAttention", NeurIPS 2022, algorithm 0, figure 2 and appendix B.
    """
    model, s = setup.model, setup.tokens
    seen = float(tokens_kept(model, s)) / 2
    flop = setup.batch * s * seen * sequence_attention_flop(model)
    rows = 2 * model.value_width + numbers_per_token_and_layer(model)
    byte = setup.activation_byte * setup.batch * s * rows * model.n_layers
    if setup.fused_attention:
        return Kernel(
            flop=flop * passes,
            byte=byte * (1 if passes == 1 else 3),
            peak_flop_per_s=setup.chip.usable_peak(2.0),
        )
    scores = setup.activation_byte * setup.batch * model.n_heads * s * s * model.n_layers
    backward = passes > 1
    return Kernel(
        flop=flop * (3 if backward else 1),
        byte=3 * byte + TRAINING_PASSES * scores if backward else byte + PROMPT_PASSES * scores,
        peak_flop_per_s=setup.chip.usable_peak(2.0),
    )


def prefill(setup: Setup) -> tuple[float, list[Kernel], float]:
    """Return the memory, kernels and tokens of the prefill of all requests."""
    model = setup.model
    count = setup.batch * setup.tokens
    held, read, per_token = _weights(setup, tokens=count)
    cache = setup.batch * float(kv_cache_byte(model, setup.tokens, byte_per_number=setup.cache_byte))
    linear = Kernel(
        flop=per_token * count,
        byte=setup.weight_byte * read
        + setup.activation_byte * 16 * model.hidden_size * model.n_layers * count
        + cache,
        peak_flop_per_s=_peak(setup),
    )
    scores = 0.0
    if not setup.fused_attention:
        scores = setup.activation_byte * setup.batch * model.n_heads * setup.tokens**2
    memory = held * setup.weight_byte + cache + scores
    return memory, [linear, attention(setup, passes=1)], count


def training(setup: Setup) -> tuple[float, list[Kernel], float, float, float]:
    """Return the memory, kernels, communication bytes, communication time and tokens of a training step on one chip."""
    n, stage = setup.devices, setup.zero_stage
    count = setup.batch * setup.tokens
    held, read, per_token = _weights(setup, tokens=count)
    trained = held * setup.trained_share
    again = 1 if setup.recompute else 0
    gradients = 2 if setup.trained_share == 1 else 1 + setup.trained_share
    flop = per_token * count * (1 + gradients + again)
    kept = activations(setup)
    linear = Kernel(
        flop=flop,
        byte=setup.weight_byte * read * (2 + again)
        + setup.gradient_byte * trained
        + 2 * kept
        + again * 2 * activations(replace(setup, recompute=False)),
        peak_flop_per_s=_peak(setup),
    )
    own = trained / (n if stage >= 1 else 1)
    optimizer = Kernel(
        flop=ADAM_FLOP_PER_PARAMETER * own,
        byte=own * (2 * setup.optimizer_byte + setup.gradient_byte + setup.weight_byte),
        peak_flop_per_s=peak_32_bit_flop_per_s(setup.chip),
    )
    states = (
        setup.weight_byte * held / (n if stage >= 3 else 1)
        + setup.gradient_byte * trained / (n if stage >= 2 else 1)
        + setup.optimizer_byte * own
    )
    scores = attention(setup, passes=3.5 + again)
    rate = setup.chip.link_bandwidth_byte_per_s
    reduced = setup.exchange_byte * trained
    link_s = float(ring_all_reduce_s(reduced, ranks=n, bandwidth=rate))
    link_byte = 2 * (n - 1) / n * reduced
    if stage >= 3:
        gathered = setup.weight_byte * held
        link_s = 2 * float(reduce_scatter_s(gathered, ranks=n, bandwidth=rate)) + link_s / 2
        link_byte = 2 * (n - 1) / n * gathered + link_byte / 2
    return states + kept, [linear, scores, optimizer], link_byte, link_s, count


def activations(setup: Setup) -> float:
    """Return the size of the activations stored for the backward pass. [byte]"""
    per_layer = layer_activation_byte(
        sequence_length=setup.tokens,
        micro_batch=setup.batch,
        hidden_size=setup.model.hidden_size,
        n_heads=setup.model.n_heads,
        recompute=2 if setup.recompute else 0,
        fused_attention=setup.fused_attention,
    )
    return float(per_layer) * setup.model.n_layers * setup.activation_byte / 2
