"""What more accelerators do to a run."""

import math
from itertools import pairwise

import pytest

from analysis.training_run import more_accelerators
from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.critical_batch import critical_batch_token, loss_estimate
from analysis.training_run.more_accelerators import (
    PARTS,
    RunOnNumber,
    critical_token,
    gains_little,
    later,
    later_runs,
    makes_slower,
    runs_by_number,
)
from analysis.training_run.outlook import Circumstances, outlook
from analysis.training_run.plan_search import fastest_of_at_most
from analysis.units import DAY_S
from tests.analysis.training_run.runs import GPT_3, H100, MODEL


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


TRILLION = Circumstances(tokens=1e12)


def growing(rate: float) -> dict[str, float]:
    """Return one rate of growth for every part."""
    return {part: rate for part in PARTS}


def test_every_part_of_a_later_chip_has_grown_at_its_own_rate():
    growths: dict[str, float] = dict(zip(PARTS, (2.0, 1.5, 1.25, 1.2, 1.1), strict=True))
    chip = later(H100, growths, years=2).chip
    assert later(H100, growths, years=2).matmul_flop_per_s == pytest.approx(4 * 794.5e12)
    assert chip.peak_fp16_flop_per_s == pytest.approx(4 * 989e12)
    assert chip.memory_bandwidth_byte_per_s == pytest.approx(2.25 * 3.35e12)
    assert chip.memory_capacity_byte == pytest.approx(1.5625 * 80e9)
    assert chip.link_bandwidth_byte_per_s == pytest.approx(1.44 * 450e9)
    assert chip.network_bandwidth_byte_per_s == pytest.approx(1.21 * 50e9)


def later_runs_of(model, *, years: int, accelerators: int):
    return later_runs(
        model,
        H100,
        growths=growing(1.3),
        years=years,
        accelerators=accelerators,
        global_batch=64,
        circumstances=TRILLION,
        overlap=0.5,
    )


def test_a_run_starts_as_it_is_today_and_is_shorter_with_every_year_in_which_all_parts_grow():
    runs = later_runs_of(MODEL, years=2, accelerators=64)
    best, _ = fastest_of_at_most(MODEL, H100, accelerators=64, global_batch=64)
    today = outlook(MODEL, H100, plan=best.plan, global_batch=64, circumstances=TRILLION)
    assert (runs[0].days, runs[0].mfu) == (today.seconds / DAY_S, today.mfu)
    assert [run.years_ahead for run in runs] == [0, 1, 2]
    assert runs[0].days > runs[1].days > runs[2].days


def test_a_run_too_large_for_todays_chips_says_so():
    with pytest.raises(NoPlanFits, match="no plan of 16 accelerators fits"):
        later_runs_of(GPT_3, years=1, accelerators=16)
