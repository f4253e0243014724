"""The fastest plan: among those that fit, on at most so many accelerators, many runs at once."""

import time
import tracemalloc
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.training_run import plan_search
from analysis.training_run.candidates import NoPlanFits, candidates
from analysis.training_run.device_memory import fits
from analysis.training_run.plan_search import fastest_of_at_most, fastest_of_each
from tests.analysis.refusals import refusals
from tests.analysis.training_run.runs import GPT_3, H100, MIXTURE, MODEL, SMALL


@settings(max_examples=15, deadline=None)
@given(st.sampled_from([64, 96, 256, 1024]), st.floats(1, 4))
def test_the_fastest_plan_is_no_slower_on_a_machine_with_more_memory(number, times):
    first, _ = fastest_of_at_most(MODEL, H100, accelerators=number, global_batch=768)
    more = H100.with_chip(memory_capacity_byte=H100.chip.memory_capacity_byte * times)
    best, _ = fastest_of_at_most(MODEL, more, accelerators=number, global_batch=768)
    assert best.step_s <= first.step_s
    assert bool(fits(first.memory, H100))
    assert first.tried > 0


def test_an_awkward_number_of_accelerators_leaves_a_few_idle():
    _, used = fastest_of_at_most(MODEL, H100, accelerators=1031, global_batch=1024)
    assert 960 <= used <= 1031


def test_a_search_over_sixteen_thousand_accelerators_takes_under_a_second():
    start = time.process_time()
    fastest, _ = fastest_of_at_most(GPT_3, H100, accelerators=16384, global_batch=4096)
    assert time.process_time() - start < 1.0
    assert fastest.tried > 500


def test_many_runs_searched_at_once_get_the_plans_they_get_alone():
    wanted = [(8, 64), (1031, 1024), (64, 1024), (3, 7), (64, 64)]
    together = fastest_of_each(MODEL, H100, wanted=wanted)
    for accelerators, batch in wanted:
        try:
            alone, used = fastest_of_at_most(MODEL, H100, accelerators=accelerators, global_batch=batch)
        except NoPlanFits as problem:
            assert str(together[accelerators, batch]) == str(problem)
        else:
            answer = together[accelerators, batch]
            assert not isinstance(answer, NoPlanFits) and answer[1] == used
            assert (answer[0].plan.at(0), answer[0].step_s) == (alone.plan.at(0), alone.step_s)
            assert answer[0].tried == alone.tried


def found(wanted, *, machine=H100):
    """Return what a search over many numbers finds, to the last bit."""

    def bits(parts):
        return [float(getattr(parts, item.name)) for item in fields(parts)]

    return {
        each: (str(one), one.leanest and bits(one.leanest))
        if isinstance(one, NoPlanFits)
        else (one[0].plan.at(0), bits(one[0].step), bits(one[0].memory), one[0].tried, one[1])
        for each, one in fastest_of_each(MIXTURE, machine, wanted=wanted).items()
    }


@pytest.mark.parametrize("capacity_byte", [80e9, 20e9, 1e9])
def test_the_size_of_a_block_of_plans_changes_no_bit_of_any_answer(monkeypatch, capacity_byte):
    machine = H100.with_chip(memory_capacity_byte=capacity_byte)
    at_once = {}
    for size in (13, 500, 10**9):
        monkeypatch.setattr(plan_search, "BLOCK", size)
        at_once[size] = found([(1, 2), (8, 64), (103, 96), (3, 7)], machine=machine)
    assert at_once[13] == at_once[500] == at_once[10**9]


def test_a_search_over_very_many_plans_takes_bounded_memory():
    tracemalloc.start()
    try:
        answers = fastest_of_each(
            replace(MIXTURE, n_layers=960, n_experts=4096, sequence_length=65536),
            H100.with_chip(memory_capacity_byte=1e14, domain_size=72),
            wanted=[(number, 12288) for number in (98304, 196608, 393216, 786432)],
        )
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()
    assert sum(one[0].tried for one in answers.values() if not isinstance(one, NoPlanFits)) > 100_000


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "no plan splits 7 accelerators over a batch of 4 sequences; choose a number":
            lambda: candidates(SMALL, accelerators=7, global_batch=4, overlap=0.5),
        "no plan of 2 accelerators fits: the leanest needs":
            lambda: fastest_of_at_most(SMALL, H100.with_chip(memory_capacity_byte=1e6), accelerators=2, global_batch=4),
    },
    error=NoPlanFits,
)  # fmt: skip
