"""A run on the chips of later years."""

import pytest

from analysis.training_run.candidates import NoPlanFits
from analysis.training_run.later_chips import PARTS, later, later_runs
from analysis.training_run.outlook import Circumstances, outlook
from analysis.training_run.plan_search import fastest_of_at_most
from analysis.units import DAY_S
from tests.analysis.training_run.runs import GPT_3, H100, MODEL

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


def test_without_growth_or_time_the_chip_stays_the_same():
    assert later(H100, growing(1.0), years=5) == H100
    assert later(H100, growing(2.0), years=0) == H100


def test_a_run_starts_as_it_is_today_and_is_shorter_with_every_year_in_which_all_parts_grow():
    runs = later_runs(
        MODEL,
        H100,
        growths=growing(1.3),
        years=2,
        accelerators=64,
        global_batch=64,
        circumstances=TRILLION,
        overlap=0.5,
    )
    best, _ = fastest_of_at_most(MODEL, H100, accelerators=64, global_batch=64)
    today = outlook(MODEL, H100, plan=best.plan, global_batch=64, circumstances=TRILLION)
    assert (runs[0].days, runs[0].mfu) == (today.seconds / DAY_S, today.mfu)
    assert [run.years_ahead for run in runs] == [0, 1, 2]
    assert runs[0].days > runs[1].days > runs[2].days


def test_a_run_too_large_for_todays_chips_says_so():
    with pytest.raises(NoPlanFits, match="no plan of 16 accelerators fits"):
        later_runs(
            GPT_3,
            H100,
            growths=growing(1.3),
            years=1,
            accelerators=16,
            global_batch=64,
            circumstances=TRILLION,
            overlap=0.5,
        )
