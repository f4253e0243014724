import numpy as np

from analysis.trend.growth import Window, growth
from analysis.trend.rule_spread import RuleCase, spread
from analysis.trend.selection import Rule
from tests.analysis.trend.histories import scattered

HISTORY = scattered(100)


def test_every_case_has_the_rate_it_would_have_alone():
    rules = [Rule(kind="all"), Rule(kind="frontier", top=5), Rule(kind="records")]
    cases = [RuleCase(label=r.kind, series=HISTORY, rule=r, window=Window(since=2012)) for r in rules]
    rows = spread(cases, draws=60)
    assert [row.label for row in rows] == ["all", "frontier", "records"]
    for row, rule in zip(rows, rules, strict=True):
        alone = growth(HISTORY, rule=rule, window=Window(since=2012), draws=60)
        rate = (alone.trend.yearly_growth, alone.growth_low, alone.growth_high, alone.n)
        assert (row.value, row.low, row.high, row.n) == rate


def test_a_case_without_points_says_so_and_leaves_the_others_alone():
    windows = [Window(since=since) for since in (2030, 2012)]
    cases = [RuleCase(label="", series=HISTORY, rule=Rule(kind="all"), window=window) for window in windows]
    empty, full = spread(cases, interval="classical")
    assert np.isnan(empty.value)
    assert "at least 3 distinct points; got 0" in empty.problem
    assert full.problem == ""
    assert full.n > 50
