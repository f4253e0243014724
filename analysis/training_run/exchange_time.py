"""Communication time of a step, by kind, and the part that does not overlap with computing."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.hardware import collectives
from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.model.training_states import WEIGHT_BYTE
from analysis.training_run.layer_time import SUSTAINED
from analysis.training_run.plans import Plans, fullest_stage_layers

CONTEXT_KEY_VALUE_HEADS = 8
"""Key-value heads assumed for context-parallel communication if a case states none. Models trained on long
contexts group their queries (Ainslie et al., "GQA", EMNLP 2023)."""

EXCHANGED_GRADIENT_BYTE = 4.0
"""Size of a communicated gradient per parameter. Devices sum gradients in 32 bits, as in Megatron-LM with BF16 and in
Llama 3 (arXiv:2407.21783, section 3.3.2), whatever format they store. [byte]"""


GATHERED_WELL_DOMAINS = 64.0
"""Number of scale-up domains of eight over which gradients and weights are exchanged with half of the extra ports in
use: sharded runs scale well to 512 accelerators (Zhao et al., "PyTorch FSDP", arXiv:2304.11277, section 5.3), while a
ring over thousands uses little more than one port each; assumed beyond. [domains]"""


@dataclass(frozen=True, kw_only=True)
class ExchangeTime:
    """Communication time: per layer and micro-batch (tensor, context and expert parallelism), per transfer between
    stages, and once for all gradients and weights. [s]"""

    tensor_s: FloatArray
    context_s: FloatArray
    expert_s: FloatArray
    stage_s: FloatArray
    gradient_s: FloatArray
    gather_s: FloatArray


@dataclass(frozen=True, kw_only=True)
class DeviceParameters:
    """Parameters of one tensor- and pipeline-parallel part in the fullest stage, and their replicas.

    ``common`` are on all ``replicas`` devices that share data and context; ``routed``, the experts, are first spread
    over expert-parallel devices, and so are on only ``routed_replicas``. [parameters]
    """

    common: FloatArray
    routed: FloatArray
    replicas: FloatArray
    routed_replicas: FloatArray

    @property
    def total(self) -> FloatArray:
        """Return the total parameters of the part. [parameters]"""
        return self.common + self.routed


def parameters_per_device(
    model: Architecture, *, plans: Plans, layers: FloatArray | None = None, embedded: bool = True
) -> DeviceParameters:
    """Return the parameters of one tensor- and pipeline-parallel part in a stage of ``layers`` layers.

    The default is the fullest stage; ``embedded`` stages include the token embedding. Experts are spread over at most
    as many devices as share data and context, and as there are experts.
    """
    t, p = np.asarray(plans.tensor_parallel), np.asarray(plans.pipeline_parallel)
    replicas = np.asarray(plans.context_parallel) * np.asarray(plans.data_parallel)
    spread = np.minimum(np.minimum(np.asarray(plans.expert_parallel), model.n_experts), replicas)
    if layers is None:
        layers = fullest_stage_layers(model.n_layers, pipeline_parallel=p)
    common = layers * model.common_layer_parameters + (model.embedding_parameters if embedded else 0)
    common = common + np.where(p == 1, model.output_parameters, 0.0)
    return DeviceParameters(
        common=common / t,
        routed=layers * model.routed_layer_parameters / spread / t,
        replicas=replicas,
        routed_replicas=replicas / spread,
    )


def exchange_time(model: Architecture, machine: Machine, *, plans: Plans) -> ExchangeTime:
    """Return the time of each kind of communication in a step, before overlap. Shapes broadcast. [s]

    Tensor parallelism all-reduces a layer's output twice forward and twice backward, and twice more if the layer is
    recomputed; sequence parallelism moves the same bytes. Devices are numbered tensor, context, data, pipeline, with
    the innermost closest together.

    References
    ----------
    Shoeybi et al., "Megatron-LM", arXiv:1909.08053, section 3; Rajbhandari et al., "ZeRO", SC 2020, section 7; Fedus et
    al., "Switch Transformers", JMLR 23, 2022, section 2 (all-to-all).
    """
    t, c, d, p = (
        np.asarray(x)
        for x in (plans.tensor_parallel, plans.context_parallel, plans.data_parallel, plans.pipeline_parallel)
    )
    link = machine.chip.link_bandwidth_byte_per_s * SUSTAINED.link
    network = machine.chip.network_bandwidth_byte_per_s * SUSTAINED.network

    def bandwidth(ranks: FloatArray, stride: FloatArray) -> FloatArray:
        return collectives.group_bandwidth(
            ranks=ranks,
            stride=stride,
            domain_size=machine.chip.domain_size,
            link_byte_per_s=link,
            network_byte_per_s=network,
        )

    h, one = model.hidden_size, np.ones(())
    tokens = np.asarray(plans.micro_batch) * model.sequence_length / c
    message = 2.0 * tokens * h
    latency = SUSTAINED.latency_s
    times = np.where(np.asarray(plans.recompute) == 2, 6.0, 4.0)
    tensor = times * collectives.ring_all_reduce_s(
        message, ranks=t, bandwidth=bandwidth(t, one), latency_s=latency
    )
    kv_heads = (
        min(model.key_value_heads, CONTEXT_KEY_VALUE_HEADS)
        if (model.n_key_value_heads is None)
        else model.key_value_heads
    )
    kv = 2.0 * 2.0 * tokens * c * model.attention_width * kv_heads / model.n_heads / t
    context = 3 * collectives.reduce_scatter_s(kv, ranks=c, bandwidth=bandwidth(c, t), latency_s=latency)
    e = np.asarray(plans.expert_parallel)
    expert = 4 * collectives.dispatch_s(
        message * model.mixture_share / t,
        copies=model.n_active_experts,
        ranks=e,
        domains=np.maximum(e * t * c / machine.chip.domain_size, 1.0),
        link_byte_per_s=link,
        network_byte_per_s=network,
        latency_s=latency,
    )
    stage_rate = np.where(t * c * d * p <= machine.chip.domain_size, link, network)
    stage = np.where(p > 1, 2 * (message / t / stage_rate + latency), 0.0)
    ranks = c * d
    own = parameters_per_device(model, plans=plans)
    third = np.asarray(plans.zero_stage) >= 3

    def shared(ranks: FloatArray, stride: FloatArray) -> FloatArray:
        """Return the bandwidth between devices that share parameters. It is lower across several domains. [byte/s]"""
        rate = bandwidth(ranks, stride)
        domains = ranks * stride / machine.chip.domain_size
        port = np.minimum(network, rate)
        lessened = port + (rate - port) / (1 + (domains / GATHERED_WELL_DOMAINS) ** 2)
        return np.where(domains > 1, lessened, rate)

    half = collectives.reduce_scatter_s(
        WEIGHT_BYTE * own.common, ranks=ranks, bandwidth=shared(ranks, t), latency_s=0.0
    ) + collectives.reduce_scatter_s(
        WEIGHT_BYTE * own.routed,
        ranks=own.routed_replicas,
        bandwidth=shared(own.routed_replicas, t * ranks / own.routed_replicas),
        latency_s=0.0,
    )
    # Layers are gathered one after another, each by a ring over all devices that share it.
    hops = np.where(
        third, fullest_stage_layers(model.n_layers, pipeline_parallel=p) * (ranks - 1), 2 * np.log2(ranks)
    )
    return ExchangeTime(
        tensor_s=tensor,
        context_s=context,
        expert_s=expert,
        stage_s=stage,
        gradient_s=half * EXCHANGED_GRADIENT_BYTE / WEIGHT_BYTE + latency * hops,
        gather_s=half + latency * hops,
    )


@dataclass(frozen=True, kw_only=True)
class GroupExchange:
    """Communication time of a group of accelerators, by pattern. [s]

    ``everyone_s`` sends all data to every other member, which no run does: the time grows linearly with the number of
    members, the total traffic with its square.
    """

    accelerators: int
    ring_s: float
    tree_s: float
    all_to_all_s: float
    everyone_s: float


def group_exchange(machine: Machine, *, accelerators: int, message_byte: float) -> GroupExchange:
    """Return the time for ``accelerators`` to exchange ``message_byte``, by pattern. [s]

    Within a scale-up domain data use the chip link; all-to-all traffic beyond it uses the network.
    """
    chip = machine.chip
    network = chip.network_bandwidth_byte_per_s * SUSTAINED.network
    rate = collectives.group_bandwidth(
        ranks=accelerators,
        stride=1,
        domain_size=chip.domain_size,
        link_byte_per_s=chip.link_bandwidth_byte_per_s * SUSTAINED.link,
        network_byte_per_s=network,
    )
    flat = rate if accelerators <= chip.domain_size else network
    times = {
        "ring_s": (collectives.ring_all_reduce_s, rate),
        "tree_s": (collectives.tree_all_reduce_s, rate),
        "all_to_all_s": (collectives.all_to_all_s, flat),
    }
    return GroupExchange(
        accelerators=accelerators,
        everyone_s=float((accelerators - 1) * message_byte / flat),
        **{
            name: float(
                time(message_byte, ranks=accelerators, bandwidth=bandwidth, latency_s=SUSTAINED.latency_s)
            )
            for name, (time, bandwidth) in times.items()
        },
    )
