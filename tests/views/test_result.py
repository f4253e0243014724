import json
import math

import pytest

from charts.chart import BarChart, Chart, XYChart
from data.releases import names
from tests.views import links
from views.exhibits import bar_reach, mark_reach
from views.registry import VIEWS
from views.resolve import resolve
from views.result import Column, Figure, Table, as_json
from views.view import SHORT, answer, link, read

EVERY_VIEW = pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
KEYS = [
    "view",
    "link",
    "short_link",
    "release",
    "settings",
    "ignored",
    "headline",
    "figures",
    "table",
    "settings_line",
]
FIGURE_KEYS = {"name", "label", "value", "unit", "low", "high", "level", "method", "n"}


def result_of(path, query=""):
    chosen, ignored = read(VIEWS[path], query)
    return answer(VIEWS[path], chosen, ignored=ignored)


def check_drawn_within_the_axis(chart):
    if isinstance(chart, BarChart):
        assert all(chart.x.low <= end <= chart.x.high for end in bar_reach(chart.bars)), chart.title
    if isinstance(chart, XYChart):
        assert all(map(math.isfinite, mark_reach(chart.marks))), chart.title


def check_sound(view, result):
    as_text = json.dumps(as_json(result), allow_nan=False)
    assert json.loads(as_text)["headline"] == result.headline
    assert result.headline and "  " not in result.headline and "None" not in result.headline
    assert result.exhibits and result.sources and result.method
    for figure in result.figures:
        assert figure.text and "nan" not in figure.text.lower()
        rate = figure.unit == "x/year" and figure.name.endswith("growth")
        if rate or figure.name.endswith("_total") or figure.name == "value":
            assert figure.value is not None and figure.low is not None and figure.high is not None
            assert 0 < figure.low <= figure.high
            if figure.method.startswith("the") or "t interval" in figure.method:
                assert figure.low <= figure.value <= figure.high
        if figure.name == "value":
            assert figure.prediction_low is not None and figure.prediction_high is not None
            assert figure.prediction_low <= figure.prediction_high
    for exhibit in result.exhibits:
        chart = exhibit.chart
        assert isinstance(chart, Chart)
        assert chart.title and chart.alt and chart.source and chart.subtitle
        check_drawn_within_the_axis(chart)
        assert result.release in chart.source or chart.source.endswith("no data.")
        width = len(exhibit.table.columns)
        assert all(len(row) == width for row in exhibit.table.rows)
        assert len({column.name for column in exhibit.table.columns}) == width
    assert result.link == link(view, read(view, result.link.partition("?")[2])[0])
    assert resolve(result.short_link.removeprefix(SHORT)) == (
        view,
        read(view, result.link.partition("?")[2])[0],
    )
    assert result.printed_link in (result.short_link, view.path)


@EVERY_VIEW
@pytest.mark.parametrize("release", names())
def test_the_default_view_of_every_release_is_sound(view, release):
    check_sound(view, result_of(view.path, f"release={release}"))


@EVERY_VIEW
def test_any_settings_give_a_sound_answer(view):
    for query in links.corpus(view):
        check_sound(view, answer(view, read(view, query)[0]))


@EVERY_VIEW
def test_the_json_has_every_key_of_the_contract_and_no_other_shape(view):
    found = as_json(result_of(view.path))
    assert list(found)[: len(KEYS)] == KEYS
    assert set(found) == {
        *KEYS,
        "notes",
        "method",
        "sources",
        "subtitle",
        "cards",
        "sure",
        "changes",
        "moved",
    }
    assert all(set(figure) >= FIGURE_KEYS for figure in found["figures"])
    assert set(found["table"]) == {"columns", "rows"}
    assert all(set(column) == {"name", "unit"} for column in found["table"]["columns"])
    assert all(source["url"] and source["licence"] for source in found["sources"])
    assert found["release"] == names()[-1]
    assert found["settings"]["release"] == names()[-1]


def test_the_json_says_what_of_the_link_was_ignored():
    found = as_json(result_of("/", "since=1066"))
    assert found["ignored"] == [
        {"setting": "since", "value": "1066", "allowed": "a whole number from 2008 to 2022"}
    ]
    assert found["settings"]["since"] == "2012"


def test_numbers_that_json_cannot_hold_become_null():
    result = result_of("/accelerators", "metric=fp4&interval=classical")
    doubling = next(item for item in as_json(result)["figures"] if item["name"] == "doubling_time_years")
    assert result.figure("doubling_time_years").high == float("inf")
    assert doubling["high"] is None


@EVERY_VIEW
def test_the_same_settings_give_the_same_numbers_twice(view):
    chosen, _ = read(view, "")
    from data.releases import load

    again = answer(view, chosen, release=load(names()[-1]))
    first = as_json(answer(view, chosen))
    assert as_json(again)["figures"] == first["figures"]
    assert as_json(again)["table"] == first["table"]


def test_a_row_that_does_not_fit_its_columns_is_refused():
    with pytest.raises(ValueError, match=r"^Table row 2 has 1 cells for 2 columns\.$"):
        Table(columns=(Column(name="a", label="A"), Column(name="b", label="B")), rows=((1, 2), (1,)))


def test_a_figure_is_found_by_its_name():
    figure = result_of("/").figure("gap_growth")
    assert isinstance(figure, Figure)
    assert figure.unit == "x/year"


def test_no_page_reads_a_setting_it_does_not_show():
    for view in VIEWS.values():
        assert set(result_of(view.path).settings) == set(as_json(result_of(view.path))["settings"])
