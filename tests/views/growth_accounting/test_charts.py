import math
from typing import Any

import pytest

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
    labels = [row[0] for row in result.exhibits[3].table.rows]
    assert labels[0] == "This view"
    assert len(labels) == len(set(labels)) > 5
    for _, total, *factors, _n in result.exhibits[3].table.rows:
        assert math.prod(factors[::3]) == pytest.approx(total)
