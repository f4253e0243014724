"""What makes an answer faster, one lever at a time."""

import pytest

from charts.chart import BarChart
from tests.views.latency_floor.answers import ask, columns, floor_answer, value
from views.latency_floor.levers import levers_exhibit


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
