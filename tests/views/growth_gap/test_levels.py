"""The gap at three levels: what is put against what, and on which rows."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from tests.views.growth_gap.answers import RELEASE, found_levels
from views.growth_gap import levels as gap_levels
from views.growth_gap.levels import Level
from views.growth_gap.settings import GrowthGapSettings, comparison


def test_chips_whose_compute_is_their_bandwidth_have_a_gap_of_one():
    parts = RELEASE.accelerators
    peaks = {"peak_fp16_dense_flop_per_s": parts["memory_bandwidth_byte_per_s"]}
    even = replace(RELEASE, accelerators=parts.assign(**peaks, peak_fp16_shader_dense_flop_per_s=np.nan))
    level = gap_levels.level("chip-chip", release=even, comparison=comparison(GrowthGapSettings(chips="all")))
    assert isinstance(level, Level)
    assert (level.gap.value, level.gap.low, level.gap.high) == pytest.approx((1, 1, 1))


def test_the_runs_are_joined_to_the_bandwidth_of_all_their_chips():
    runs = RELEASE.training_runs.set_index("name")
    chips = RELEASE.accelerators.drop_duplicates("name").set_index("name")
    level = found_levels()["run-run"]
    requested, one = level.memory.points(1.0), level.compute.points(1.0)
    for name, bandwidth, rate in zip(requested.names, requested.y, one.y, strict=True):
        run = runs.loc[name]
        whole = chips.loc[run["hardware"], "memory_bandwidth_byte_per_s"] * run["hardware_quantity"]
        assert bandwidth == pytest.approx(whole)
        assert rate == pytest.approx(run["training_compute_flop"] / run["training_time_s"])


def test_the_quoted_gap_pairs_runs_with_chips_whatever_their_number():
    level = found_levels()["run-chip"]
    assert level.gap.n == min(level.compute.growth.n, level.memory.growth.n)
    points = level.memory.points(2.0)
    assert len(points.x) == level.memory.growth.n
    assert np.array(points.y) * 2 == pytest.approx(level.memory.points(1.0).y)
    assert level.gap.year == min(level.compute.growth.trend.last_year, level.memory.growth.trend.last_year)


def test_reasons_for_runs_left_out_come_with_the_commonest_first():
    missing = ["time unknown", *["no chip named"] * 3, "", ""]
    leading = pd.DataFrame({"name": list("abcdef"), "missing": missing})
    words = gap_levels.missing_words(leading, leading.iloc[:0])
    assert words.endswith("for the reason “no chip named” (3) or “chip without a known bandwidth” (2)")
    assert gap_levels.missing_words(leading, leading) == "0 of 6 runs"
