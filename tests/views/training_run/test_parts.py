"""The parts of a run's time and memory: they add up, and each says what to change."""

import pytest

from analysis.training_run.device_memory import USABLE_SHARE
from charts.chart import BarChart
from tests.views.training_run.answers import ask, columns, value
from views.training_run.parts import PARTS, WORK


def test_the_parts_of_the_time_add_up_and_each_says_what_to_change():
    result = ask("sites=2&ramp_tokens=100")
    rows = result.table.rows
    assert sum(float(row[1] or 0) for row in rows) == pytest.approx(1, abs=1e-6)
    assert {row[0] for row in rows} == {part.label for part in PARTS.values()}
    assert all(row[3] for row in rows)


def test_the_times_of_the_parts_add_up_to_the_run():
    cells = columns(ask().exhibits[0])
    assert sum(cells["time_s"]) == pytest.approx(value(ask(), "days") * 86400)


def test_the_largest_part_comes_first_and_parts_too_small_to_see_are_left_out():
    chart = ask().exhibits[0].chart
    assert isinstance(chart, BarChart)
    values = [bar.value for bar in chart.bars]
    assert values == sorted(values, reverse=True) and min(values) >= 0.05
    assert [bar.emphasised for bar in chart.bars] == [True, *[False] * (len(values) - 1)]


def test_memory_adds_up_to_the_figure_beside_what_can_be_filled():
    exhibit = ask().exhibits[1]
    cells = columns(exhibit)
    *held, usable = cells["memory_byte"]
    assert (cells["part"][-1], usable) == ("usable", USABLE_SHARE * 80e9)
    assert sum(held) == pytest.approx(value(ask(), "memory_byte"))
    assert exhibit.chart.title == "The fullest accelerator holds 68 of 80 GB"


def test_advice_on_a_searched_plan_lies_outside_the_plan():
    tensor = PARTS["tensor_s"]
    assert tensor.advice(searched=False) == "use fewer of them or a faster chip link"
    assert "fewer chips share a layer" in tensor.advice(searched=True)
    for part in PARTS.values():
        assert part.advice(searched=True) == (part.outside or part.by_hand)
    assert not any(PARTS[name].outside for name in WORK)


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("bubble_s", "the pipeline bubble"),
        ("tensor_s", "tensor-parallel exchange"),
        ("ramp", "the batch ramp"),
    ],
)
def test_a_part_stands_in_a_sentence_with_its_article_where_it_is_one_of_its_kind(*, part, name):
    assert PARTS[part].name == name
