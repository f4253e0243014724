"""Where the time of a token goes: its parts add up, and the largest is named."""

from dataclasses import fields

import numpy as np
import pytest

from analysis.latency_floor.floor import Floor
from charts.chart import BarChart
from tests.views.latency_floor.answers import ask, columns, placed, value
from views.latency_floor.parts import BRIEF, PARTS, ROLES, largest_part


def test_parts_are_the_times_of_a_floor_and_each_has_a_role():
    assert set(PARTS) == {field.name for field in fields(Floor)} - {"memory_byte_per_chip"}
    assert set(ROLES) == set(PARTS) > set(BRIEF)


@pytest.mark.parametrize(
    "query", ["", "chip=wse-3", "batch=512", "speculative_tokens=4", "pipeline_parallel=4"]
)
def test_the_parts_add_up_to_the_time_of_a_token(query):
    cells = columns(ask(query).exhibits[2])
    assert sum(cells["time_s"]) == pytest.approx(value(ask(query), "time_per_output_token_s"))
    assert sum(cells["share"]) == pytest.approx(1)
    assert len(cells["part"]) == len(PARTS)


def test_only_parts_that_take_time_are_drawn_and_the_largest_stands_out():
    chart = ask().exhibits[2].chart
    assert isinstance(chart, BarChart)
    assert all(bar.value > 0 for bar in chart.bars)
    assert [bar.label for bar in chart.bars if bar.emphasised] == ["Reading weights"]
    assert chart.title == "Reading weights takes 93.6 % of the time of a token"


@pytest.mark.parametrize(
    ("settings", "tensor", "part"),
    [
        ({}, 8, "weights_s"),
        ({"context": 131_072, "batch": 64}, 8, "cache_s"),
        ({"chip": "wse-3"}, 8, "latency_s"),
        ({"context": 1, "batch": 4096}, 8, "compute_s"),
    ],
)
def test_what_binds_is_reading_few_requests_computing_many_and_agreeing_among_wafers(
    *, settings, tensor, part
):
    floor = placed(**settings).floor(tensor=tensor, stages=1)
    assert largest_part(floor) == part
    assert float(np.max(floor.total_s)) > 0
