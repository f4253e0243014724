from typing import Any

from charts.chart import BarChart, XYChart
from views.growth_accounting.settings import GrowthAccountingSettings
from views.growth_accounting.view import VIEW
from views.view import answer


def ask(**settings) -> Any:
    return answer(VIEW, GrowthAccountingSettings(**settings))


def test_the_charts_are_waterfall_stack_rates_and_sensitivity():
    result = ask()
    waterfall, stack, beside, choices = (exhibit.chart for exhibit in result.exhibits)
    assert isinstance(waterfall, XYChart)
    assert isinstance(stack, XYChart)
    assert isinstance(beside, BarChart)
    assert isinstance(choices, XYChart)
    assert [tick.value for tick in waterfall.x.ticks] == [1, 2, 3, 4, 5]
