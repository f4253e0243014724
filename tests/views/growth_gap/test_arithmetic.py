"""A quoted pair of rates, spelled out."""

import pytest

from analysis.growth_gap import arithmetic
from charts.chart import BarChart
from tests.views.growth_gap.answers import ask
from views.growth_gap.arithmetic import arithmetic_exhibit


def test_the_arithmetic_of_the_quoted_rates_is_spelled_out():
    exhibit = ask().exhibits[1]
    assert exhibit.chart.title == "“5× against 28 %” widens the gap 3.9× a year, not 14×"
    assert "at that rate a gap of 15× takes 2.0 years" in exhibit.chart.subtitle
    values = {row[0]: row[1] for row in exhibit.table.rows}
    assert values["Ratio of the growth factors"] == pytest.approx(3.906, abs=0.001)
    assert values["Ratio of the percentages"] == pytest.approx(14.29, abs=0.01)
    assert values["Ratio of the log rates"] == pytest.approx(6.52, abs=0.01)
    assert values["Years until the gap is 15×"] == pytest.approx(1.99, abs=0.01)


def test_quoted_rates_that_do_not_part_say_so():
    chart = ask(compute_growth=1.2, bandwidth_growth=1.5).exhibits[1].chart
    assert chart.title == "“1.2× against 50 %” does not widen the gap: it falls 20 % a year"
    assert "at that rate no gap of 15× is ever reached" in chart.subtitle


def test_only_the_ratio_of_the_factors_is_emphasised_and_every_bar_has_its_row():
    exhibit = arithmetic_exhibit(arithmetic(compute_growth=4.7, bandwidth_growth=1.3))
    assert isinstance(exhibit.chart, BarChart)
    assert [bar.emphasised for bar in exhibit.chart.bars] == [True, False, False]
    rows = {row[0]: row[1] for row in exhibit.table.rows}
    assert [rows[bar.label] for bar in exhibit.chart.bars] == [bar.value for bar in exhibit.chart.bars]
    assert rows["Gap after 2 years"] == pytest.approx((4.7 / 1.3) ** 2)
    assert "4.7× and 1.3×" in exhibit.chart.source
