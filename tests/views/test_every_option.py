"""All options of a setting side by side say what each says alone."""

import pytest

from charts.chart import BarChart
from tests.views.test_comparison import COMPARABLE
from views.registry import VIEWS
from views.resolve import resolve
from views.setting_kinds import Choice
from views.settings import definitions
from views.view import SHORT, answer, has_few_options, link, read


@pytest.mark.parametrize("view", COMPARABLE, ids=lambda view: view.path)
def test_all_options_of_a_setting_stand_on_one_chart_each_with_its_own_number(view):
    name = next((name for name in definitions(view.settings) if has_few_options(view, name)), None)
    if name is None:
        pytest.skip("no setting of this view has so few options")
    every, alone = (answer(view, read(view, query)[0]) for query in (f"vs=every:{name}", ""))
    setting = definitions(view.settings)[name]
    assert isinstance(setting, Choice) and isinstance(every.exhibits[0].chart, BarChart)
    assert every.figures == alone.figures and len(every.headline.split()) <= 12
    # The first setting of Edge or cloud has the task's usual option and, for this task, the one it stands for.
    words = [word for word in setting.options if view.path != "/placement" or word != "anywhere"]
    for word, bar, row in zip(words, every.exhibits[0].chart.bars, every.table.rows, strict=True):
        one = answer(view, read(view, {name: [word]})[0])
        assert row[1] == one.headline
        assert bar.absent or bar.value in [figure.value for figure in one.figures]
    again, chosen = resolve(every.short_link.removeprefix(SHORT))
    assert link(again, chosen) == every.link and view.takes_long(chosen)


def test_the_first_figure_that_all_options_have_in_one_unit_is_drawn():
    view = VIEWS["/cost-of-bandwidth"]
    chart = answer(view, read(view, "vs=every:per")[0]).exhibits[0].chart
    assert isinstance(chart, BarChart) and all("a year" in bar.text for bar in chart.bars)
    idle = VIEWS["/track-record"], "series=power&vs=every:domain"
    assert answer(idle[0], read(*idle)[0]).headline == "“Domain” has no effect with the other settings"


@pytest.mark.parametrize(("chosen", "label"), [("usual", "Preset: 4 bits"), ("4-bit", "4 bits")])
def test_the_usual_option_of_a_task_is_compared_once(chosen, label):
    view = VIEWS["/placement"]
    rows = answer(view, read(view, f"vs=every:format&format={chosen}")[0]).table.rows
    assert [row[0] for row in rows] == [label, "16 bits", "8 bits", "6 bits", "3 bits"]
