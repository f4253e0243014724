from dataclasses import replace

import numpy as np
import pytest

from analysis.latency_floor.enough_chips import MOST_CHIPS, Placed
from analysis.latency_floor.floor import Request, latency_floor, resident_byte
from tests.analysis.small_models import CHIP, DENSE

ONE = Request(context_tokens=8192)


def placed(*, chip=CHIP, request=ONE):
    return Placed(name="", chip=chip, model=DENSE, request=request)


def test_without_latency_more_chips_help_without_end_and_with_it_they_stop():
    free = replace(CHIP, link_latency_s=0, network_latency_s=0, network_bandwidth_byte_per_s=450e9)
    assert placed(chip=free).best == MOST_CHIPS
    best = placed().best
    assert best is not None and 64 <= best <= 1024
    times = placed().times(np.arange(1, 4097))
    assert times[best - 1] <= 1.1 * np.min(times) < times[best - 2]
    rings = replace(CHIP, torus=3, domain_size=4096)
    around = placed(chip=rings).times(np.arange(1, 4097))
    assert around[-1] > np.min(around)


def test_chips_of_230_megabyte_hold_a_model_only_in_hundreds():
    sram = replace(CHIP, memory_capacity_byte=0.23e9)
    assert placed(chip=sram, request=Request(context_tokens=1)).fewest == pytest.approx(140e9 / 0.23e9, abs=1)
    assert placed(chip=replace(CHIP, memory_capacity_byte=1e15)).fewest == 1
    assert np.isinf(placed(chip=sram).stages(tensor=1))
    assert np.isinf(placed(chip=sram).times([1]))[0]
    assert placed(chip=replace(CHIP, memory_capacity_byte=1e5)).best is None


def test_stages_hold_whole_layers():
    tight = replace(CHIP, memory_capacity_byte=143e9 / 3 * 1.001)
    assert placed(chip=tight).stages(tensor=1) == 4
    floor = latency_floor(DENSE, ONE, chip=tight, tensor_parallel=1, pipeline_parallel=3)
    assert float(floor.memory_byte_per_chip) == pytest.approx(27 / 80 * float(resident_byte(DENSE, ONE)))
