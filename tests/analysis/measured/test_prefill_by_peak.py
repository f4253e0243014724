from dataclasses import replace

import numpy as np
import pytest

from analysis.measured.prefill import fit_prefill
from analysis.measured.prefill_by_peak import PeakRule, fit_peak_rule, tells_its_peak
from analysis.placement.tables import models
from tests.analysis.measured.prompts import CASES, ROWS, case


def rule() -> PeakRule:
    by_peak = models().prefill.by_peak
    assert by_peak is not None
    return by_peak


def test_peaks_of_shaders_are_not_compared_with_those_of_matrix_units():
    names = ("RTX 4090", "DGX Spark", "Jetson AGX Orin", "Apple M5 Max", "RX 9070 XT", "Apple M4", "")
    cases = [case(name, tflop_per_s=30) for name in names]
    assert [bool(tells_its_peak(one)[0]) for one in cases] == [True, False, False, False, False, True, True]
    assert not tells_its_peak(replace(cases[0], backend=("CPU",)))[0]


def test_too_few_rows_make_no_rule_by_peak_and_no_spread_of_measured_devices():
    few = CASES.at(np.arange(len(CASES)) < 6)
    speeds = ROWS["prefill_tokens_per_s"].to_numpy()[:6]
    assert fit_peak_rule(few, speeds) is None
    model = fit_prefill(few, speeds)
    assert model.by_peak is None
    unnamed = case(tflop_per_s=165)
    assert model.tokens_per_s(unnamed) == model.tokens_per_s(case())


def test_a_speed_grows_with_the_peak_by_its_power_and_with_the_bandwidth_by_the_rest():
    assert 0 < rule().power < 1
    slow, peak, bandwidth = (
        float(rule().tokens_per_s(case("RTX 9999", "desktop_gpu", **more))[0])
        for more in (
            {"tflop_per_s": 100.0},
            {"tflop_per_s": 200.0},
            {"tflop_per_s": 100.0, "gbyte_per_s": 2016.0},
        )
    )
    assert peak / slow == pytest.approx(2 ** rule().power)
    assert bandwidth / slow == pytest.approx(2 ** (1 - rule().power))
