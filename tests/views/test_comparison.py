"""Two answers side by side say what each says alone, in every form."""

import math
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given

from charts.chart import BarChart, Span, XYChart
from data.releases import names
from tests.views.links import settings
from views.comparison import PAIRED, SURE
from views.registry import VIEWS
from views.resolve import resolve
from views.result import as_json
from views.view import SHORT, answer, link, pinned, read

COMPARABLE = [view for view in VIEWS.values() if view.comparable]


def compare(address, pin):
    path, _, query = address.partition("?")
    chosen, ignored = read(VIEWS[path], f"{query}&vs={quote(pin)}")
    return answer(VIEWS[path], chosen, ignored=ignored)


@pytest.mark.parametrize("view", COMPARABLE, ids=lambda view: view.path)
def test_each_view_stands_beside_its_own_earlier_release_in_its_link_and_short_link(view):
    both = compare(f"{view.path}?release={names()[-1]}", f"release={names()[0]}")
    before, now = (answer(view, read(view, {"release": [name]})[0]) for name in (names()[0], names()[-1]))
    assert both.versus and both.versus.link == before.link and both.versus.headline == before.headline
    texts = [(figure.name, figure.text) for figure in now.figures]
    assert [(figure.name, figure.text) for figure in both.figures] == texts
    pairs = {figure.name: figure.text for figure in before.figures}
    paired = {name: pairs[name] for name, _ in texts if name in pairs}
    assert {change.figure: change.pinned for change in both.versus.changes} == paired
    again, chosen = resolve(both.short_link.removeprefix(SHORT))
    assert link(again, chosen) == both.link
    assert as_json(both)["versus"]["changes"] and len(both.headline.split()) <= 12


@given(settings(VIEWS["/training-compute"]))
def test_an_answer_beside_itself_is_the_answer(chosen):
    view, query = VIEWS["/training-compute"], urlencode(pinned(chosen).described())
    both, alone = compare(f"{view.path}?{query}", query), answer(view, chosen)
    assert (both.headline, both.figures, both.versus) == (alone.headline, alone.figures, None)


def test_rates_from_the_same_resamples_say_whether_they_differ():
    both = compare("/training-compute?since=2016", "since=2012")
    assert both.headline == "Growth a year: 4.4× a year instead of 4.7×, no clear difference"
    assert both.versus and both.sure[0] == PAIRED
    rate = both.versus.changes[0]
    assert rate.times_low is not None and rate.times_high is not None
    assert rate.times_low < 1 < rate.times_high
    view = VIEWS["/training-compute"]
    alone = [answer(view, read(view, f"since={year}")[0]).figures[0] for year in (2016, 2012)]
    apart = math.hypot(*(math.log((one.high or 0) / (one.low or 1)) for one in alone))
    assert math.log(rate.times_high / rate.times_low) < apart
    other = compare("/training-compute?domain=language", "domain=all")
    assert other.versus and other.versus.changes[0].times_low is None and other.sure[0] == SURE


def test_an_answer_beside_a_dear_one_waits_as_that_one_does():
    view, dear = VIEWS["/training-run"], "accelerators=100000"
    takes_long = [view.takes_long(read(view, query)[0]) for query in ("", dear, f"vs={quote(dear)}")]
    assert takes_long == [False, True, True]


def test_the_chart_holds_both_on_common_axes_and_the_table_the_rows_of_both():
    bars = compare("/training-run?precision=fp8", "precision=fp16")
    assert bars.headline == "Training time: 50 days instead of 72, 0.69×"
    assert isinstance(bars.exhibits[0].chart, BarChart) and bars.exhibits[0].chart.bars[0].start is not None
    assert {row[0] for row in bars.table.rows} == {"now", "pinned"}
    trend = compare("/training-compute?domain=language", "domain=all")
    assert isinstance(trend.exhibits[0].chart, XYChart)
    series = [mark.series for mark in trend.exhibits[0].chart.marks if not isinstance(mark, Span)]
    assert {name.endswith(", pinned") for name in series} == {True, False}
    released = compare("/training-compute", f"release={names()[0]}")
    assert released.headline == "Growth a year: 4.7× a year in both"


@pytest.mark.parametrize(
    ("pin", "allowed"),
    {
        "nonsense": "one short token of this page, or its settings, percent-encoded",
        "since=2": "where since=2 was ignored",
        "every:since": "every: and the name of a setting with 2 to 6 options",
        "1vrtx8ybj23k": "this one is of /training-run",
    }.items(),
)
def test_a_pin_that_cannot_be_used_is_reported_and_the_answer_stands_alone(pin, allowed):
    for path, words in (("/accelerators", allowed), ("/claims", "two answers side by side")):
        both = compare(path, pin)
        assert both.versus is None and "vs" not in both.settings
        assert (both.ignored[0].setting, words in both.ignored[0].allowed) == ("vs", True)
