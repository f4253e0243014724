import numpy as np
import pytest

from analysis.trend.growth import Series, Window, growth
from analysis.trend.selection import Rule
from analysis.trend.undisclosed import assumed_rates, bounded, joined, shares

ALL = Rule(kind="all")


def history(*, first=2012, last=2022, rate=4.0, shift=1.0):
    year = np.arange(first, last, 0.5)
    wobble = 10 ** (0.2 * np.sin(7 * year))
    names = np.array([f"run {one}" for one in year], dtype=object)
    return Series(year=year, value=shift * rate ** (year - 2012) * wobble, cluster=names, name=names)


def late(value):
    names = np.array(["a", "b"], dtype=object)
    return Series(year=np.array([2023.0, 2023.5]), value=np.full(2, value), cluster=names, name=names)


def test_the_intervals_of_a_bounded_growth_reach_over_those_of_every_fit_and_its_rate_stays():
    histories = (history(), joined(history(), late(1e3)), joined(history(), late(1e12)))
    plain, *others = (growth(series, rule=ALL, window=Window(), draws=200) for series in histories)
    wide = bounded(plain, others)
    fits = (plain, *others)
    assert wide.trend is plain.trend and wide.n == plain.n
    assert wide.growth_low == min(one.growth_low for one in fits) < plain.growth_low
    assert wide.growth_high == max(one.growth_high for one in fits) > plain.growth_high
    assert 10 ** (np.log10(2) / wide.doubling_low) == pytest.approx(wide.growth_high)
    assert 10 ** (np.log10(2) / wide.doubling_high) == pytest.approx(wide.growth_low)
    years = np.array([2015.0, 2030.0])
    shown, each = wide.project(years), [one.project(years) for one in fits]
    np.testing.assert_allclose(shown.value, each[0].value)
    np.testing.assert_allclose(shown.confidence_low, np.min([one.confidence_low for one in each], axis=0))
    np.testing.assert_allclose(shown.prediction_high, np.max([one.prediction_high for one in each], axis=0))


def test_the_rate_is_told_without_and_with_each_value_in_every_window_that_can_be_fitted():
    windows = [Window(since=2012.0), Window(since=2019.0), Window(since=2090.0)]
    rates = list(assumed_rates(history(), further=late, values=(1e3, 1e9), windows=windows, rule=ALL))
    pairs = [(since, value) for since in (2012.0, 2019.0) for value in (None, 1e3, 1e9)]
    assert [(row.since, row.value) for row in rates] == pairs
    plain, low, high = rates[:3]
    assert low.yearly_growth < plain.yearly_growth < high.yearly_growth
    assert (plain.n, low.n) == (20, 22)
    again = growth(joined(history(), late(1e9)), rule=ALL, window=windows[0], interval="classical")
    assert high.yearly_growth == pytest.approx(again.trend.yearly_growth)
    of_each = [[rate.yearly_growth for rate in part] for part in (rates[:3], rates[3:])]
    spread = [max(part) / min(part) for part in of_each]
    assert spread[1] > spread[0]


def test_a_year_counts_its_rows_and_those_with_a_value():
    first, second = shares(np.array([2021.0, 2021.9, 2024.5]), np.array([True, False, True]))
    assert (first.year, first.listed, first.known, first.share) == (2021, 2, 1, 0.5)
    assert (second.year, second.listed, second.known, second.share) == (2024, 1, 1, 1.0)
    assert shares(np.array([]), np.array([], dtype=bool)) == ()


def test_rows_that_do_not_pair_are_refused():
    with pytest.raises(ValueError, match="equal length; got 2 and 1"):
        shares(np.array([2021.0, 2022.0]), np.array([True]))
