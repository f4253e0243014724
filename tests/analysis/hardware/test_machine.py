import math
from dataclasses import replace
from typing import Any

import pytest

from analysis.hardware.chip import Chip
from analysis.hardware.machine import Machine, machine_of
from analysis.hardware.matmul_rates import MatmulRates
from data import standing
from tests.analysis.hardware.test_chip import CHIP, ROW
from tests.analysis.refusals import refusals

TABLES: Any = {name: standing.table(name).to_dict("records") for name in ("published_matmul", "same_die")}
RATES = MatmulRates.from_rows(TABLES["published_matmul"], same_die=TABLES["same_die"])


def chip_of(row, *, year):
    return Chip.from_row(row, links={}, released_year=year)


def test_a_machine_says_what_its_rate_and_its_chip_assume():
    machine = machine_of(chip_of({**ROW, "product": "Abacus 1"}, year=2021), RATES)
    assert not machine.fused_attention
    rate, *others = machine.assumed
    assert rate == "matrix rate 75% of peak, the median of the measured chips"
    assert tuple(others) == machine.chip.assumed


def test_a_machine_multiplies_at_the_measured_rate_of_its_precision():
    chip = replace(CHIP, name="H100 SXM")
    machine = machine_of(chip, RATES, precision="fp8")
    assert [machine.peak_flop_per_s, machine.matmul_flop_per_s] == [1979e12, pytest.approx(1402.6e12)]
    assert [machine.element_byte, machine_of(chip, RATES).element_byte] == [1.0, 2.0]
    faster = machine.with_rates(peak_flop_per_s=4e15, matmul_flop_per_s=3e15)
    assert [faster.peak_flop_per_s, faster.matmul_flop_per_s] == [4e15, 3e15]
    assert faster.chip.stated_peak("fp16") == 989e12
    assert machine.with_chip(memory_capacity_byte=60e9).chip.memory_capacity_byte == 60e9


def test_chips_from_before_fused_attention_run_its_first_kernels():
    memory = {"memory_bandwidth_byte_per_s": 2.039e12, "memory_capacity_byte": 80e9}
    row = {"product": "A100 80 GB", "peak_fp16_dense_flop_per_s": 312e12, **memory}
    old, new = (Chip.from_row(row, links={}, released_year=year) for year in (2020.9, 2022.8))
    assert machine_of(old, RATES).before_hopper
    assert not machine_of(new, RATES).before_hopper


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "jitter is 0 or more; got -1. Pass 0 for none.": lambda: Machine(chip=CHIP, matmul_flop_per_s=8e14, jitter=-1),
        "expert_overlap is a share from 0 to 1; got 1.1. Pass 1 where all can overlap.":
            lambda: Machine(chip=CHIP, matmul_flop_per_s=8e14, expert_overlap=1.1),
        "matmul_flop_per_s is a positive number; got 0.": lambda: Machine(chip=CHIP, matmul_flop_per_s=0),
        "peak_flop_per_s is a positive number; got nan.":
            lambda: Machine(chip=replace(CHIP, peak_fp8_flop_per_s=math.nan), matmul_flop_per_s=1, precision="fp8"),
    }
)  # fmt: skip
