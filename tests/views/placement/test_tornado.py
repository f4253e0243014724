"""What the verdict is most sensitive to."""

import math
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from analysis.placement.verdict import verdict
from charts.chart import BarChart
from data import releases
from tests.views.reading import rows
from views.placement.answer import answer_to
from views.placement.inputs import inputs_of
from views.placement.settings import PlacementSettings
from views.placement.tiers import tiers_exhibit
from views.placement.tornado import levers_of, tornado_exhibit
from views.placement.view import VIEW
from views.view import answer


@cache
def made(release="2026-07", **change) -> Any:
    answer = answer_to(PlacementSettings(**change), releases.load(release))
    exhibit = tornado_exhibit(answer, source="data")
    assert isinstance(exhibit.chart, BarChart)
    return exhibit


def test_the_widest_span_comes_first_as_dots_and_is_named_in_the_title():
    chart = made(work="laptop-coding").chart
    assert chart.dots and chart.title.startswith(f"The input “{chart.bars[0].label}” matters most: ")
    widths = [abs(math.log(bar.value / bar.start)) for bar in chart.bars]
    assert widths == sorted(widths, reverse=True)


def test_the_base_is_the_ratio_that_a_fresh_computation_with_the_changed_setting_gives():
    row = next(row for row in made(work="laptop-coding").table.rows if row[0] == "Length of a prompt")
    assert row[5] == pytest.approx(made(work="laptop-coding", prompt=3000).chart.base)


def test_a_lever_that_changes_the_cheapest_place_names_it():
    bar = next(bar for bar in made(work="laptop-coding").chart.bars if bar.label == "Price charged")
    assert bar.emphasised and "cheapest: laptop" in bar.detail[0]
    first, *others = made(work="laptop-coding").table.rows
    for row, bar in zip(others, made(work="laptop-coding").chart.bars, strict=True):
        assert row[0] == bar.label
        assert bar.emphasised == ({row[3], row[6]} != {first[3]}) == (bar.role == "edge")
        assert (row[2] or bar.start, row[5] or bar.value) == (bar.start, bar.value)


def test_without_a_place_on_one_side_the_cost_of_the_cheapest_is_drawn_and_without_any_a_chance():
    ratio, cost = (made(work=work) for work in ("laptop-coding", "branch-documents"))
    chance = made(work="support-chat", stay="device")
    assert [exhibit.chart.x.scale for exhibit in (ratio, cost, chance)] == ["log", "log", "linear"]
    assert "no cloud meets all targets" in cost.chart.subtitle
    (row,) = (
        row for row, cells in zip(rows(cost), cost.table.rows, strict=True) if cells[0] == "Years in use"
    )
    shorter, longer = (row[f"cost_usd_per_1000_requests_{side}"] for side in ("low", "high"))
    assert shorter > cost.chart.base > longer


LARGE_ON_THE_EDGE = {"edge_model": "llama-3.1-405b", "model": "llama-3.2-1b", "speed": 60.0}
SETTINGS = {
    "Requests a day": ("requests", 100, 400),
    "Rent": ("rent_change", 50, 150),
    "Utilization": ("utilization", 30, 90),
    "Years in use": ("years", 2.0, 6.0),
    "Price charged": ("charged", "0", "100"),
    "Electricity": ("electricity", 0.0825, 0.33),
}
"""What a reader would choose instead of each lever that is a setting, for its two ends."""


def test_a_lever_gives_what_the_setting_would_at_both_its_ends():
    settings, release = PlacementSettings(work="laptop-coding"), releases.load("2026-07")
    levers = {lever.label: lever for lever in levers_of(settings, inputs_of(settings, release).question)}
    assert levers["Requests a day"].words == ("100", "400")
    for label, (name, *values) in SETTINGS.items():
        for end, value in zip(levers[label].ends, values, strict=True):
            chosen: Any = {name: value}
            fresh = verdict(inputs_of(replace(settings, **chosen), release).question)
            assert (end.winner, end.own, end.rented) == (fresh.winner, fresh.own, fresh.rented), label
            assert (end.ratio, end.cost_usd) == pytest.approx((fresh.ratio, fresh.cost_usd)), label
    slower, faster = levers["Bandwidth of all chips"].ends
    assert slower.nearest <= faster.nearest + 0.005 and slower != faster


def tiers_of(release="2026-07", **change) -> Any:
    return tiers_exhibit(answer_to(PlacementSettings(**change), releases.load(release)), source="data")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"stay": "device"}, "the cloud is ruled out, so no request can be passed on to it."),
        ({"offline": "yes"}, "the cloud is ruled out, so no request can be passed on to it."),
        ({"stay": "premises"}, "the cloud is ruled out, so no request can be passed on to it."),
        ({"speed": 10_000.0}, "no cloud meets the targets for the remaining requests."),
        (LARGE_ON_THE_EDGE, "no edge hardware meets the targets even with Llama 3.1 405B."),
        ({}, None),
    ],
    ids=str,
)
def test_where_no_split_is_drawn_the_reason_is_said(change, why):
    notes = list(answer(VIEW, PlacementSettings(work="support-chat", **change)).changes)
    assert (tiers_of(work="support-chat", **change) is None) == (why is not None)
    told = [f"Two tiers are impossible: {why}"] if why else []
    assert [note for note in notes if "Two tiers" in note] == told


@pytest.mark.parametrize(
    ("changes", "start", "says"),
    [
        ({"work": "support-chat", "kept_on_edge": 0}, "Answering 0% of", ""),
        ({"work": "support-chat", "kept_on_edge": 0, "split": "before"}, "Answering 1% of", ""),
        ({"work": "support-chat", "kept_on_edge": 30, "split": "before"}, "Answering 30% of", ""),
        ({"work": "laptop-coding"}, "Answering 60% of requests on a laptop", "no share saves money"),
        ({"work": "frontier", "renting": "by-hour"}, "Answering 50% of", "requests at the edge saves money"),
    ],
    ids=str,
)
def test_the_title_says_the_share_asked_and_from_which_share_a_split_pays(*, changes, start, says):
    exhibit = tiers_of(**changes)
    chart, (two,) = exhibit.chart, [mark for mark in exhibit.chart.marks if mark.series == "Two tiers"]
    assert exhibit.table.rows[0][0] == two.x[0]
    assert chart.title.startswith(start) and chart.title.endswith(says)
    assert not says or "Break-even" not in [mark.series for mark in chart.marks]
