"""Prediction of one training run by the step-time model."""

from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from analysis.hardware.chip import FUSED_SINCE
from analysis.hardware.machine import Machine
from analysis.model.flop import Recompute, training_flop_per_token
from analysis.training_run.candidates import MICRO_BATCHES, interleavings, zero_stages
from analysis.training_run.cases import TrainingCase
from analysis.training_run.device_memory import DeviceMemory, device_memory, fits
from analysis.training_run.pace import EIGHT_IN_TEN, Pace
from analysis.training_run.plans import RECOMPUTE_NAMES, Plans
from analysis.training_run.step_time import StepTime, step_time
from analysis.units import DAY_S

BENEFIT_OF_DOUBT = 1.3
"""Factor by which memory may exceed capacity and count as fitting, if recomputation is unstated. [1]"""


OWN_KERNELS_SINCE = 2024.0
"""Date of the first fused attention kernels for Hopper's matrix units. FlashAttention-3 was released in July 2024
(arXiv:2407.08608), NVIDIA's own shortly before. [year]"""
OVERLAPPED_SINCE = 2025.0
"""Date from which training software overlaps most traffic with computing. Megatron Core and FSDP2 gather and reduce
each layer ahead of its use (Liang et al., "TorchTitan", arXiv:2410.06511, section 2). [year]"""
OVERLAP_NOW, OVERLAP_BEFORE = 0.9, 0.5
"""Share of data-parallel and pipeline traffic that may overlap with computing, since that date and before it. [1]"""


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """The prediction for a case, with its plan, step time and memory.

    ``machine`` is the case's, with the values that the case states.
    """

    case: TrainingCase
    machine: Machine
    plan: Plans
    step: StepTime
    memory: DeviceMemory

    @property
    def step_s(self) -> float:
        """Return the step time. [s]"""
        return float(self.step.total_s)

    @property
    def days(self) -> float | None:
        """Return the run's duration, excluding interruptions. None if the number of tokens is not stated. [day]"""
        if self.case.tokens is None:
            return None
        return self.case.tokens / self._tokens_per_step * self.step_s / DAY_S

    @property
    def recompute(self) -> Recompute:
        """Return the name of the plan's kind of recomputation."""
        return cast(Recompute, RECOMPUTE_NAMES[int(self.plan.one("recompute"))])

    @property
    def counts(self) -> str:
        """Return which operations the rate counts: "model", or "hardware" (the default with full recomputation)."""
        return self.case.counts or ("hardware" if self.recompute == "full" else "model")

    @property
    def attention_counted(self) -> str:
        """Return how attention is counted. By default, fused attention counts as causal, other attention as full."""
        return self.case.attention_counted or ("causal" if self.machine.fused_attention else "full")

    @property
    def tokens_per_s_per_accelerator(self) -> float:
        """Return the training speed per accelerator. [tokens/s]"""
        return self._tokens_per_step / self.step_s / self.case.accelerators

    @property
    def flop_per_s_per_accelerator(self) -> float:
        """Return the rate of the counted operations per accelerator. [FLOP/s]"""
        return self._flop_per_s(self.recompute if self.counts == "hardware" else "none")

    @property
    def mfu(self) -> float:
        """Return model FLOP utilization: the rate of the model's own operations over the peak. [1]"""
        return self._flop_per_s("none") / self.machine.peak_flop_per_s

    @property
    def hfu(self) -> float:
        """Return hardware FLOP utilization: the rate of all operations, with recomputation, over the peak. [1]"""
        return self._flop_per_s(self.recompute) / self.machine.peak_flop_per_s

    @property
    def fits(self) -> bool:
        """Return whether the fullest accelerator has enough memory."""
        return bool(fits(self.memory, self.machine))

    @property
    def _tokens_per_step(self) -> int:
        return self.case.global_batch * self.case.model.sequence_length

    def _flop_per_s(self, recompute: Recompute) -> float:
        causal = self.attention_counted == "causal"
        flop = training_flop_per_token(self.case.model, recompute=recompute, causal=causal)
        return self.tokens_per_s_per_accelerator * flop

    def paced(self, pace: float) -> "Prediction":
        """Return the prediction with its speed multiplied by the pace."""
        return replace(self, step=self.step.paced(pace))


def overlap_of(year: float) -> float:
    """Return the share of data-parallel and pipeline traffic that a year's software overlaps with computing."""
    return OVERLAP_NOW if year >= OVERLAPPED_SINCE else OVERLAP_BEFORE


def with_software(machine: Machine, *, year: float) -> Machine:
    """Return the machine with the fused attention kernels of a year's software."""
    fused = machine.fused_attention or year >= FUSED_SINCE
    return replace(machine, fused_attention=fused, early_kernels=year < OWN_KERNELS_SINCE)


def machine_for(case: TrainingCase, machine: Machine) -> Machine:
    """Return the machine with the case's values. Without a software date, ZeRO 3 implies fused attention."""
    if case.software_year is None:
        machine = replace(machine, fused_attention=machine.fused_attention or case.zero_stage == 3)
    else:
        machine = with_software(machine, year=case.software_year)
    if case.attention is not None:
        machine = replace(machine, fused_attention=case.attention == "fused")
    machine = replace(machine, expert_overlap=case.expert_overlap)
    if case.power_limit_w is not None:
        # Power scales with the cube of the clock while voltage follows it (Dennard et al., IEEE JSSC 9, 1974).
        clock = min(case.power_limit_w / machine.chip.power_w, 1.0) ** (1 / 3)
        machine = replace(machine, matmul_flop_per_s=machine.matmul_flop_per_s * clock)
    if case.network_byte_per_s is not None:
        machine = machine.with_chip(network_bandwidth_byte_per_s=case.network_byte_per_s)
    if case.link_byte_per_s is not None:
        machine = machine.with_chip(link_bandwidth_byte_per_s=case.link_byte_per_s)
    return machine if case.domain_size is None else machine.with_chip(domain_size=case.domain_size)


def predict(case: TrainingCase, *, machine: Machine) -> Prediction:
    """Return the prediction for a case on a machine.

    Unstated choices (micro-batch, interleaving, ZeRO stage, recomputation) take the fastest plan that fits, or
    otherwise the one with the least memory. If recomputation is unstated, a plan with less of it than any that
    fits may need ``BENEFIT_OF_DOUBT`` times the memory, if it is the fastest and fits with another kind.
    """
    machine = machine_for(case, machine)
    plans = _open_plans(case)
    memory = device_memory(case.model, machine, plans=plans, global_batch=case.global_batch)
    step = step_time(case.model, machine, plans=plans, global_batch=case.global_batch)
    fitting = fits(memory, machine)
    possible = fitting
    if case.recompute is None:
        near = memory.total_byte <= BENEFIT_OF_DOUBT * machine.chip.memory_capacity_byte
        possible = _possible(plans, fitting=fitting, near=near)
    if not possible.any():
        best = int(np.argmin(memory.total_byte))
    else:
        seconds, kind = step.total_s, np.asarray(plans.recompute)
        best = int(np.argmin(np.where(possible, seconds, np.inf)))
        sure = int(np.argmin(np.where(fitting, seconds, np.inf)))
        if (fitting & (kind <= kind[best])).any():
            best = sure
    plan = plans.at(best)
    step = step_time(case.model, machine, plans=plan, global_batch=case.global_batch)
    memory = device_memory(case.model, machine, plans=plan, global_batch=case.global_batch)
    return Prediction(case=case, machine=machine, plan=plan, step=step, memory=memory)


def _possible(plans: Plans, *, fitting: NDArray[np.bool_], near: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the possible plans, among plans that differ only in recomputation.

    If one of them fits, all near ones are possible; if none fits at all, those that are near.
    """
    if not fitting.any():
        return near
    schedules = np.stack(
        [np.asarray(getattr(plans, name)) for name in ("micro_batch", "interleave", "zero_stage")]
    )
    fit = {tuple(column) for column in schedules[:, fitting].T}
    return near & np.array([tuple(column) in fit for column in schedules.T])


def _open_plans(case: TrainingCase) -> Plans:
    """Return every plan that agrees with the stated parts of the case, as flat arrays."""
    per_rank = case.global_batch / case.data_parallel
    if case.micro_batch is not None:
        micro = [case.micro_batch]
    else:
        micro = [b for b in MICRO_BATCHES if per_rank % b == 0] or [1]
    p = case.pipeline_parallel
    if p == 1:
        pieces = [1]
    elif case.interleave is not None:
        pieces = [case.interleave]
    else:
        pieces = interleavings(case.model.n_layers, stages=p)
    stages = zero_stages(p) if case.zero_stage is None else [case.zero_stage]
    kinds = [0, 1, 2] if case.recompute is None else [RECOMPUTE_NAMES.index(case.recompute)]
    # Interleaving needs a micro-batch for every stage; if the case states it, this is not checked.
    schedules = [
        (b, v) for b in micro for v in pieces if v == 1 or case.interleave is not None or per_rank / b >= p
    ]
    grid = np.array([(b, v, z, r) for b, v in schedules for z in stages for r in kinds], dtype=np.float64).T
    return Plans(
        tensor_parallel=case.tensor_parallel,
        pipeline_parallel=p,
        data_parallel=case.data_parallel,
        context_parallel=case.context_parallel,
        expert_parallel=case.expert_parallel,
        micro_batch=grid[0],
        interleave=grid[1],
        zero_stage=grid[2],
        recompute=grid[3],
        overlap=overlap_of(case.software_year or 0.0) if case.overlap is None else case.overlap,
    )


def predicted_cells(prediction: Prediction, *, pace: Pace) -> dict[str, str]:
    """Return the cells of a prediction's columns, with numbers to six digits.

    ``prediction`` is that of the step-time model; ``pace`` scales it and gives its range.
    """
    low, high = (bound / pace.share for bound in pace.bounds(EIGHT_IN_TEN))
    prediction = prediction.paced(pace.share)
    plan, days = prediction.plan, prediction.days
    rate, tokens = prediction.flop_per_s_per_accelerator / 1e12, prediction.tokens_per_s_per_accelerator
    spans = {
        "tflop_per_s_per_accelerator": (rate, rate * low, rate * high),
        "tokens_per_s_per_accelerator": (tokens, tokens * low, tokens * high),
        "step_s": (prediction.step_s, prediction.step_s / high, prediction.step_s / low),
    }
    return {
        **{
            f"{name}{end}": f"{value:.6g}"
            for name, values in spans.items()
            for end, value in zip(("", "_low", "_high"), values, strict=True)
        },
        "counts": prediction.counts,
        "attention_counted": prediction.attention_counted,
        "mfu": f"{prediction.mfu:.6g}",
        "hfu": f"{prediction.hfu:.6g}",
        "days": "" if days is None else f"{days:.6g}",
        "memory_gbyte_per_accelerator": f"{float(prediction.memory.total_byte) / 1e9:.6g}",
        "fits": "yes" if prediction.fits else "no",
        **{f"{name}_used": f"{plan.one(name):.0f}" for name in ("micro_batch", "interleave", "zero_stage")},
        "recompute_used": prediction.recompute,
    }
