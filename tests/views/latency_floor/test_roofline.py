"""Where decoding and reading a prompt stand on a chip's roofline."""

import pytest

from analysis.model.flop import token_flop
from charts.chart import Line, XYChart
from tests.views.latency_floor.answers import ask, columns, floor_answer, placed
from views.latency_floor.roofline import BATCHES, roofline_exhibit


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
