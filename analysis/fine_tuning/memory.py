"""Memory and operations of a fine-tune: full, with LoRA, or with QLoRA."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import FloatArray
from analysis.hardware.memory import RUNTIME_BYTE
from analysis.model.activations import further_activation_byte, layer_activation_byte
from analysis.model.architecture import Architecture
from analysis.model.formats import NF4_BITS
from analysis.model.training_states import GRADIENT_BYTE, OPTIMIZER_BYTE, WEIGHT_BYTE, training_states

Target = Literal["query", "key", "value", "output", "gate", "up", "down"]

ATTENTION: tuple[Target, ...] = ("query", "key", "value", "output")
FEED_FORWARD: tuple[Target, ...] = ("gate", "up", "down")
ALL_LINEAR: tuple[Target, ...] = (*ATTENTION, *FEED_FORWARD)


@dataclass(frozen=True, kw_only=True)
class Adapters:
    """Low-rank adapters: their rank, and the matrices of a layer that have an adapter."""

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
    """Return the mean feed-forward width of a layer, in units of an expert's width. It is 1 in a dense model.

    It counts all routed experts, or with ``active`` those that process one token, plus shared experts. Layers without
    experts count by their width.
    """
    if not model.is_mixture:
        return 1.0
    layers, dense = model.n_layers, model.n_dense_layers
    routed = model.n_active_experts if active else model.n_experts
    plain = dense * model.dense_feed_forward / model.feed_forward if dense > 0 else 0.0
    return ((layers - dense) * (routed + model.n_shared_experts) + plain) / layers


def adapter_parameters(model: Architecture, adapters: Adapters, *, active: bool = False) -> FloatArray:
    """Return the number of adapter parameters, shaped like the rank. With ``active``, count only those used per token.

    A matrix of a by b numbers gets r (a + b). Every expert gets its own; ungated layers have no gate. Latent attention
    counts with full matrices, from the number and size of its heads. A linear-attention layer counts as one that
    attends, so that models with gated delta rules get up to an eighth too few.

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


Method = Literal["full", "lora", "qlora"]

METHODS: tuple[Method, ...] = ("full", "lora", "qlora")

LOGIT_BYTE = 10.0
"""Memory per logit for the loss. It has 16 bits, a 32-bit copy and its 32-bit gradient. Published memory by
sequence length implies 9.5 in torchtune (README, 51.0 to 42.9 GiB for 7/8 of 8,192 x 128,256 logits), 12 in Qwen's and
17 in the Hugging Face column of Unsloth's README, whose long sequences need a third more than this. [byte]"""

PUBLISHED_LOGIT_BYTE = 4.0
"""Value for the same quantity in Korthikanti et al., arXiv:2205.05198, section 4.3. [byte]"""


@dataclass(frozen=True, kw_only=True)
class FineTuneMemory:
    """Memory on each device by use, in the inputs' broadcast shape. [byte]

    ``weight_byte`` are the model's weights in their format and ``adapter_byte`` the adapters'; gradients and optimizer
    states are those of the trained parameters. ``working_byte`` is temporary: the larger of the logits and the
    recomputed layer, the weights gathered from other devices, and one matrix dequantized to 16 bits.
    """

    weight_byte: FloatArray
    adapter_byte: FloatArray
    gradient_byte: FloatArray
    optimizer_byte: FloatArray
    activation_byte: FloatArray
    working_byte: FloatArray
    runtime_byte: FloatArray

    @property
    def states_byte(self) -> FloatArray:
        """Return the memory that devices can split: weights, adapters, gradients and optimizer states. [byte]"""
        return self.weight_byte + self.adapter_byte + self.gradient_byte + self.optimizer_byte

    @property
    def total_byte(self) -> FloatArray:
        """Return the total memory. [byte]"""
        return self.states_byte + self.activation_byte + self.working_byte + self.runtime_byte


def fine_tune_memory(
    model: Architecture,
    *,
    method: Method,
    sequence_length: ArrayLike,
    micro_batch: ArrayLike = 1,
    devices: ArrayLike = 1,
    adapters: Adapters | None = None,
    checkpointing: bool = True,
    optimizer_byte: ArrayLike = OPTIMIZER_BYTE,
    gradient_byte: ArrayLike = GRADIENT_BYTE,
    loss_chunks: ArrayLike = 1,
    runtime_byte: ArrayLike = RUNTIME_BYTE,
) -> FineTuneMemory:
    """Return the memory per device if ``devices`` split weights and states equally. Shapes broadcast. [byte]

    Each device processes ``micro_batch`` sequences of ``sequence_length`` tokens at once. ``checkpointing`` keeps only
    each layer's input and recomputes the layer. ``optimizer_byte`` per trained parameter is 12 with a 32-bit copy of
    the weights, 8 without it, 4 with 16-bit and 2 with 8-bit Adam states. ``gradient_byte`` is 0 if each gradient is
    applied immediately. ``loss_chunks`` is the number of chunks in which the loss, and so the logits, is computed.

    Notes
    -----
    Attention is fused. Frozen layers count as storing the same activations as trained ones, since adapters on a layer
    need its input too. With sharding a device also stores two gathered layers, as in
    :mod:`analysis.training_run.device_memory`, without the experts that a token does not visit, which are not gathered.

    References
    ----------
    Rajbhandari et al., "ZeRO", SC 2020, section 5, stage 3; Korthikanti et al., arXiv:2205.05198, section 4; Hu et al.,
    arXiv:2106.09685, section 4.2; Dettmers et al., arXiv:2305.14314, section 3.
    """
    _check(method)
    n = np.asarray(devices, dtype=np.float64)
    full = method == "full"
    trained = model.n_parameters if full else adapter_parameters(model, adapters or Adapters())
    states = training_states(trained, data_parallel=n, zero_stage=3)
    weight, layer_byte, dequantised = _weights(model, method)
    layer = _layer_activation(model, sequence_length=sequence_length, micro_batch=micro_batch, recompute=0)
    kept = layer
    if checkpointing:
        kept = _layer_activation(model, sequence_length=sequence_length, micro_batch=micro_batch, recompute=2)
    logits = model.vocabulary_size / np.asarray(loss_chunks)
    last = further_activation_byte(
        sequence_length=sequence_length,
        micro_batch=micro_batch,
        hidden_size=model.hidden_size,
        vocabulary_size=LOGIT_BYTE / PUBLISHED_LOGIT_BYTE * logits,  # type: ignore[arg-type]
    )
    gathered = (
        2 * layer_byte + (np.asarray(gradient_byte) * gathered_parameters(model) if full else 0.0)
    ) * (n > 1)
    gathered = np.minimum(gathered, weight * (1 - 1 / n))
    activation = model.n_layers * kept
    working = gathered + dequantised + np.maximum(last, layer if checkpointing else 0.0)
    parts = np.broadcast_arrays(
        weight / n,
        0.0 * states.weight_byte if full else states.weight_byte,
        states.gradient_byte * np.asarray(gradient_byte) / GRADIENT_BYTE,
        states.optimizer_byte * np.asarray(optimizer_byte) / OPTIMIZER_BYTE,
        activation,
        working,
        np.asarray(runtime_byte, dtype=np.float64),
    )
    return FineTuneMemory(**dict(zip(FineTuneMemory.__dataclass_fields__, parts, strict=True)))


def fewest_devices(model: Architecture, *, usable_byte: ArrayLike, **choices: Any) -> FloatArray:
    """Return the smallest number of devices with enough memory. Infinite if no number suffices. Shapes broadcast. [1]

    ``usable_byte`` is the memory available on one device. Memory that is not sharded (activations, working space,
    runtime) must fit beside the shard of the states; ``choices`` are those of :func:`fine_tune_memory`.
    """
    usable = np.asarray(usable_byte, dtype=np.float64)
    alone, shared = (fine_tune_memory(model, devices=count, **choices) for count in (1.0, np.inf))
    room = usable - shared.total_byte
    several = np.ceil(alone.states_byte / np.where(room > 0, room, np.nan))
    return np.where(alone.total_byte <= usable, 1.0, np.where(room > 0, several, np.inf))


@dataclass(frozen=True, kw_only=True)
class FineTuneFlop:
    """Operations of a fine-tune by kind, in the inputs' broadcast shape. [FLOP]

    ``weight_flop`` are those with the model's own weights, ``recompute_flop`` those repeated by checkpointing.
    """

    weight_flop: FloatArray
    adapter_flop: FloatArray
    attention_flop: FloatArray
    recompute_flop: FloatArray

    @property
    def total_flop(self) -> FloatArray:
        """Return the number of executed operations. [FLOP]"""
        return self.weight_flop + self.adapter_flop + self.attention_flop + self.recompute_flop


def fine_tune_flop(
    model: Architecture,
    *,
    method: Method,
    tokens: ArrayLike,
    sequence_length: ArrayLike = 0.0,
    adapters: Adapters | None = None,
    checkpointing: bool = True,
) -> FineTuneFlop:
    """Return the operations of training on ``tokens`` tokens, in all passes. Shapes broadcast. [FLOP]

    Per token and active parameter, the forward pass takes 2, the backward pass to the inputs 2 and the gradient of a
    trained weight 2 more: 6 in full fine-tuning and 4 for frozen weights. Adapters take 6 each. Attention within
    sequences of ``sequence_length`` adds 2 x sequence x width a layer forward (the causal half) and twice that
    backward. ``checkpointing`` repeats the forward pass.

    References
    ----------
    Kaplan et al., arXiv:2001.08361, section 2.1 (6 N); Narayanan et al., arXiv:2104.04473, appendix (attention,
    recomputation); Hu et al., arXiv:2106.09685, section 4.2 (frozen weights need no gradient).
    """
    _check(method)
    count = np.asarray(tokens, dtype=np.float64)
    if np.any(count <= 0):
        raise ValueError(
            f"a fine-tune reads more than 0 tokens; got {np.min(count):g}. Pass examples x tokens x passes."
        )
    forward = 2.0 * model.n_active_parameters * count
    attention = (
        2.0 * np.asarray(sequence_length, dtype=np.float64) * model.value_width * model.n_layers * count
    )
    extra = np.zeros(())
    if method != "full":
        extra = 2.0 * adapter_parameters(model, adapters or Adapters(), active=True) * count
    repeated = forward + extra + attention if checkpointing else 0.0 * forward
    parts = np.broadcast_arrays(
        (3.0 if method == "full" else 2.0) * forward, 3 * extra, 3 * attention, repeated
    )
    return FineTuneFlop(**dict(zip(FineTuneFlop.__dataclass_fields__, parts, strict=True)))


def _check(method: str) -> None:
    if method not in METHODS:
        raise ValueError(f"a fine-tune is one of {', '.join(METHODS)}; got {method!r}. Choose one of these.")


def layer_parameters(model: Architecture) -> float:
    """Return the mean number of weights in a layer, including all its experts."""
    return (model.n_parameters - _embeddings(model)) / model.n_layers


def gathered_parameters(model: Architecture) -> float:
    """Return the number of a layer's parameters that a device gathers. Experts without tokens are not counted."""
    idle = experts_per_layer(model) - experts_per_layer(model, active=True)
    return layer_parameters(model) - idle * model.expert_parameters


def _embeddings(model: Architecture) -> float:
    """Return the number of weights in the token embedding and the output layer, which QLoRA keeps at 16 bits."""
    return float(model.embedding_parameters + model.output_parameters)


def _weights(model: Architecture, method: Method) -> tuple[float, float, float]:
    """Return the sizes of all weights, of a layer's gathered weights, and of the largest dequantized matrix. [byte]"""
    everything, gathered = model.n_parameters, gathered_parameters(model)
    if method != "qlora":
        return WEIGHT_BYTE * everything, WEIGHT_BYTE * gathered, 0.0
    embeddings = _embeddings(model)
    layers = NF4_BITS / 8 * (everything - embeddings)
    widest = max(model.feed_forward, model.value_width)
    return (
        WEIGHT_BYTE * embeddings + layers,
        NF4_BITS / 8 * gathered,
        WEIGHT_BYTE * model.hidden_size * widest,
    )


def _layer_activation(
    model: Architecture, *, sequence_length: ArrayLike, micro_batch: ArrayLike, recompute: int
) -> FloatArray:
    """Return the size per device of one layer's stored activations, if attention is fused. [byte]"""
    width = model.value_width / model.hidden_size
    shared = model.key_value_heads / model.n_heads
    experts = experts_per_layer(model, active=True)
    return layer_activation_byte(
        sequence_length=sequence_length,
        micro_batch=micro_batch,
        hidden_size=model.hidden_size,
        n_heads=1.0,
        recompute=recompute,
        fused_attention=True,
        attention_byte=4.0 * width * (1 + shared),
        feed_forward_byte=4.0 * experts * model.feed_forward / model.hidden_size,
        outside_byte=8.0,
    )
