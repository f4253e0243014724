"""What more accelerators do to a run."""

import math
from itertools import pairwise

import pytest

from analysis.training_run import more_accelerators
from analysis.training_run.critical_batch import critical_batch_token, loss_estimate
from analysis.training_run.more_accelerators import (
    RunOnNumber,
    critical_token,
    gains_little,
    makes_slower,
    runs_by_number,
)
from analysis.training_run.outlook import Circumstances
from tests.analysis.training_run.runs import H100, MODEL


def steps(*days: float) -> list[RunOnNumber]:
    """Return runs on 8, 16, 32 ... accelerators that take so long."""
    return [
        RunOnNumber(
            accelerators=8 * 2**index,
            days=each,
            mfu=0.4,
            shares={},
            days_growing=math.nan,
            batch_growing_token=1e6,
        )
        for index, each in enumerate(days)
    ]


def test_the_number_whose_doubling_gains_little_comes_before_the_one_whose_doubling_slows():
    assert gains_little(steps(100, 50, 30, 25, 26)) == 32
    assert makes_slower(steps(100, 50, 30, 25, 26)) == 64


def test_a_run_that_halves_with_every_doubling_never_gains_little():
    assert gains_little(steps(100, 50, 25)) is None
    assert makes_slower(steps(100, 50, 25)) is None


def test_the_critical_batch_is_that_of_the_loss_at_the_end():
    loss = loss_estimate(n_parameters=MODEL.counted.active, tokens=1e12)
    assert critical_token(MODEL, tokens=1e12) == pytest.approx(float(critical_batch_token(loss)))
    assert critical_token(MODEL, tokens=2e12) > critical_token(MODEL, tokens=1e12)


def test_the_growing_batch_is_in_proportion_to_the_machine_and_meets_the_run_as_it_is(monkeypatch):
    monkeypatch.setattr(more_accelerators, "NUMBERS", (64, 128, 256, 512))
    runs = runs_by_number(
        MODEL,
        H100,
        accelerators=128,
        global_batch=256,
        circumstances=Circumstances(tokens=1e12),
        overlap=0.5,
    )
    by_number = {run.accelerators: run for run in runs}
    assert [run.batch_growing_token / run.accelerators for run in runs] == [2 * 4096] * len(runs)
    assert by_number[128].days_growing == pytest.approx(by_number[128].days, rel=1e-12)
    for now, then in pairwise(runs):
        assert now.days > then.days
    for run in runs:
        assert sum(run.shares.values()) == pytest.approx(1, abs=1e-6)
