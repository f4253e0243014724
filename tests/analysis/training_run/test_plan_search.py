"""The fastest plan: among those that fit, on at most so many accelerators, many runs at once."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.device_memory import fits
from analysis.training_run.plan_search import fastest_of_at_most, fastest_of_each, fastest_plan
from tests.analysis.training_run.runs import GPT_3, H100, MODEL, SMALL


@settings(max_examples=15, deadline=None)
@given(st.sampled_from([64, 96, 256, 1024]), st.floats(1, 4))
def test_the_fastest_plan_is_no_slower_on_a_machine_with_more_memory(number, times):
    first = fastest_plan(MODEL, H100, accelerators=number, global_batch=768)
    more = H100.with_chip(memory_capacity_byte=H100.chip.memory_capacity_byte * times)
    assert fastest_plan(MODEL, more, accelerators=number, global_batch=768).step_s <= first.step_s
    assert bool(fits(first.memory, H100))
    assert 0 < first.fitted <= first.tried


def test_an_awkward_number_of_accelerators_leaves_a_few_idle():
    _, used = fastest_of_at_most(MODEL, H100, accelerators=1031, global_batch=1024)
    assert 960 <= used <= 1031


def test_a_search_over_sixteen_thousand_accelerators_takes_under_a_second():
    start = time.process_time()
    fastest = fastest_plan(GPT_3, H100, accelerators=16384, global_batch=4096)
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
            assert (answer[0].tried, answer[0].fitted) == (alone.tried, alone.fitted)


@pytest.mark.parametrize(
    ("call", "refusal"),
    [
        (
            lambda: fastest_plan(SMALL, H100, accelerators=7, global_batch=4),
            "no plan splits 7 accelerators over a batch of 4 sequences; choose a number",
        ),
        (
            lambda: fastest_of_at_most(
                SMALL, H100.with_chip(memory_capacity_byte=1e6), accelerators=2, global_batch=4
            ),
            "no plan of 2 accelerators fits: the leanest needs",
        ),
    ],
)
def test_a_refusal_says_what_it_is_what_came_and_what_to_do(call, refusal):
    with pytest.raises(NoPlanFits) as caught:
        call()
    assert refusal in str(caught.value)
