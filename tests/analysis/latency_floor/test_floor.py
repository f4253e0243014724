from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.hardware.chip import CoreMesh
from analysis.latency_floor.floor import (
    Request,
    all_reduce_parts,
    groups_under_way,
    hops,
    latency_floor,
    resident_byte,
    tokens_per_pass,
)
from tests.analysis.refusals import refusals
from tests.analysis.small_models import CHIP, DENSE

ONE = Request(context_tokens=8192)
MESH = CoreMesh(cores=900_000, hop_s=1 / 1.1e9, reductions_per_layer=8)
FAST: Any = {"memory_bandwidth_byte_per_s": 21e15, "peak_fp16_flop_per_s": 1e20}
WAFER = replace(CHIP, **FAST, memory_capacity_byte=44e9, mesh=MESH)
PAIRS = replace(CHIP, direct_links=True, link_latency_s=0.72e-6, network_latency_s=2.16e-6)


def total(request=ONE, *, model=DENSE, chip=CHIP, tensor=1, stages=1):
    floor = latency_floor(model, request, chip=chip, tensor_parallel=tensor, pipeline_parallel=stages)
    return float(floor.total_s)


def test_one_chip_takes_the_bytes_it_reads_over_its_bandwidth():
    cache = 80 * 8192 * 2048 * 2
    assert total() == pytest.approx((140e9 + cache) / 3.35e12)


def test_pipeline_depth_leaves_reading_as_it_is_and_adds_only_handing_over():
    split = partial(latency_floor, DENSE, ONE, chip=CHIP, tensor_parallel=8)
    one, deep = (split(pipeline_parallel=stages) for stages in (1, 8))
    for part in ("weights_s", "cache_s", "compute_s", "latency_s", "transfer_s"):
        assert float(getattr(deep, part)) == float(getattr(one, part))
    assert float(deep.total_s) == pytest.approx(float(one.total_s), rel=0.01)
    assert float(deep.total_s) > float(one.total_s)
    assert float(deep.memory_byte_per_chip) == pytest.approx(float(one.memory_byte_per_chip) / 8)


def test_steps_on_a_chip_count_only_where_reading_does_not_hide_them():
    waiting = replace(CHIP, step_latency_s=1.5e-6)
    assert total(chip=waiting) == total()
    wafer = replace(waiting, memory_bandwidth_byte_per_s=21e15, peak_fp16_flop_per_s=1e20)
    assert total(chip=wafer) == pytest.approx(80 * 4 * 1.5e-6)


def test_a_wafer_waits_eight_times_a_layer_for_the_cores_that_hold_it():
    """140 GB of 44 GB wafers in 80 layers: 35,795 cores, 189 by 189; 4,500 tokens a second and not 28,000."""
    floor = latency_floor(DENSE, Request(context_tokens=1), chip=WAFER)
    cores = 140 / 44 * 900_000 / 80
    assert float(floor.total_s) == pytest.approx(80 * 8 * 2 * cores**0.5 / 1.1e9, rel=0.001)
    assert float(floor.weights_s) == pytest.approx(80 * 44e9 / 21e15, rel=0.001)
    assert float(floor.steps_s) > 0
    filled = 2 * (cores * (1 + 80 * 8191 * 2048 * 2 / 140e9)) ** 0.5  # the cache takes cores, too
    assert total(chip=WAFER) == pytest.approx(80 * 8 * filled / 1.1e9, rel=0.001)


def test_chips_linked_in_pairs_send_all_at_once_or_in_two_rounds():
    latency, transfer = all_reduce_parts(1e3, ranks=8, chip=PAIRS)
    assert (float(latency), float(transfer)) == pytest.approx((0.72e-6, 7e3 / 450e9))
    latency, transfer = all_reduce_parts(1e6, ranks=8, chip=PAIRS)
    assert (float(latency), float(transfer)) == pytest.approx((1.44e-6, 1.75e6 / 450e9))
    latency, transfer = all_reduce_parts(1e3, ranks=16, chip=PAIRS)
    assert (float(latency), float(transfer)) == pytest.approx((2.16e-6, 2 * 15 / 16 * 1e3 / 450e9))
    assert [float(part) for part in all_reduce_parts(1e3, ranks=1, chip=PAIRS)] == [0, 0]


def test_a_chip_linked_in_pairs_hands_a_token_to_its_neighbour():
    floor = latency_floor(DENSE, ONE, chip=PAIRS, tensor_parallel=8, pipeline_parallel=41)
    assert float(floor.stages_s) == pytest.approx(40 * (0.72e-6 + 8192 * 2 / 8 / 450e9))


def test_a_batch_that_fills_the_memory_is_under_way_once_however_many_stages_there_are():
    many = Request(context_tokens=8192, batch=512, weight_byte=1.0)
    under_way = groups_under_way(DENSE, many, chip=CHIP, tensor_parallel=8, pipeline_parallel=[1, 3, 10])
    assert under_way.tolist() == [1, 1, 4]
    assert groups_under_way(DENSE, ONE, chip=CHIP, tensor_parallel=8, pipeline_parallel=4) == 4


@given(batch=st.integers(1, 2048), tensor=st.sampled_from([1, 8, 72]), stages=st.integers(1, 80))
def test_caches_of_all_requests_under_way_fit_wherever_one_batch_fits(*, batch, tensor, stages):
    requested = Request(context_tokens=8192, batch=batch, weight_byte=1.0)
    floor = latency_floor(DENSE, requested, chip=CHIP, tensor_parallel=tensor, pipeline_parallel=stages)
    if float(floor.memory_byte_per_chip) > CHIP.memory_capacity_byte:
        return
    groups = groups_under_way(DENSE, requested, chip=CHIP, tensor_parallel=tensor, pipeline_parallel=stages)
    held = float(resident_byte(DENSE, requested, groups=groups))
    assert 1 <= groups <= stages
    assert held <= CHIP.memory_capacity_byte * tensor * stages * (1 + 1e-9)


def test_speculation_yields_what_the_published_formula_says():
    """Leviathan et al., equation 1: (1 - 0.8^5)/(1 - 0.8) = 3.36."""
    assert tokens_per_pass(draft_tokens=4, acceptance=0.8) == pytest.approx(3.3616)
    assert tokens_per_pass(draft_tokens=4, acceptance=1) == 5
    assert tokens_per_pass(draft_tokens=0, acceptance=0.5) == 1
    proposed = replace(ONE, draft_tokens=4, acceptance=0.8, draft_share=0.05)
    assert total() / total(proposed) == pytest.approx(3.3616 / 1.2, rel=0.02)


def test_a_draft_waits_for_its_own_steps_and_exchanges():
    free = Request(context_tokens=1, draft_tokens=4, acceptance=0.8)
    drafted = replace(free, draft_share=0.05)
    slow = replace(CHIP, memory_bandwidth_byte_per_s=1e16, peak_fp16_flop_per_s=1e20, step_latency_s=1.5e-6)
    layers = 80 * 0.05 ** (1 / 3)
    pause = float(latency_floor(DENSE, drafted, chip=slow, tensor_parallel=8).draft_s)
    assert pause == pytest.approx(4 * 4 * layers * 1.5e-6 / 3.3616)
    assert total(free, chip=slow, tensor=8) < total(drafted, chip=slow, tensor=8)
    assert float(resident_byte(DENSE, drafted)) > 1.04 * float(resident_byte(DENSE, free))


@given(batch=st.integers(1, 4096))
def test_a_draft_as_large_as_the_model_takes_as_long_without_its_cache(batch):
    plain = Request(context_tokens=0, batch=batch)
    drafted = replace(plain, draft_tokens=1, acceptance=0.0, draft_share=1.0)
    floor = latency_floor(DENSE, drafted, chip=CHIP, tensor_parallel=8)
    assert float(floor.draft_s) == pytest.approx(min(total(plain, tensor=8), total(plain)))


def test_an_exchange_takes_one_hop_through_switches_and_half_the_sides_of_a_torus():
    assert hops([1, 2, 8, 9]).tolist() == [0, 1, 1, 1]
    assert hops([1, 64, 512], torus=3).tolist() == pytest.approx([0, 6, 12])


@given(ranks=st.integers(1, 4096), message=st.floats(1, 1e9), torus=st.sampled_from([0, 3]))
def test_a_domain_never_makes_an_exchange_slower_than_the_network_alone(*, ranks, message, torus):
    """4,096 servers without links answered faster than any number of chips with them."""
    linked = sum(map(float, all_reduce_parts(message, ranks=ranks, chip=replace(CHIP, torus=torus))))
    alone = sum(map(float, all_reduce_parts(message, ranks=ranks, chip=replace(CHIP, domain_size=1))))
    assert ranks <= CHIP.domain_size or linked <= alone * (1 + 1e-12)


def test_no_byte_leaves_a_chip_twice_through_switches_and_nearly_twice_around_a_torus():
    latency, transfer = all_reduce_parts(1e9, ranks=8, chip=CHIP)
    assert (float(latency), float(transfer)) == pytest.approx((1e-6, 1e9 / 450e9))
    _, around = all_reduce_parts(1e9, ranks=8, chip=replace(CHIP, torus=3))
    assert float(around) == pytest.approx(2 * 7 / 8 * 1e9 / 450e9)
    latency, transfer = all_reduce_parts(1e9, ranks=16, chip=CHIP)
    assert (float(latency), float(transfer)) == pytest.approx((6e-6, 1e9 / 450e9 + 1e9 / 8 / 50e9))
    latency, transfer = all_reduce_parts(1e3, ranks=16, chip=CHIP)
    assert (float(latency), float(transfer)) == pytest.approx((5e-6, 1e3 / 50e9))
    alone = all_reduce_parts(1e6, ranks=1, chip=CHIP)
    assert float(alone[0]) == float(alone[1]) == 0


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "memory_capacity_byte is a positive number; got 0": lambda: replace(CHIP, memory_capacity_byte=0),
        "link_latency_s is 0 or more; got -1": lambda: replace(CHIP, link_latency_s=-1),
        "tensor_parallel counts chips, at least 1; got 0. Pass 1 for no split": lambda: total(tensor=0),
        "pipeline_parallel counts chips, at least 1; got 0": lambda: total(stages=0),
        "acceptance is a probability and draft_tokens 0 or more; got 1.2 and 1":
            lambda: tokens_per_pass(draft_tokens=1, acceptance=1.2),
    }
)  # fmt: skip
