"""How much the choice of rule moves each side of the quoted gap."""

from tests.views.growth_gap.answers import RELEASE, ask, found_levels
from views.growth_gap.settings import GrowthGapSettings, comparison
from views.growth_gap.spreads import spread_exhibits


def test_the_spread_of_each_side_marks_this_views_own_rate():
    result = ask()
    strips = result.exhibits[2:]
    assert [strip.chart.title.partition(" grows ")[0] for strip in strips] == [
        "Compute per run",
        "Bandwidth per chip",
    ]
    for strip, name in zip(strips, ("compute_growth", "bandwidth_growth"), strict=True):
        assert strip.table.rows[0][0] == "This view"
        assert strip.table.rows[0][1] == result.figure(name).value
        assert len({row[0] for row in strip.table.rows}) == len(strip.table.rows) >= 7


def test_without_the_quoted_gap_there_is_no_spread_of_its_sides():
    compared = comparison(GrowthGapSettings())
    others = [level for name, level in found_levels().items() if name != "run-chip"]
    assert spread_exhibits(RELEASE, compared, sound=others, source="d") == ()
