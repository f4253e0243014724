import numpy as np
import pytest
from scipy import stats

from analysis.trend import bootstrap
from analysis.trend.bootstrap import Refits, cluster_numbers, expanded_tail, refits, row_counts
from analysis.trend.estimators import Recipe
from analysis.trend.selection import Rule, dominance
from tests.analysis.trend.histories import resampled, scattered

HISTORY = scattered(60, seed=5)
YEAR, LOG10 = HISTORY.year, np.log10(HISTORY.value)


def drawn_lines(year=YEAR, log10=LOG10, **changed) -> Refits:
    whole = {
        "rule": Rule(kind="all"),
        "inside": np.ones(60, dtype=bool),
        "recipe": Recipe(estimator="least-squares"),
        "kink_years": np.empty(0),
        "draws": 50,
        "seed": 1,
    }
    return refits(year, log10, **{**whole, **changed})


def test_the_tail_of_ten_points_is_that_of_the_formula():
    """Hesterberg 2015, section 4.2, with the degrees of freedom of a line: Phi(sqrt(n / (n - 2)) t)."""
    expected = stats.norm.cdf(np.sqrt(10 / 8) * stats.t.ppf(0.05, 8))
    assert expanded_tail(level=0.9, degrees_of_freedom=8) == pytest.approx(expected)


def test_every_draw_takes_as_many_rows_as_there_are_and_each_equally_often():
    counts = row_counts(np.random.default_rng(2), rows=7, draws=4000)
    assert counts.shape == (4000, 7)
    assert (counts.sum(axis=1) == 7).all()
    assert counts.mean(axis=0) == pytest.approx(np.ones(7), abs=0.06)


def test_rows_of_one_name_share_a_number_and_rows_without_a_name_share_none():
    numbers = cluster_numbers(np.array(["b", "", "a", "b", ""], dtype=object))
    assert numbers[0] == numbers[3]
    assert len({*numbers.tolist()}) == 4
    assert sorted({*numbers.tolist()}) == [0, 1, 2, 3]
    assert cluster_numbers(np.array(["", ""], dtype=object)).tolist() == [0, 1]


def test_a_rule_that_takes_every_row_draws_from_the_window_alone():
    late = YEAR > 2018
    here = drawn_lines(inside=late).lines.slope
    rows = {"year": YEAR[late], "log10": LOG10[late], "inside": np.ones(late.sum(), dtype=bool)}
    assert (here == drawn_lines(**rows).lines.slope).all()


def test_a_frontier_is_selected_again_in_every_draw():
    rule = Rule(kind="frontier", top=3)
    lines = drawn_lines(rule=rule, draws=5).lines
    counts = row_counts(np.random.default_rng(1), rows=60, draws=5)
    leading = resampled(counts.astype(float), dominance=dominance(YEAR, LOG10), top=3).astype(int)
    for copies, slope in zip(leading, lines.slope, strict=True):
        rows = np.repeat(np.arange(60), copies)
        assert slope == pytest.approx(np.polyfit(YEAR[rows], LOG10[rows], 1)[0], abs=1e-9)


@pytest.mark.parametrize("first", [2012.0, 2016.0])
@pytest.mark.parametrize("top", [1, 4])
def test_what_is_kept_of_a_rule_gives_each_window_the_lines_it_would_have_alone(monkeypatch, *, top, first):
    chosen = {"rule": Rule(kind="frontier", top=top), "inside": first <= YEAR, "draws": 700}
    kept = drawn_lines(**chosen)
    monkeypatch.setattr(bootstrap, "MOST_KEPT", 0)
    alone = drawn_lines(**chosen)
    assert kept.dropped == alone.dropped
    np.testing.assert_array_equal(kept.lines.slope, alone.lines.slope)
    np.testing.assert_array_equal(kept.lines.level, alone.lines.level)


def test_draws_that_hold_no_line_are_dropped_and_counted():
    three = np.arange(60) < 3
    some = drawn_lines(inside=three, draws=300)
    assert some.dropped + len(some.lines.slope) == 300
    # Three rows are all drawn in 6 of 27 cases.
    assert some.dropped / 300 == pytest.approx(1 - 6 / 27, abs=0.07)
