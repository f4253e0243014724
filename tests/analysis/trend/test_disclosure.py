import numpy as np
import pytest

from analysis.trend.calendar_year import decimal_year
from analysis.trend.disclosure import known_until, shares
from data.releases import load

RELEASE = "2026-07"


def test_a_year_counts_its_rows_and_those_with_a_value():
    first, second = shares(np.array([2021.0, 2021.9, 2024.5]), np.array([True, False, True]))
    assert (first.year, first.listed, first.known, first.share) == (2021, 2, 1, 0.5)
    assert (second.year, second.listed, second.known, second.share) == (2024, 1, 1, 1.0)
    assert shares(np.array([]), np.array([], dtype=bool)) == ()


def test_rows_that_do_not_pair_are_refused():
    with pytest.raises(ValueError, match="equal length; got 2 and 1"):
        shares(np.array([2021.0, 2022.0]), np.array([True]))


def test_the_frontier_is_known_until_its_largest_value_the_earliest_of_equals():
    year, value = np.array([2020.0, 2022.0, 2023.0, 2024.0]), np.array([1.0, 9.0, 9.0, np.nan])
    assert known_until(year, value) == 2022.0
    with pytest.raises(ValueError, match="no row has a value"):
        known_until(year, np.full(4, np.nan))


@pytest.mark.parametrize(("year", "percent"), [(2021, 78), (2024, 49), (2026, 24)])
def test_the_share_of_notable_models_with_compute_falls(year, percent):
    """Every dated row of the release that is not excluded counts, which gives the shares to the percent."""
    runs = load(RELEASE).training_runs
    runs = runs.loc[runs["published_on"].notna() & (runs["excluded"] == "")]
    found = {
        row.year: row.share
        for row in shares(
            decimal_year(runs["published_on"]), runs["training_compute_flop"].notna().to_numpy(dtype=bool)
        )
    }
    assert 100 * found[year] == pytest.approx(percent, abs=0.5)
    value = runs["training_compute_flop"].to_numpy(dtype=float)
    assert known_until(decimal_year(runs["published_on"]), value) == pytest.approx(2025 + 189 / 365, abs=0.01)
