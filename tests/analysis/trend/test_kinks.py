import numpy as np
import pytest

from analysis.trend.kinks import bic, candidate_years, kinked
from tests.analysis.trend.histories import drawn, scattered

HISTORY = scattered(60, seed=4, scatter=0.5)
YEAR = HISTORY.year
BENT = np.log10(HISTORY.value) - 0.5 * np.maximum(YEAR - 2018, 0)


def by_hand(weights, log10=BENT):
    """Return the least squares of every kinked line on the grid in turn: kink, residual sum and coefficients."""
    fits = []
    for year in candidate_years(YEAR):
        later = weights[year < YEAR].sum()
        if min(later, weights.sum() - later) < max(5, 0.1 * weights.sum()):
            continue
        columns = np.stack([np.ones_like(YEAR), YEAR - year, np.maximum(YEAR - year, 0)], axis=1)
        root = np.sqrt(weights)
        solved = np.linalg.lstsq(columns * root[:, None], log10 * root, rcond=None)[0]
        fits.append((float(weights @ (log10 - columns @ solved) ** 2), float(year), solved))
    return min(fits, key=lambda fit: fit[0])


def test_break_years_lie_on_the_calendar_with_five_points_either_side():
    year = 2010 + np.arange(40) / 4
    grid = candidate_years(year)
    assert (grid.min(), grid.max()) == (2011.0, 2018.75)
    assert candidate_years(year[:9]).size == 0
    assert (candidate_years(1950 + np.arange(80.0)) % 1 == 0).all()


def test_the_kinked_line_is_the_best_of_all_that_can_be_solved_for_one_by_one():
    weights = drawn(60, draws=8, seed=1)
    lines = kinked(YEAR, BENT, weights=weights, grid=candidate_years(YEAR))
    assert lines.bent.all()
    for row, draw in enumerate(weights):
        _, year, (level, before, turn) = by_hand(draw)
        assert lines.anchor[row] == pytest.approx(year)
        assert lines.level[row] == pytest.approx(level, abs=1e-6)
        assert (lines.before[row], lines.slope[row]) == pytest.approx((before, before + turn), abs=1e-6)


def test_without_years_to_look_in_the_line_is_straight():
    lines = kinked(YEAR, BENT, weights=np.ones((1, 60)), grid=np.empty(0))
    slope, level = np.polyfit(YEAR, BENT, 1)
    assert not lines.bent[0] and lines.before[0] == lines.slope[0]
    assert lines.slope[0] == pytest.approx(slope)
    assert lines.at(np.array([2020.0]))[0, 0] == pytest.approx(level + slope * 2020)


def test_a_draw_of_too_few_points_on_one_side_has_its_kink_elsewhere():
    early = np.where(YEAR < 2018, 1.0, 0.0)
    assert not kinked(YEAR, BENT, weights=early[None], grid=np.array([2018.0])).bent[0]


def test_the_criterion_asks_a_log_of_the_points_for_each_parameter_and_reads_nothing_into_noise():
    assert bic(8.0, n=8, parameters=4) - bic(8.0, n=8, parameters=2) == pytest.approx(2 * np.log(8))
    assert bic(1.0, n=8, parameters=2) < bic(8.0, n=8, parameters=2)
    assert bic(0.0, n=8, parameters=2) == bic(8e-13, n=8, parameters=2)


def test_a_kink_is_kept_where_it_is_worth_its_two_parameters_and_only_there():
    straight, weights = scattered(60, seed=4, scatter=0.5), drawn(60, draws=150, seed=2)
    log10 = np.log10(straight.value)
    lines = kinked(YEAR, log10, weights=weights, grid=candidate_years(YEAR))
    worth = []
    for draw in weights:
        slope, level = np.polyfit(YEAR, log10, 1, w=np.sqrt(draw))
        plain = float(draw @ (log10 - level - slope * YEAR) ** 2)
        best = by_hand(draw, log10)[0]
        worth.append(bool(bic(best, n=60, parameters=4) < bic(plain, n=60, parameters=2)))
    assert lines.bent.tolist() == worth
    assert 0 < sum(worth) < 150
