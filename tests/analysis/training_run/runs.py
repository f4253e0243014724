"""Machines, models and plans that tests of a training run share."""

from typing import Any

import numpy as np
from hypothesis import strategies as st

from analysis.hardware.chip import Chip
from analysis.hardware.machine import Machine
from analysis.model.architecture import Architecture
from analysis.training_run.candidates import SPLIT, Candidates
from analysis.training_run.pace import Traits
from analysis.training_run.plans import Plans
from analysis.training_run.run import Circumstances, TrainingRun
from analysis.training_run.step_time import step_time

LINKS: dict[str, Any] = {"link_bandwidth_byte_per_s": 450e9, "network_bandwidth_byte_per_s": 50e9}
OLD_LINKS: dict[str, Any] = {"link_bandwidth_byte_per_s": 300e9, "network_bandwidth_byte_per_s": 25e9}
MEMORY: dict[str, Any] = {"memory_bandwidth_byte_per_s": 3.35e12, "memory_capacity_byte": 80e9}
OLD_MEMORY: dict[str, Any] = {"memory_bandwidth_byte_per_s": 2.039e12, "memory_capacity_byte": 80e9}
HOPPER, AMPERE = {**MEMORY, **LINKS}, {**OLD_MEMORY, **OLD_LINKS}
H100 = Machine(chip=Chip(peak_fp16_flop_per_s=989e12, **HOPPER), matmul_flop_per_s=794.5e12)
OLD = Chip(peak_fp16_flop_per_s=312e12, **AMPERE)
A100 = Machine(chip=OLD, matmul_flop_per_s=271.2e12, before_hopper=True)
SMALL_SHAPE: Any = dict(n_layers=2, hidden_size=256, n_heads=4, vocabulary_size=1000, sequence_length=128)
SMALL = Architecture(**SMALL_SHAPE)
MODEL = Architecture(n_layers=48, hidden_size=8192, n_heads=64, vocabulary_size=128000, sequence_length=4096)
LONG = Architecture(n_layers=32, hidden_size=4096, n_heads=32, vocabulary_size=50368, sequence_length=32768)
HEADS: Any = {"n_layers": 48, "hidden_size": 5120, "n_heads": 40, "n_key_value_heads": 8}
LAYERS: Any = {"feed_forward_size": 8192, "gated": True, "vocabulary_size": 202048, "tied_embeddings": False}
EXPERTS: Any = {"n_experts": 128, "n_active_experts": 1, "n_shared_experts": 1}
MIXTURE = Architecture(**HEADS, **LAYERS, **EXPERTS, sequence_length=4096)
GPT_3 = Architecture(n_layers=96, hidden_size=12288, n_heads=96, vocabulary_size=51200, sequence_length=2048)

KIND = {"maker": "NVIDIA", "kind": "H100", "chip": "H100", "shape": "a"}
TRAITS = Traits(**KIND, mixture=False, precision="fp16", year=2024.0, plan="1")

degree = st.sampled_from([1, 2, 4, 8])
plans = st.builds(
    Plans,
    tensor_parallel=degree,
    pipeline_parallel=degree,
    data_parallel=st.sampled_from([1, 2, 8, 64]),
    context_parallel=st.sampled_from([1, 2]),
    interleave=st.sampled_from([1, 2, 3]),
    micro_batch=st.sampled_from([1, 2, 4]),
    zero_stage=st.sampled_from([0, 1, 2, 3]),
    recompute=st.sampled_from([0, 1, 2]),
    overlap=st.floats(0, 1),
)


def seconds(machine: Machine, plan: Plans, *, model: Architecture = MODEL, batch: int = 512) -> float:
    """Return the time of one step. [s]"""
    return float(step_time(model, machine, plans=plan, global_batch=batch).total_s)


def run_of(
    model: Architecture = MODEL,
    machine: Machine = H100,
    *,
    accelerators: int = 64,
    global_batch: int = 512,
    **circumstances: Any,
) -> TrainingRun:
    """Return a run over a trillion tokens."""
    around = Circumstances(**{"tokens": 1e12, **circumstances})
    run: Any = {"accelerators": accelerators, "global_batch": global_batch, "circumstances": around}
    return TrainingRun(model=model, machine=machine, **run)


def one_by_one(candidates: Candidates) -> Plans:
    """Return the sound plans, as flat arrays."""
    grid = candidates.plans()
    sound = np.broadcast_to(candidates.sound(), grid.shape)
    names = (*SPLIT, "expert_parallel", "recompute", "overlap")
    return Plans(**{name: np.broadcast_to(getattr(grid, name), grid.shape)[sound] for name in names})
