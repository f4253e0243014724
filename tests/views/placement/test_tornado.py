"""What the verdict is most sensitive to."""

import math
import re
from typing import Any

import pytest

from analysis.placement.verdict import Verdict
from charts.chart import BarChart
from data import releases
from tests.analysis.placement.questions import a_question
from tests.length import at_length
from views.axes import linear_axis
from views.placement.answer import answer_to
from views.placement.levers import Lever
from views.placement.settings import PlacementSettings
from views.placement.tornado import MovedVerdicts, TornadoMeasure, tornado, tornado_exhibit
from views.placement.workload import PRESETS

WORKS = [work for work in PRESETS if work != "domain-tuning"]


def made(release="2026-07", **change) -> Any:
    answer = answer_to(PlacementSettings(**change), releases.load(release))
    exhibit = tornado_exhibit(answer, source="data")
    assert isinstance(exhibit.chart, BarChart)
    return exhibit


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


@pytest.mark.parametrize("work", at_length(WORKS, few=WORKS[:2]))
def test_only_an_input_whose_ends_lie_on_one_side_is_said_to_move_one_way(work):
    exhibit = made(work=work)
    bars = {bar.label: bar for bar in exhibit.chart.bars}
    for word, one_way in (("raises", min), ("lowers", max)):
        for label in re.findall(rf"([A-Z][\w ]+) {word} it at both ends", exhibit.chart.subtitle):
            ends = (bars[label].start, bars[label].value)
            assert (one_way(ends) > exhibit.chart.base) == (word == "raises")


def end(cost: float, winner: int | None = 0) -> Verdict:
    return Verdict(winner=winner, own=0, rented=1, cost_usd=cost, ratio=None, nearest=1.0, best=1.0)


MOVED = MovedVerdicts(
    levers=tuple(
        Lever(label=label, ends=("half", "double"), low=a_question(), high=a_question())
        for label in ("Rent", "Years kept", "Requests a day")
    ),
    ends=((end(0.9), end(1.1)), (end(2.0), end(0.5, winner=1)), (end(1.0), end(1.0))),
    base=end(1.0),
    names=("laptop", "cloud"),
)


def cost(verdict: Verdict) -> float:
    assert verdict.cost_usd is not None
    return verdict.cost_usd


def test_levers_are_ranked_from_the_widest_and_those_that_change_the_winner_stand_out():
    order = MOVED.ranked(lambda low, high: abs(cost(low) - cost(high)))
    assert order == [1, 0, 2] and MOVED.ranked(lambda low, high: 0.0) == [0, 1, 2]
    assert MOVED.changing == (1,) and MOVED.cheapest(end(1.0, winner=None)) == "none"
    measure = TornadoMeasure(
        axis=linear_axis("Cost", [0.0, 2.0], word=str),
        base=1.0,
        at=cost,
        words=lambda verdict: f"${cost(verdict):g}",
        cell=lambda verdict: verdict.cost_usd,
        column=("cost_usd", "Cost", "USD"),
    )
    exhibit: Any = tornado(MOVED, measure, order=order, title="t", subtitle="s", source="d")
    bars, rows = exhibit.chart.bars, exhibit.table.rows
    assert (bars[0].start, bars[0].value, bars[0].text) == (2.0, 0.5, "$2 to $0.5")
    assert [(bar.emphasised, bar.role) for bar in bars] == [(True, "edge"), *[(False, "context")] * 2]
    assert bars[0].detail == ("At half: $2, cheapest: laptop", "At double: $0.5, cheapest: cloud")
    assert bars[2].text == "$1", "both ends are said once where they are the same"
    assert rows[:2] == (
        ("As chosen", "", 1.0, "laptop", "", 1.0, "laptop"),
        ("Years kept", "half", 2.0, "laptop", "double", 0.5, "cloud"),
    )
    assert [row[0] for row in rows[1:]] == [bar.label for bar in bars]
