import numpy as np
import pytest

from analysis.track_record.vintages import FEWEST_TO_JUDGE, compared
from analysis.trend.estimators import Recipe
from analysis.trend.growth import Series, Window
from analysis.trend.selection import Rule
from tests.analysis.trend.histories import rows_of


def history(n, *, rate=2.0, seed=3):
    year = np.linspace(2015, 2015 + n / 10, n)
    value = 10.0 ** (np.log10(rate) * (year - 2015) + np.random.default_rng(seed).normal(0, 0.2, n))
    names = np.array([f"run {place}" for place in range(n)], dtype=object)
    return Series(year=year, value=value, cluster=np.array(["lab"] * n, dtype=object), name=names)


def against(then, now):
    return compared(then, now, rule=Rule(kind="all"), window=Window(), recipe=Recipe(), level=0.9)


def test_points_that_came_since_are_judged_by_the_earlier_forecast_alone():
    now = history(80)
    then = rows_of(now, np.arange(80) < 60)
    comparison = against(then, now)
    assert np.flatnonzero(comparison.new).tolist() == list(range(60, 80))
    assert len(comparison.forecast) == len(comparison.inside) == 20
    assert comparison.inside.mean() > 0.7 and not comparison.few
    assert comparison.before.n == 60 and comparison.after.n == 80
    line = comparison.before.project(now.year[60:])
    assert np.array_equal(comparison.forecast, line.value)
    assert comparison.changes.revised == comparison.changes.added == comparison.changes.gone == ()


def test_few_points_are_told_from_enough():
    now = history(60 + FEWEST_TO_JUDGE)
    assert not against(rows_of(now, np.arange(len(now.year)) < 60), now).few
    assert against(rows_of(now, np.arange(len(now.year)) < 61), now).few


def test_rows_are_revised_above_a_per_cent_largest_first_and_added_or_gone_by_name():
    now = history(60)
    value = now.value.copy()
    value[10], value[20], value[30] = value[10] * 1.005, value[20] * 3, value[30] / 10
    then = Series(year=now.year, value=value, cluster=now.cluster, name=now.name)
    then = rows_of(then, np.arange(60) != 5)
    later = rows_of(now, np.arange(60) != 7)
    changes = against(then, later).changes
    assert [row.name for row in changes.revised] == ["run 30", "run 20"]
    assert changes.revised[0].was == value[30] and changes.revised[0].now == now.value[30]
    assert changes.added == ("run 5",) and changes.gone == ("run 7",)


def test_a_release_with_too_few_points_cannot_be_compared():
    now = history(60)
    with pytest.raises(ValueError, match="points"):
        against(rows_of(now, np.arange(60) < 2), now)
