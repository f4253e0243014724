from itertools import pairwise

import pytest

from analysis.training_run import more_accelerators
from analysis.training_run.more_accelerators import (
    PARTS,
    RunOnNumber,
    gains_little,
    later,
    later_runs,
    makes_slower,
    runs_by_number,
)
from analysis.training_run.outlook import outlook
from analysis.training_run.plan_search import fastest_of_at_most
from analysis.units import DAY_S
from tests.analysis.training_run.runs import H100, run_of

GROWING: dict[str, float] = {part: 1.3 for part in PARTS}


def test_the_number_whose_doubling_gains_little_comes_before_the_one_whose_doubling_slows():
    days = enumerate((100, 50, 30, 25, 26))
    steps = [RunOnNumber(accelerators=8 * 2**index, days=took, mfu=0.4, shares={}) for index, took in days]
    assert (gains_little(steps), makes_slower(steps)) == (32, 64)


def test_every_number_of_accelerators_is_used_whole_and_more_of_them_are_faster(monkeypatch):
    monkeypatch.setattr(more_accelerators, "NUMBERS", (64, 128, 256, 512))
    runs = runs_by_number(run_of(accelerators=128, global_batch=256))
    assert [run.accelerators for run in runs] == [64, 128, 256, 512]
    assert all(now.days > then.days for now, then in pairwise(runs))
    assert [sum(run.shares.values()) for run in runs] == pytest.approx([1] * len(runs), abs=1e-6)


def test_every_part_of_a_later_chip_has_grown_at_its_own_rate():
    growths: dict[str, float] = dict(zip(PARTS, (2.0, 1.5, 1.25, 1.2, 1.1), strict=True))
    machine = later(H100, growths, years=2)
    chip = machine.chip
    assert (machine.matmul_flop_per_s, chip.peak_fp16_flop_per_s) == pytest.approx((4 * 794.5e12, 4 * 989e12))
    assert chip.memory_bandwidth_byte_per_s == pytest.approx(2.25 * 3.35e12)
    assert chip.memory_capacity_byte == pytest.approx(1.5625 * 80e9)
    assert chip.link_bandwidth_byte_per_s == pytest.approx(1.44 * 450e9)
    assert chip.network_bandwidth_byte_per_s == pytest.approx(1.21 * 50e9)


def test_a_run_starts_as_it_is_today_and_is_shorter_with_every_year_in_which_all_parts_grow():
    run = run_of(global_batch=64)
    runs = later_runs(run, growths=GROWING, years=2)
    today = outlook(run, plan=fastest_of_at_most(run).plan)
    assert (runs[0].days, runs[0].mfu) == (today.seconds / DAY_S, today.mfu)
    assert [run.years_ahead for run in runs] == [0, 1, 2]
    assert runs[0].days > runs[1].days > runs[2].days
