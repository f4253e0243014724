"""The kinds of chips side by side: how many hold the model, and how fast each is at best."""

from typing import Any

import pytest

from charts.chart import BarChart
from tests.views.latency_floor.answers import ask, columns, placed, value
from views.latency_floor.chips import chips_exhibit


def test_the_most_chips_tried_are_not_called_enough():
    chart: Any = ask().exhibits[4].chart
    bars = {bar.label: bar.text for bar in chart.bars}
    assert bars["DDR5 server"].endswith("with 4,096+ chips") and "+" not in bars["H100 SXM"]


def test_kinds_of_chips_are_bars_from_zero_on_a_linear_axis():
    chart = ask().exhibits[4].chart
    assert isinstance(chart, BarChart) and (chart.base, chart.x.scale) == (0, "linear")
    assert all("chip" in bar.text and bar.detail[0].endswith("the model") for bar in chart.bars)


def test_the_fastest_comes_first_and_the_chosen_one_stands_out():
    exhibit = ask("chip=h200").exhibits[4]
    cells = columns(exhibit)
    assert list(cells["output_tokens_per_s"]) == sorted(cells["output_tokens_per_s"], reverse=True)
    assert isinstance(exhibit.chart, BarChart)
    assert [bar.label for bar in exhibit.chart.bars if bar.emphasised] == ["H200"]
    own = cells["chip"].index("H200")
    assert cells["output_tokens_per_s"][own] == value(ask("chip=h200"), "fastest_tokens_per_s")
    assert cells["chips_needed"][own] == value(ask("chip=h200"), "chips_needed")


def test_the_fewest_chips_are_what_is_held_over_the_memory_of_one():
    cells = columns(ask("model=llama-3.1-405b&format=fp16").exhibits[4])
    for fewest, memory in zip(cells["chips_needed"], cells["memory_capacity_byte"], strict=True):
        assert (fewest - 1) * memory < 812e9 + 4.3e9 <= fewest * memory * 1.01


def test_wafers_and_groq_chips_are_told_in_the_title_and_chips_that_hold_nothing_are_left_out():
    assert ask().exhibits[4].chart.title.endswith("; 2 wafers or 319 Groq chips hold the model")
    never = {"groq-lpu": placed(chip="groq-lpu", model="llama-3.1-405b", context=10_000_000, batch=4096)}
    exhibit = chips_exhibit(never, chosen="groq-lpu", source="")
    assert exhibit.table.rows == ()
    assert exhibit.chart.title == "No kind of chip holds the model with 4,096 chips per layer"


@pytest.mark.parametrize(("model", "start"), [("llama-3.2-1b", "1 wafer or"), ("llama-3.1-70b", "2 wafers")])
def test_one_wafer_is_in_the_singular(model, start):
    assert f"; {start}" in ask(f"model={model}").exhibits[4].chart.title


def test_of_wafers_the_newest_is_shown_and_an_older_one_where_it_is_chosen():
    assert {"WSE-3"} == {chip for chip in columns(ask().exhibits[4])["chip"] if chip.startswith("WSE")}
    chosen = columns(ask("chip=wse-2").exhibits[4])["chip"]
    assert {"WSE-2", "WSE-3"} == {chip for chip in chosen if chip.startswith("WSE")}
