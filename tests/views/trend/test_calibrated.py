"""The interval that trend views calibrate on past forecasts."""

import math
from typing import Any

import pytest

from views import accelerators, training_compute
from views.compute_to_memory import view as compute_to_memory
from views.view import answer, read


def under(view, interval: str) -> Any:
    return answer(view, read(view, f"interval={interval}")[0])


@pytest.mark.parametrize("view", [training_compute.VIEW, accelerators.VIEW, compute_to_memory.VIEW])
def test_trend_views_offer_a_calibrated_interval_that_widens_new_points_and_keeps_the_rate(view):
    plain, wide = (under(view, interval) for interval in ("bootstrap", "calibrated"))
    assert wide.figure("yearly_growth").low == plain.figure("yearly_growth").low
    assert wide.figure("yearly_growth").high == plain.figure("yearly_growth").high
    before, after = plain.figure("value"), wide.figure("value")
    assert (after.value, after.low, after.high) == (before.value, before.low, before.high)
    assert after.prediction_low <= before.prediction_low
    assert after.prediction_high >= before.prediction_high
    assert "calibrated on past forecasts" in wide.figure("yearly_growth").method
    assert any("ast forecasts" in note for note in wide.sure)


def test_calibrating_bandwidth_widens_its_forecast_since_past_ones_were_too_narrow():
    view = accelerators.VIEW
    plain, wide = (under(view, interval).figure("value") for interval in ("bootstrap", "calibrated"))
    ratio = math.log(wide.prediction_high / wide.prediction_low) / math.log(
        plain.prediction_high / plain.prediction_low
    )
    assert 1.3 < ratio < 3


def test_a_window_too_short_to_calibrate_says_so():
    view = accelerators.VIEW
    result = answer(view, read(view, "interval=calibrated&since=2024")[0])
    assert "no trend can be fitted" in result.headline
    assert "past origins" in result.subtitle
