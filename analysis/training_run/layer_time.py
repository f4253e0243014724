"""Computing time of one layer for one micro-batch on one accelerator."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.hardware.machine import Machine
from analysis.hardware.matmul_rates import matmul_s
from analysis.model.architecture import Architecture
from analysis.training_run.plans import Plans


@dataclass(frozen=True, kw_only=True)
class Sustained:
    """Constants, equal for all runs, by which a real run differs from data-sheet or benchmark rates.

    They were set once on the published runs of Megatron-LM (A100) and Llama 3 (H100); the rate of fused attention on
    older chips was set on 11 of LLM Foundry's (A100 80 GB, over 8,192 tokens). No constant is specific to one run.
    """

    matmul: float = 0.86
    """Share of the best measured matmul rate that a run sustains over many shapes and hours. [1]"""
    fused_attention: float = 0.50
    """Rate of fused attention relative to the best measured matmul rate. Softmax uses no matrix units."""
    fused_attention_before_hopper: float = 0.40
    """Rate of fused attention on older chips: 35% of an A100's peak. FlashAttention-2 reports 25 to 40%."""
    fused_attention_early: float = 0.24
    """Rate of fused attention on later chips with software from before 2024. Its kernels were for earlier chips. Set
    on two of LLM Foundry's runs (H100, MPT 13B, over 8,192 tokens)."""
    memory: float = 0.80
    """Share of memory bandwidth that elementwise kernels attain. [1]"""
    link: float = 0.75
    """Share of the chip link's rate that collectives attain. [1]"""
    network: float = 0.80
    """Share of the network port's rate that collectives attain. [1]"""
    launch_s: float = 5e-6
    """Delay between two kernels. [s]"""
    latency_s: float = 5e-6
    """Latency of one hop of a collective. [s]"""
    expert_launch_s: float = 2.5e-4
    """Time to launch an expert's kernels on a device for one layer and micro-batch, forward and backward. Each
    expert has its own kernels, however few tokens it gets. [s]"""


SUSTAINED = Sustained()

ELEMENTWISE_FORWARD_BYTE = 44.0
"""Memory traffic per token and unit of hidden size in a forward pass. Two norms (4 each), two dropouts with residual (7
each), activation over four times the width (16), biases and layout (6). Counted from the operations of Korthikanti et
al., arXiv:2205.05198, figure 2, each tensor read and written once. [byte]"""
ELEMENTWISE_SHARED = 22.0
"""Elementwise traffic outside the tensor-parallel region, split only by sequence parallelism. [byte]"""
SCORE_FORWARD_BYTE = 13.0
SCORE_BACKWARD_BYTE = 17.0
"""Memory traffic per score of unfused attention. Written by the matmul, read and written by softmax and dropout, read
by the next matmul; backward the same with the stored masks. Tensors as in section 4.1 of the same paper. [byte]"""
KERNELS_FORWARD = 14.0


@dataclass(frozen=True, kw_only=True)
class LayerTime:
    """Time of one layer and micro-batch on one accelerator: forward pass, backward pass and recomputation. [s]"""

    matrix_s: FloatArray
    attention_s: FloatArray
    memory_bound_s: FloatArray

    @property
    def total_s(self) -> FloatArray:
        """Return the total time of the layer. [s]"""
        return self.matrix_s + self.attention_s + self.memory_bound_s


def layer_time(model: Architecture, machine: Machine, *, plans: Plans) -> LayerTime:
    """Return the computing time of one layer for one micro-batch. Parts broadcast to the plans. [s]

    Matmul times are those of :func:`analysis.hardware.matmul_rates.matmul_s`. A backward pass has two of each matmul,
    and recomputation repeats the forward pass (all of it, or the attention core). Other kernels are limited by memory.

    References
    ----------
    Narayanan et al., arXiv:2104.04473, appendix; Korthikanti et al., arXiv:2205.05198, section 4.
    """
    t = np.asarray(plans.tensor_parallel)
    tokens = np.asarray(plans.micro_batch) * model.sequence_length / np.asarray(plans.context_parallel)
    full = np.asarray(plans.recompute) == 2
    again = np.where(full, 4.0, 3.0)
    forward = _linear_forward_s(model, machine, tokens=tokens, plans=plans)
    attention, scores = _attention_s(model, machine, tokens=tokens, plans=plans)
    h = model.hidden_size
    # Norms are split too, except with full recomputation on unfused attention.
    shared = np.where(full & (not machine.fused_attention), 1.0, 1.0 / t)
    activation = (ELEMENTWISE_FORWARD_BYTE - ELEMENTWISE_SHARED) * _width(model) / t
    elementwise = tokens * h * (ELEMENTWISE_SHARED * shared + activation)
    # A backward pass also reads what was stored: about one and a half forward passes.
    passes = np.where(full, 3.5, 2.5)
    bandwidth = machine.chip.memory_bandwidth_byte_per_s * SUSTAINED.memory
    launches = KERNELS_FORWARD * again * SUSTAINED.launch_s
    if model.n_experts > 1:
        held = np.maximum(model.n_experts / np.asarray(plans.expert_parallel), 1.0)
        launches = launches + model.mixture_share * held * SUSTAINED.expert_launch_s * again / 3
    return LayerTime(
        matrix_s=again * forward,
        attention_s=attention,
        memory_bound_s=passes * elementwise / bandwidth + scores + launches,
    )


def _width(model: Architecture) -> float:
    """Return the size of feed-forward activations relative to those of a layer of four times the hidden size. [1]"""
    return (1.5 if model.gated else 1.0) * model.active_feed_forward / (4 * model.hidden_size)


def _linear_forward_s(
    model: Architecture, machine: Machine, *, tokens: FloatArray, plans: Plans
) -> FloatArray:
    t, h = np.asarray(plans.tensor_parallel), model.hidden_size
    rate = machine.matmul_flop_per_s * SUSTAINED.matmul
    bandwidth = machine.chip.memory_bandwidth_byte_per_s * SUSTAINED.memory

    def product(rows: FloatArray, *, inner: FloatArray, columns: FloatArray, uses: FloatArray) -> FloatArray:
        return matmul_s(
            rows,
            inner=inner,
            columns=columns,
            matmul_flop_per_s=rate,
            memory_byte_per_s=bandwidth,
            element_byte=machine.element_byte,
            weight_uses=uses,
        )

    one, whole = np.ones(()), np.asarray(float(h))

    def feed_forward(rows: FloatArray, *, width: float, uses: FloatArray) -> FloatArray:
        up = product(rows, inner=whole, columns=(2 if model.gated else 1) * width / t, uses=uses)
        return up + product(rows, inner=width / t, columns=whole, uses=uses)

    attention = product(tokens, inner=model.value_width / t, columns=whole, uses=one)
    if model.latent is None:
        grouped = 1 + 2 * model.key_value_heads / model.n_heads
        attention += product(tokens, inner=whole, columns=model.value_width * grouped / t, uses=one)
    else:
        kept, wide = float(model.latent.kv_latent_size), model.query_width / t
        down = kept + model.latent.rope_head_size + (model.latent.query_latent_size or 0)
        attention += product(tokens, inner=whole, columns=down * one, uses=one)
        attention += product(
            tokens, inner=(model.latent.query_latent_size or h) * one, columns=wide, uses=one
        )
        keys = wide - model.n_heads * model.latent.rope_head_size / t
        attention += product(tokens, inner=kept * one, columns=keys + model.value_width / t, uses=one)
    if model.n_experts == 1:
        return attention + feed_forward(tokens, width=model.feed_forward, uses=one)
    held = np.maximum(model.n_experts / np.asarray(plans.expert_parallel), 1.0)
    mixture = feed_forward(tokens * model.n_active_experts, width=model.feed_forward, uses=held)
    if model.n_shared_experts:
        mixture += feed_forward(tokens, width=model.n_shared_experts * model.feed_forward, uses=one)
    if model.n_dense_layers == 0:
        return attention + mixture
    dense = feed_forward(tokens, width=model.dense_feed_forward, uses=one)
    return attention + model.mixture_share * mixture + (1 - model.mixture_share) * dense


def _attention_s(
    model: Architecture, machine: Machine, *, tokens: FloatArray, plans: Plans
) -> tuple[FloatArray, FloatArray]:
    """Return the time of attention's matmuls, and the time to move scores through memory. [s]"""
    t, s = np.asarray(plans.tensor_parallel), model.sequence_length
    mode = np.asarray(plans.recompute)
    forward_flop = 4 * tokens * s * model.attention_width / t
    rate = machine.matmul_flop_per_s * SUSTAINED.matmul
    if machine.fused_attention:
        # Causal: half the scores; the backward pass recomputes them: 2.5 forward passes (Dao, FlashAttention-2).
        passes = np.where(mode == 2, 4.5, 3.5)
        share = SUSTAINED.fused_attention_early if machine.early_kernels else SUSTAINED.fused_attention
        share = SUSTAINED.fused_attention_before_hopper if machine.before_hopper else share
        return passes * forward_flop / 2 / (_sixteen_bit_rate(machine) * share), np.zeros(())
    passes = np.where(mode == 0, 3.0, 4.0)
    scores = tokens * s * model.n_heads / t
    moved = SCORE_FORWARD_BYTE * np.where(mode == 0, 1.0, 2.0) + SCORE_BACKWARD_BYTE
    bandwidth = machine.chip.memory_bandwidth_byte_per_s * SUSTAINED.memory
    return passes * forward_flop / rate, moved * scores / bandwidth


def _sixteen_bit_rate(machine: Machine) -> float:
    """Return the matmul rate at 16 bits, for attention and the output layer. [FLOP/s]

    References
    ----------
    NVIDIA, Transformer Engine user guide, "Using FP8": only linear layers run in FP8.
    """
    return machine.matmul_flop_per_s * min(machine.element_byte / 2, 1.0)


def output_layer_s(model: Architecture, machine: Machine, *, plans: Plans) -> FloatArray:
    """Return the time of the output layer and its loss for a micro-batch, in the shape of the plans. [s]

    It has one matmul forward and two backward, and moves the 32-bit logits four times.
    """
    t = np.asarray(plans.tensor_parallel)
    tokens = np.asarray(plans.micro_batch) * model.sequence_length / np.asarray(plans.context_parallel)
    bandwidth = machine.chip.memory_bandwidth_byte_per_s * SUSTAINED.memory
    product = matmul_s(
        tokens,
        inner=model.hidden_size,
        columns=model.vocabulary_size / t,
        matmul_flop_per_s=_sixteen_bit_rate(machine) * SUSTAINED.matmul,
        memory_byte_per_s=bandwidth,
        element_byte=max(machine.element_byte, 2.0),
    )
    return 3 * product + 16 * tokens * model.vocabulary_size / t / bandwidth
