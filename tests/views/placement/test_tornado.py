import math
import re
from itertools import product
from typing import Any

import pytest

from charts.chart import BarChart
from data import releases
from views.placement.inputs import inputs_of
from views.placement.presets import PRESETS
from views.placement.settings import PlacementSettings
from views.placement.tornado import tornado_exhibit

WORKS = [work for work in PRESETS if work != "domain-tuning"]
CHANGES = (
    {},
    {"stay": "device"},
    {"offline": "yes", "year": 2040},
    {"speed": 10_000.0, "first_token": 0.001},
    {"electricity": 0.0, "charged": "0", "sustained": "always"},
    {"budget": 0.5, "renting": "by-hour"},
)


def made(release="2026-07", **change) -> Any:
    settings, data = PlacementSettings(**change), releases.load(release)
    exhibit = tornado_exhibit(settings, inputs_of(settings, data), source="data")
    assert exhibit is not None
    assert isinstance(exhibit.chart, BarChart)
    return exhibit


@pytest.mark.parametrize(
    ("work", "release", "change"),
    [*product(WORKS[:3], ("2026-07",), CHANGES), *product(WORKS[3:], ("2025-11",), CHANGES[:2])],
    ids=str,
)
def test_every_end_is_finite_and_within_its_axis(*, work, release, change):
    chart = made(release, work=work, **change).chart
    ends = [end for bar in chart.bars for end in (bar.start, bar.value)]
    assert all(math.isfinite(end) and chart.x.low <= end <= chart.x.high for end in [*ends, chart.base])
    assert len(chart.bars) >= 10 and chart.title and chart.alt


def test_the_widest_span_comes_first_as_dots_and_is_named_in_the_title():
    chart = made(work="laptop-coding").chart
    assert chart.dots and chart.title.startswith(f"Most sensitive to {chart.bars[0].label.lower()}: ")
    widths = [abs(math.log(bar.value / bar.start)) for bar in chart.bars]
    assert widths == sorted(widths, reverse=True)


def test_twice_the_requests_make_an_own_machine_cheaper_against_a_rented_one():
    bar = next(bar for bar in made(work="laptop-coding").chart.bars if bar.label == "Requests a day")
    assert bar.start > made(work="laptop-coding").chart.base > bar.value


def test_the_base_is_the_ratio_that_a_fresh_computation_with_the_changed_setting_gives():
    row = next(row for row in made(work="laptop-coding").table.rows if row[0] == "Length of a prompt")
    assert row[5] == pytest.approx(made(work="laptop-coding", prompt=3000).chart.base)


def test_a_lever_that_changes_the_cheapest_place_names_it():
    bar = next(bar for bar in made(work="laptop-coding").chart.bars if bar.label == "Price charged")
    assert bar.emphasised and "cheapest: laptop" in bar.detail[0]


def test_without_a_place_on_one_side_the_cost_of_the_cheapest_is_drawn_and_without_any_a_chance():
    ratio, cost, chance = (
        made(work="laptop-coding"),
        made(work="branch-documents"),
        made(work="support-chat", stay="device"),
    )
    assert [exhibit.chart.x.scale for exhibit in (ratio, cost, chance)] == ["log", "log", "linear"]
    assert "no cloud meets all targets" in cost.chart.subtitle
    row = next(row for row in cost.table.rows if row[0] == "Years kept")
    names = [column.name for column in cost.table.columns]
    shorter, longer = (row[names.index(f"cost_usd_per_1000_requests_{side}")] for side in ("low", "high"))
    assert shorter > cost.chart.base > longer


def test_an_input_that_raises_the_ratio_at_both_ends_says_which_hardware_takes_over():
    exhibit = made(work="laptop-coding")
    bar = next(bar for bar in exhibit.chart.bars if bar.label == "Length of a prompt")
    assert min(bar.start, bar.value) > exhibit.chart.base
    assert (
        "Length of a prompt raises it at both ends: at 3,000 tokens another owned option, the top laptop, is the "
        "cheapest that meets all targets." in exhibit.chart.subtitle
    )


@pytest.mark.parametrize("work", WORKS)
def test_only_an_input_whose_ends_lie_on_one_side_is_said_to_move_one_way(work):
    exhibit = made(work=work)
    bars = {bar.label: bar for bar in exhibit.chart.bars}
    for word, one_way in (("raises", min), ("lowers", max)):
        for label in re.findall(rf"([A-Z][\w ]+) {word} it at both ends", exhibit.chart.subtitle):
            ends = (bars[label].start, bars[label].value)
            assert (one_way(ends) > exhibit.chart.base) == (word == "raises")
