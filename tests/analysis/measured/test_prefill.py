import numpy as np
import pytest

from analysis.measured.held_out import error_percent, unseen_half_widths
from analysis.measured.prefill import fit_prefill
from analysis.measured.prefill_cases import PrefillCases
from analysis.placement.tables import models
from tests.analysis.measured.prompts import CASES, ROWS, case
from tests.cases import cases

PREFILL = models().prefill


def speed(*device, **more):
    return float(PREFILL.tokens_per_s(case(*device, **more))[0])


def holds(measured, *device, **more):
    half = float(PREFILL.half_width(case(*device, **more), level=0.9)[0])
    return abs(np.log(measured / speed(*device, **more))) <= half


def test_prompts_are_read_within_31_percent_on_chips_and_sources_left_out():
    assert len(ROWS) >= 230
    assert np.median(np.abs(error_percent(PREFILL.residual))) <= 31.0


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9])
def test_intervals_hold_chips_left_out_as_often_as_they_say(level):
    names = {"devices": CASES.device, "classes": CASES.groups, "kinds": CASES.backend}
    half = unseen_half_widths(PREFILL.residual, **names, sources=CASES.sources, level=level)
    assert abs((np.abs(PREFILL.residual) <= half).mean() - level) < 0.06


def test_an_embedded_computer_reads_prompts_at_half_the_speed_of_one_with_twice_its_cores():
    thor = speed("Jetson AGX Thor", "embedded", gbyte_per_s=273)
    spark = speed("DGX Spark", "desktop_gpu", gbyte_per_s=273)
    # One engine, same model: 44 to 50 % (antirez/ds4, pull requests 716 and 788).
    assert 0.4 < thor / spark < 0.6


def test_a_class_without_rows_is_read_off_its_kind_and_maker_whatever_its_peak():
    known = speed("RTX 9999", "desktop_gpu")
    for peak in (np.nan, 30.0, 2000.0):
        unknown = speed("RTX 9999", "toaster", tflop_per_s=peak)
        assert 0.5 < unknown / known < 2.0
        assert unknown == speed("RTX 9999", "toaster")


@pytest.mark.parametrize(("measured", "device", "more"), cases(__file__)["matrix_units"])
def test_matrix_units_in_the_gpu_read_prompts_as_fast_as_published(*, measured, device, more):
    assert holds(measured, *device, **more)


def test_matrix_units_are_worth_more_than_twice_the_generation_before():
    assert CASES.makers[CASES.device.index("Apple M5")] == "Apple matrix"
    assert CASES.makers[CASES.device.index("Apple M4")] == "Apple"
    factors = PREFILL.columns.factors("maker", PREFILL.factors)
    assert np.exp(factors["Apple"] - factors["Apple matrix"]) > 2.0


def test_a_stated_peak_moves_a_gpu_without_a_name_and_doubling_it_little():
    speeds = [speed(tflop_per_s=peak) for peak in (30, 165, 330, 660, 2000)]
    assert np.all(np.diff(speeds) > 0)
    assert speeds[2] / speeds[1] < 1.5
    for convention in (82.6, 165.2, 330.3, 660.6):  # RTX 4090: shaders, FP32 and FP16 accumulation, sparse
        assert holds(8500, tflop_per_s=convention), convention
    assert holds(14073, gbyte_per_s=1792, parameters=6.74e9, tflop_per_s=209.5)  # RTX 5090, d216


def test_a_gpu_without_a_name_or_peak_is_taken_as_the_usual_makers_of_its_class():
    assert PREFILL.usual_makers["desktop_gpu GPU"] == "NVIDIA"
    assert speed() == pytest.approx(speed("RTX 9999"))
    half = PREFILL.half_width(case(), level=0.9)
    assert half > PREFILL.half_width(case("RTX 9999"), level=0.9)


def test_a_processor_reads_no_faster_than_its_stated_peak():
    free = speed("", "desktop_cpu", backend="CPU", gbyte_per_s=80)
    assert speed("", "desktop_cpu", backend="CPU", gbyte_per_s=80, tflop_per_s=100) == free
    slow = speed("", "desktop_cpu", backend="CPU", gbyte_per_s=80, tflop_per_s=0.1)
    assert slow == pytest.approx(1e11 / (2 * 8.03e9))


def test_mixtures_read_prompts_more_slowly_for_their_active_parameters():
    assert 0.4 < speed(mixture=True, device="RTX 4090") / speed(device="RTX 4090") < 0.9


def test_a_longer_prompt_never_takes_less_time_and_slows_down_only_far_out():
    tokens = np.array([1.0, 512.0, 4096.0, 32768.0, 131072.0])
    slower = PREFILL.slowdown(tokens)
    assert slower[0] == slower[1] == 1.0
    assert np.all(np.diff(slower) >= 0)
    assert slower[2] < 1.15 and slower[4] > 1.5


def test_a_fit_without_enough_rows_says_how_many_came():
    none = np.array([])
    names = ("memory_bandwidth_byte_per_s", "peak_flop_per_s", "n_active_parameters", "prompt_tokens")
    prefill = PrefillCases(device=(), device_class=(), backend=(), **dict.fromkeys(names, none))
    with pytest.raises(ValueError, match="prefill fit needs five rows or more; got 0"):
        fit_prefill(prefill, none)
