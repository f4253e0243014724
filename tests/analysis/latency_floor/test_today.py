from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.hardware.chip import CoreMesh
from analysis.latency_floor.floor import Request, latency_floor
from analysis.latency_floor.today import Today, today_s
from tests.analysis.small_models import CHIP, DENSE

ONE = Request(context_tokens=1024, weight_byte=1.0)
GPU = Today(
    launch_s=1.3e-6, launches_per_layer=6, exchange_s=3.6e-6, exchange_step_s=0.47e-6, exchange_network_s=5e-6
)


def taken(today, *, request=ONE, chip=CHIP, tensor=1, stages=1):
    split: Any = {"tensor_parallel": tensor, "pipeline_parallel": stages}
    return float(today_s(DENSE, request, chip=chip, today=today, **split))


def floor(*, request=ONE, chip=CHIP, tensor=1, stages=1):
    return latency_floor(DENSE, request, chip=chip, tensor_parallel=tensor, pipeline_parallel=stages)


def test_a_ring_of_eight_takes_what_the_cost_model_of_nccl_says():
    """3.6 + 2 x 7 x 0.47 = 10.18 microseconds; two domains two steps of a tree more."""
    times = GPU.all_reduce_s([1, 2, 8, 16, 64], domain_size=8)
    assert times.tolist() == pytest.approx([0, 4.54e-6, 10.18e-6, 20.18e-6, 40.18e-6])
    assert float(GPU.all_reduce_s(72, domain_size=72)) == pytest.approx(10.18e-6)


def test_launches_and_exchanges_come_on_top_of_reading():
    assert taken(GPU) == pytest.approx(float(floor().total_s) + 80 * 6 * 1.3e-6)
    eight, least = taken(GPU, tensor=8), floor(tensor=8)
    without = float(least.total_s - least.latency_s - least.steps_s)
    assert eight == pytest.approx(without + 80 * 6 * 1.3e-6 + 160 * 10.18e-6)


def test_chips_in_a_row_read_one_after_another_and_hand_on():
    """Llama 2 70B at 8 bits on 300 chips of 80 TB/s: 875 microseconds of reading and 300 hops."""
    rates: Any = {"memory_bandwidth_byte_per_s": 80e12, "link_latency_s": 0.72e-6}
    chip = replace(CHIP, **rates, memory_capacity_byte=0.2333e9)
    row = Today(in_a_row=True)
    request = Request(context_tokens=1, weight_byte=1.0)
    time = taken(row, request=request, chip=chip, tensor=8, stages=40)
    assert time == pytest.approx(70e9 / 80e12 + 301 * 0.72e-6, rel=0.001)
    assert taken(row, request=request, chip=chip, tensor=8, stages=80) == pytest.approx(time)


@given(
    launch=st.floats(0, 1e-5),
    exchange=st.floats(0, 1e-4),
    hop=st.floats(0, 1e-5),
    tensor=st.integers(1, 64),
    drafts=st.integers(0, 4),
    wafer=st.booleans(),
)
def test_today_is_never_faster_than_the_floor(*, launch, exchange, hop, tensor, drafts, wafer):
    mesh = CoreMesh(cores=900_000, hop_s=1e-9, reductions_per_layer=8)
    chip = replace(CHIP, mesh=mesh, memory_bandwidth_byte_per_s=21e15) if wafer else CHIP
    request = replace(ONE, draft_tokens=drafts, acceptance=0.8, draft_share=0.05)
    hops: Any = {"link_hop_s": hop, "core_hop_s": hop * 1e-3}
    met = Today(launch_s=launch, launches_per_layer=6, exchange_s=exchange, **hops)
    least = float(floor(request=request, chip=chip, tensor=tensor).total_s)
    assert taken(met, request=request, chip=chip, tensor=tensor) >= least
    assert taken(replace(met, in_a_row=True), request=request, chip=chip, tensor=tensor) >= least


@pytest.mark.parametrize("name", ["launch_s", "exchange_step_s", "core_hop_s"])
def test_a_time_below_zero_is_refused(name):
    with pytest.raises(ValueError, match="latencies and counts of today are 0 or more; got -1"):
        replace(GPU, **{name: -1.0})
