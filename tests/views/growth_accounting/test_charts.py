from typing import Any

from charts.chart import Band, BarChart, Line, XYChart
from views.growth_accounting.settings import GrowthAccountingSettings
from views.growth_accounting.view import VIEW
from views.view import answer


def ask(**settings) -> Any:
    return answer(VIEW, GrowthAccountingSettings(**settings))


def test_the_charts_are_steps_stack_rates_and_sensitivity():
    result = ask()
    steps, stack, beside, choices = (exhibit.chart for exhibit in result.exhibits)
    assert isinstance(steps, XYChart)
    assert isinstance(stack, XYChart)
    assert isinstance(beside, BarChart)
    assert isinstance(choices, XYChart)
    assert [tick.value for tick in steps.x.ticks] == [1, 2, 3, 4, 5]


def test_no_area_stands_on_the_log_axis_and_each_step_starts_where_the_last_ended():
    steps: Any = ask().exhibits[0].chart
    assert steps.y.scale == "log"
    assert not [mark for mark in steps.marks if isinstance(mark, Band)]
    risers = [mark for mark in steps.marks if isinstance(mark, Line) and mark.dash == "solid"]
    assert risers[0].y[0] == 1
    assert [one.y[-1] for one in risers[:-1]] == [other.y[0] for other in risers[1:]]
