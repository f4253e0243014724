from dataclasses import fields

import pytest

from analysis.training_run import plan_search
from analysis.training_run.candidates import NoPlanFits, candidates
from analysis.training_run.plan_search import fastest_of_at_most, fastest_of_each, fastest_run
from tests.analysis.refusals import refusals
from tests.analysis.training_run.runs import GPT_3, H100, MIXTURE, SMALL, run_of


def answers(wanted, *, capacity_byte=80e9):
    """Return what a search over many numbers answers, to the last bit."""
    run = run_of(MIXTURE, H100.with_chip(memory_capacity_byte=capacity_byte))
    return {
        each: (str(one), one.leanest and [float(getattr(one.leanest, f.name)) for f in fields(one.leanest)])
        if isinstance(one, NoPlanFits)
        else one
        for each, one in fastest_of_each(run, wanted=wanted).items()
    }


@pytest.mark.parametrize("capacity_byte", [80e9, 20e9, 1e9])
def test_neither_the_size_of_a_block_nor_other_runs_change_a_bit_of_an_answer(monkeypatch, capacity_byte):
    wanted = [(1, 2), (8, 64), (103, 96), (3, 7)]
    at_once = {}
    for size in (13, 500, 10**9):
        monkeypatch.setattr(plan_search, "BLOCK", size)
        at_once[size] = answers(wanted, capacity_byte=capacity_byte)
    assert at_once[13] == at_once[500] == at_once[10**9]
    alone = [answers([each], capacity_byte=capacity_byte) for each in wanted]
    assert at_once[500] == {number: answer for each in alone for number, answer in each.items()}


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "no plan splits 7 accelerators over a batch of 4 sequences; choose a number":
            lambda: candidates(run_of(SMALL, accelerators=7, global_batch=4)),
        "no plan of 2 accelerators fits: the leanest needs": lambda: fastest_of_at_most(
            run_of(SMALL, H100.with_chip(memory_capacity_byte=1e6), accelerators=2, global_batch=4)
        ),
    },
    error=NoPlanFits,
)  # fmt: skip


@pytest.mark.parametrize("hours_per_failure", [500.0, 50_677.0, 1e8])
@pytest.mark.parametrize("number", [64, 4096, 65_536, 1_000_000])
def test_a_run_ends_no_sooner_on_fewer_accelerators(number, hours_per_failure):
    (best, whole), (_, half) = (
        fastest_run(run_of(accelerators=most, global_batch=1024, hours_per_failure=hours_per_failure))
        for most in (number, number // 2)
    )
    assert float(best.plan.accelerators) <= number
    assert whole.seconds <= half.seconds * (1 + 1e-9)


def test_a_run_that_fits_on_no_number_says_so_of_the_number_asked_for():
    with pytest.raises(NoPlanFits, match="no plan of 16 accelerators fits"):
        fastest_run(run_of(GPT_3, accelerators=16, global_batch=64))
