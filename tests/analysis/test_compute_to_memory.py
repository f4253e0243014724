import math

import numpy as np
import pytest

from analysis.compute_to_memory import LOWEST, filling, later_roof, lowest_native
from analysis.growth_gap import drift
from analysis.hardware.roofline import Roof
from analysis.hardware.workloads import BYTE_OF, tokens_to_fill
from analysis.trend.growth import Series, Window, growth
from analysis.trend.selection import Rule

H100 = Roof(peak_flop_per_s=989.4e12, memory_bandwidth_byte_per_s=3.35e12)


def grown(rate, *, scatter=0.02):
    year = np.linspace(2018, 2025, 30)
    noise = np.random.default_rng(3).normal(0, scatter, len(year))
    series = Series(
        year=year,
        value=10.0 ** (np.log10(rate) * (year - 2018) + noise),
        cluster=np.array(["one"] * len(year), dtype=object),
        name=np.array([f"chip {place}" for place in range(len(year))], dtype=object),
    )
    return growth(series, rule=Rule(kind="all"), window=Window(), draws=200)


def test_a_chip_counts_in_its_smallest_format_and_in_fp32_where_no_peak_is_known():
    peaks = {name: np.full(4, np.nan) for name in LOWEST}
    peaks["fp32"][:] = [1.0, 1.0, 1.0, np.nan]
    peaks["fp16"][:2] = 4.0
    peaks["fp4"][0] = 16.0
    lowest = lowest_native(peaks)
    assert lowest.formats == ("fp4", "fp16", "fp32", "fp32")
    assert lowest.flop_per_s[:3].tolist() == [16.0, 4.0, 1.0] and math.isnan(lowest.flop_per_s[3])
    assert set(lowest.formats) < set(BYTE_OF)


def test_a_later_roof_moves_its_slope_with_bandwidth_and_its_ridge_with_balance():
    balance, bandwidth = grown(1.1), grown(1.3)
    later = later_roof(H100, balance=balance, bandwidth=bandwidth, since=2023.0, year=2030.0)
    moved = later.memory_bandwidth_byte_per_s / H100.memory_bandwidth_byte_per_s
    assert moved == pytest.approx(float(drift(bandwidth, since=2023.0, year=2030.0)[0][0]))
    assert moved == pytest.approx(1.3**7, rel=0.1)
    assert later.machine_balance / H100.machine_balance == pytest.approx(1.1**7, rel=0.1)


def test_the_tokens_that_fill_a_chip_grow_along_its_balance_and_less_surely():
    needed = filling(H100, balance=grown(1.1), precision="fp16", since=2022.8, to=2030)
    assert [one.year for one in needed.years] == list(range(2023, 2031))
    assert needed.tokens == tokens_to_fill(H100.machine_balance, precision="fp16")
    for one in needed.years:
        assert one.low <= one.tokens <= one.high
        assert one.tokens == tokens_to_fill(one.machine_balance, precision="fp16")
        assert one.bound_by(math.ceil(one.tokens)) == "compute" and one.bound_by(1) == "memory"
    widths = [one.high / one.low for one in needed.years]
    assert np.all(np.diff(widths) > 0)
    assert needed.cache_stays_bound


def test_the_year_after_the_chip_is_always_among_those_filled():
    needed = filling(H100, balance=grown(1.1), precision="fp16", since=2022.8, to=2015)
    assert [one.year for one in needed.years] == [2023, 2024]
