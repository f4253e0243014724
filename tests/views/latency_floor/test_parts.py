"""Where the time of a token goes: its parts add up, and the largest is named."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from analysis.latency_floor.floor import Floor
from analysis.model.flop import token_flop
from charts.chart import BarChart, Line, XYChart
from tests.views.latency_floor.answers import ask, columns, floor_answer, placed, value
from views.latency_floor.chips import chips_exhibit
from views.latency_floor.levers import levers_exhibit
from views.latency_floor.parts import BRIEF, PARTS, ROLES, largest_part
from views.latency_floor.roofline import BATCHES, roofline_exhibit


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


def test_work_left_of_the_ridge_is_bound_by_memory_and_right_of_it_by_computing():
    """H100 SXM datasheet: 1,979 TFLOP/s dense in FP8 over 3.35 TB/s, 591 FLOP per byte."""
    cells = columns(ask().exhibits[5])
    for intensity, rate, bound_by in zip(
        cells["arithmetic_intensity"], cells["attainable_flop_per_s"], cells["bound_by"], strict=True
    ):
        assert rate == pytest.approx(min(1979e12, intensity * 3.35e12))
        assert bound_by == ("memory" if intensity < 1979 / 3.35 else "compute")
    assert (
        ask()
        .exhibits[5]
        .chart.title.endswith("one request decodes at 2.2 FLOP per byte where the chip offers 590")
    )


def test_batching_lifts_the_weights_share_only_so_the_cache_bounds_it():
    cells = columns(ask().exhibits[5])
    decode = cells["arithmetic_intensity"][: len(BATCHES)]
    assert list(decode) == sorted(decode)
    per_request = 8192 * 327_680
    own = placed()
    assert decode[-1] < float(token_flop(own.model, context_tokens=8192)) / per_request


def test_one_chip_alone_reads_a_token_in_the_time_that_the_roofline_allows():
    own = placed()
    floor = own.floor(tensor=1, stages=1)
    rate = columns(ask().exhibits[5])["attainable_flop_per_s"][0]
    reading = float(floor.weights_s + floor.cache_s)
    assert float(token_flop(own.model, context_tokens=8192)) / rate == pytest.approx(reading)


def test_without_a_stated_peak_everything_is_bound_by_bandwidth_and_the_line_has_no_roof():
    exhibit = roofline_exhibit(floor_answer(chip="wse-3"), source="")
    assert set(columns(exhibit)["bound_by"]) == {"memory"}
    assert "where the chip offers" not in exhibit.chart.title
    assert isinstance(exhibit.chart, XYChart)
    (roof,) = (mark for mark in exhibit.chart.marks if isinstance(mark, Line))
    assert roof.y[-1] / roof.y[0] == pytest.approx(roof.x[-1] / roof.x[0])


def test_the_readers_batch_is_one_of_the_kinds_of_work():
    assert "Decode, batch 7" in columns(ask("batch=7").exhibits[5])["work"]
    assert len(columns(ask("batch=8").exhibits[5])["work"]) == len(BATCHES) + 1


def outcomes(query=""):
    """Return speed, throughput, chips and memory by lever."""
    cells = columns(ask(query).exhibits[3])
    levers = cells.pop("change")
    return {lever: {name: cells[name][i] for name in cells} for i, lever in enumerate(levers)}


def test_as_chosen_is_the_answer_itself():
    own = outcomes()["As chosen"]
    assert own["output_tokens_per_s"] == value(ask(), "output_tokens_per_s")
    assert own["throughput_tokens_per_s"] == value(ask(), "throughput_tokens_per_s")
    assert own["chips"] == 8 and own["memory_byte"] == 8 * 80e9


def test_stages_and_batches_bring_throughput_and_slow_one_request():
    own, stages, batch = (
        outcomes()[lever] for lever in ("As chosen", "Twice the pipeline stages", "Batch 16 instead of 1")
    )
    for other in (stages, batch):
        assert other["output_tokens_per_s"] < own["output_tokens_per_s"]
        assert other["throughput_tokens_per_s"] > 1.9 * own["throughput_tokens_per_s"]
    assert stages["memory_byte"] == 2 * own["memory_byte"]


def test_half_of_what_is_read_at_most_doubles_the_speed():
    own = outcomes()["As chosen"]
    for lever in ("Half the bits a weight", "Half the active parameters", "Twice the chips in each layer"):
        gain = outcomes()[lever]["output_tokens_per_s"] / own["output_tokens_per_s"]
        assert 1.7 < gain < 2, lever
    halved = outcomes()["Half the bits a weight"]["needed_byte"]
    cache = own["needed_byte"] - 2 * (own["needed_byte"] - halved)
    assert cache == pytest.approx(8192 * 327_680)  # 2 × 80 layers × 8 heads × 128 × 2 byte a token
    assert outcomes()["Half the active parameters"]["needed_byte"] == own["needed_byte"]


def test_the_title_names_the_best_lever_and_there_may_be_none():
    best = max(outcomes(), key=lambda lever: outcomes()[lever]["output_tokens_per_s"])
    assert best.startswith("4 draft tokens")
    assert ask().exhibits[3].chart.title.startswith("One request gains most from 4 draft tokens (2.7×)")
    slow = floor_answer(
        chip="tpu-v5p",
        latency=20.0,
        model="llama-3.2-1b",
        context=1,
        speculative_tokens=4,
        tensor_parallel=4096,
        pipeline_parallel=1,
    )
    title = levers_exhibit(slow, source="").chart.title
    assert title == "No single change makes one request faster"


def test_bars_end_with_what_all_requests_get_where_that_differs():
    chart = ask().exhibits[3].chart
    assert isinstance(chart, BarChart)
    texts = {bar.label: bar.text for bar in chart.bars}
    assert texts["As chosen"] == "360"
    assert texts["Batch 16 instead of 1"] == "230, all requests 3,700"


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
