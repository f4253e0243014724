from dataclasses import replace

import numpy as np
import pytest

from analysis.intervals import Estimate, Resamples, central_interval, chance_below, independent_rows, wilson


@pytest.mark.parametrize(
    ("share", "n", "low", "high"),
    [(0.9, 100, 0.8390, 0.9397), (1.0, 17, 0.8627, 1.0), (0.5, 4, 0.1826, 0.8174)],
)
def test_the_interval_of_a_share_is_that_of_wilson(*, share, n, low, high):
    least, most = wilson(share, n=n)
    assert (least, most) == pytest.approx((low, high), abs=2e-3) and least <= share <= most


def test_rows_of_one_chip_that_lie_out_together_tell_as_much_as_chips():
    inside = np.repeat([True, True, True, False], 25)
    chips = [f"chip {i // 25}" for i in range(100)]
    assert independent_rows(inside, groups=chips) == pytest.approx(3.0)
    assert independent_rows(inside, groups=[str(i) for i in range(100)]) == pytest.approx(99.0)


def test_an_estimate_is_the_median_with_the_ends_of_the_draws_between_which_the_level_lies():
    result = Estimate.median_of(np.arange(101.0), level=0.9)
    assert (result.low, result.value, result.high) == pytest.approx((5, 50, 95))
    assert Estimate(value=2, low=0.5, high=3).at_least(1.0) == Estimate(value=2, low=1, high=3)
    assert np.isnan(Estimate(value=2).at_least(1.0).low)


def test_the_chance_to_be_below_is_that_of_two_independent_log_normals_whatever_the_level_of_their_bounds():
    """Medians of 1 and e, log deviations of 0.6 and 0.8: the difference of the logs is 1 with a deviation of 1."""
    for level, spreads in ((0.6827, 1.0), (0.9, 1.6449)):
        one = Estimate(value=1.0, low=0.1, high=np.exp(0.6 * spreads))
        other = Estimate(value=np.e, low=np.exp(1 - 0.8 * spreads), high=np.inf)
        assert chance_below(one, other, level=level) == pytest.approx(0.8413, abs=1e-4)
    assert chance_below(replace(one, high=np.inf), other, level=0.9) == 0.5


@pytest.mark.parametrize(
    ("level", "hint"),
    [(90, r"For 90% pass 0\.9\.$"), (0, r"For 90% pass 0\.9\.$"), (95, r"For 95% pass 0\.95\.$")],
)
def test_a_level_that_is_no_probability_is_refused(*, level, hint):
    with pytest.raises(ValueError, match=rf"strictly between 0 and 1; got {level}\. {hint}"):
        central_interval(np.arange(3.0), level=level)


def test_a_ratio_of_paired_resamples_is_as_sure_as_their_difference():
    common = np.random.default_rng(5).normal(size=4000)
    own = np.random.default_rng(6).normal(size=4000)
    values = (np.exp(0.2 + common + 0.01 * own), np.exp(common))
    one, other = (Resamples(sample=b"same rows", value=value, tail=0.05) for value in values)
    assert one.over(other) == pytest.approx((np.exp(0.2 - 0.0164), np.exp(0.2 + 0.0164)), rel=0.002)
    assert one.over(replace(other, sample=b"other rows")) is None
    assert one.over(replace(other, value=other.value[1:])) is None
