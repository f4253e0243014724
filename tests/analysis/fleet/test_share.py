import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.fleet import DrawnSeries
from analysis.fleet.share import flop_in, run_share, total_at, year_share
from analysis.units import YEAR_S

ENDS = np.arange(2022.25, 2024.01, 0.25)


def fleet(factor=4.0, *, draws=200, level=1.0):
    """Return a fleet that grows by a factor a year from a level at the first quarter's end, draws ±10 % apart."""
    noise = np.exp(np.random.default_rng(1).normal(0, 0.1, draws))
    noise[0] = 1.0
    return DrawnSeries(end_year=ENDS, total=level * noise[:, None] * factor ** (ENDS - ENDS[0]))


@given(st.floats(1.1, 9), st.floats(2022.25, 2024))
def test_between_quarters_a_steady_fleet_lies_on_its_line(factor, year):
    assert total_at(fleet(factor), np.array([year]))[0, 0] == pytest.approx(factor ** (year - 2022.25))


def test_before_the_first_quarter_and_after_the_last_nothing_is_known():
    assert np.isnan(total_at(fleet(), np.array([2022.2, 2024.1]))).all()


def test_a_run_is_set_against_the_fleet_half_way_through_it():
    steady = fleet(factor=4.0, level=1e6)
    year = {"start_year": np.array([2022.75]), "end_year": np.array([2023.25])}
    share = run_share(steady, used=np.array([1e4]), **year)
    assert share.value[0] == pytest.approx(1e4 / 1e6 / 4**0.75)
    (estimate,) = share.estimates(0.9)
    assert estimate is not None and estimate.low < share.value[0] == estimate.value < estimate.high
    """The fleet doubles while it trains: the share halves from its start to its end."""
    assert estimate.high / estimate.low > 4**0.4


def test_a_run_begun_before_the_first_quarter_counts_from_it_and_one_that_ended_before_is_unknown():
    years = {"start_year": np.array([2022.0, 2021.0]), "end_year": np.array([2022.5, 2022.1])}
    share = run_share(fleet(draws=9), used=np.ones(2), **years)
    assert share.value[0] == pytest.approx(1 / 4**0.125)
    assert share.estimates(0.9)[1] is None


def test_a_year_of_a_flat_fleet_is_its_rate_times_a_year_but_a_first_year_begins_with_nothing():
    assert flop_in(fleet(factor=1.0, level=7.0), 2023)[0] == pytest.approx(7.0 * YEAR_S)
    assert flop_in(fleet(factor=1.0), 2022)[0] == pytest.approx(YEAR_S * (0.5 + 3) / 4)


def test_a_year_that_is_not_whole_says_which_are():
    with pytest.raises(ValueError, match=r"2024 has 0 here\. Take a year from 2022 to 2023"):
        flop_in(fleet(), 2024)


def test_a_poorer_grade_widens_the_share_of_a_year():
    sure, unsure = (year_share(fleet(), year=2023, compute_flop=YEAR_S, error_sd=sd) for sd in (0.0, 0.9))
    assert sure.value[0] == unsure.value[0]
    narrow, wide = sure.estimates(0.9)[0], unsure.estimates(0.9)[0]
    assert narrow and wide and wide.low < narrow.low < narrow.high < wide.high
