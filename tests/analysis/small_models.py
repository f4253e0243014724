"""Models, chips and set-ups that tests of generation and of techniques share."""

from dataclasses import replace
from typing import Any

from analysis.hardware.chip import Chip
from analysis.model.architecture import Architecture
from analysis.model.parameters import ParameterCounts
from analysis.techniques.setup import Setup

HEADS: Any = {"n_key_value_heads": 8, "head_size": 128}
SIZE: Any = {"n_layers": 80, "hidden_size": 8192, "n_heads": 64, "vocabulary_size": 128256}
DENSE = Architecture(**SIZE, **HEADS, stated=ParameterCounts(total=70e9, active=70e9))
SIZE = {"n_layers": 32, "hidden_size": 4096, "n_heads": 32, "vocabulary_size": 32000}
STATED = ParameterCounts(total=46.7e9, active=12.88e9, routed=45.1e9)
EXPERTS = Architecture(**SIZE, **HEADS, n_experts=8, n_active_experts=2, stated=STATED)
BYTE: Any = {"memory_bandwidth_byte_per_s": 3.35e12, "memory_capacity_byte": 80e9}
LINKS: Any = {"link_bandwidth_byte_per_s": 450e9, "network_bandwidth_byte_per_s": 50e9, "domain_size": 8}
WAITS: Any = {"link_latency_s": 1e-6, "network_latency_s": 5e-6, "step_latency_s": 0.0}
CHIP = Chip(peak_fp16_flop_per_s=989e12, **BYTE, **LINKS, **WAITS)
IN_EVERY_FORMAT = replace(CHIP, peak_fp8_flop_per_s=1979e12, peak_tf32_flop_per_s=494e12)


def setup(model: Architecture = DENSE, *, tokens: int = 8192, batch: int = 1, devices: int = 64) -> Setup:
    """Return a usual set-up of a model."""
    return Setup(model=model, chip=IN_EVERY_FORMAT, tokens=tokens, batch=batch, devices=devices)
