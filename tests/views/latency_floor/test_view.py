from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings

from analysis.model.kv_cache import kv_cache_byte_per_token
from charts.chart import BarChart, Line, XYChart
from data.releases import names
from data.standing import table
from tests.views import links
from views import models
from views.latency_floor.view import VIEW
from views.result import as_json
from views.view import answer, read


def value(found, name):
    number = found.figure(name).value
    assert number is not None
    return number


def result(query=""):
    settings, ignored = read(VIEW, query)
    return answer(VIEW, settings, ignored=ignored)


def test_the_answer_comes_first_with_what_binds_and_where_more_chips_stop_helping():
    found = result()
    assert found.headline.startswith(
        "Llama 3.1 70B cannot answer faster than about 360 tokens a second on 8 × H100 SXM without drafts"
    )
    assert "sharing each layer, more chips save under 10 %" in found.headline
    assert "reading weights" in found.figure("time_per_output_token_s").interval_text
    assert 64 <= value(found, "fastest_chips_per_layer") <= 512


@given(links.settings(VIEW))
@hypothesis_settings(max_examples=25, deadline=None)
def test_any_settings_give_an_answer(settings):
    found = answer(VIEW, settings)
    assert found.headline and found.exhibits
    as_json(found)


@pytest.mark.parametrize("release", names())
def test_every_release_answers(release):
    assert result(f"release={release}").headline


def test_stages_add_throughput_but_no_speed():
    one, four = result("pipeline_parallel=1"), result("pipeline_parallel=4")
    assert value(four, "output_tokens_per_s") == pytest.approx(value(one, "output_tokens_per_s"), rel=0.02)
    assert value(four, "output_tokens_per_s") < value(one, "output_tokens_per_s")
    assert value(four, "throughput_tokens_per_s") > 3.8 * value(one, "throughput_tokens_per_s")
    assert any("One request gets no faster" in note for note in four.notes)


def test_throughput_counts_no_request_whose_cache_does_not_fit():
    """24 × H100 hold 1.92 TB; 1,536 requests of 8,192 tokens need 4.1 TB of cache."""
    found = result("batch=512")
    assert found.headline.split(" on ")[1].startswith("24 × H100 SXM (3 stages of 8)")
    assert value(found, "requests_under_way") == 512
    assert value(found, "throughput_tokens_per_s") == pytest.approx(
        512 / value(found, "time_per_output_token_s")
    )
    assert any(
        "with 27 of 80 layers: a batch for each stage would need 177 GB on each of its chips, which hold 80 GB"
        in note
        for note in found.notes
    )
    assert not any("as many batches" in note for note in found.notes)


def test_stages_wait_for_the_fullest_though_all_together_have_room():
    """858 GB were said not to fit 880 GB."""
    found = result("model=llama-3.1-405b&format=fp16&tensor_parallel=1")
    told = found.notes[1]
    assert "handing a token from stage to stage takes" in told
    assert "with 12 of 126 layers: a batch for each stage would need 81.7 GB on each of its chips" in told


def test_a_split_past_the_fastest_says_that_fewer_are_faster():
    found = result("chip=wse-3")
    assert found.headline.endswith("; one a layer would allow 30,000, sharing over more slows it")
    assert found.exhibits[0].chart.title == "One WSE-3 a layer is fastest; sharing over more slows it"


def test_the_most_chips_tried_are_not_called_enough():
    figure = result("model=llama-3.1-405b&format=fp16&tensor_parallel=1").figure("fastest_chips_per_layer")
    assert figure.text == "over 4,096 chips" and figure.interval_text.endswith("at 4,096")
    chart: Any = result().exhibits[4].chart
    bars = {bar.label: bar.text for bar in chart.bars}
    assert bars["DDR5 server"].endswith("with 4,096+ chips") and "+" not in bars["H100 SXM"]


@pytest.mark.parametrize("chip", ["h100", "wse-3", "groq-lpu", "tpu-v7", "ddr5-server"])
@pytest.mark.parametrize("batch", [1, 512])
def test_words_of_key_figures_are_short_enough_to_be_read_whole(chip, batch):
    for figure in result(f"chip={chip}&batch={batch}").figures:
        assert not figure.key or max(len(figure.label), len(figure.interval_text)) <= 24, figure


def test_a_draft_is_said_where_the_floor_counts_it():
    assert "with these drafts" in result("speculative_tokens=4").headline
    assert "without drafts" in result().headline


def test_a_model_too_large_says_how_many_chips_it_needs():
    found = result("model=llama-3.1-405b&format=fp16&tensor_parallel=1&pipeline_parallel=1")
    assert found.headline == "Llama 3.1 405B at FP16 does not fit one H100 SXM: it needs at least 11 chips"
    assert any("Add stages or chips" in note for note in found.notes)


def test_sram_needs_hundreds_of_chips_and_wafers_a_few():
    assert value(result("chip=groq-lpu"), "chips_needed") > 300
    assert value(result("chip=wse-3"), "chips_needed") == 2


def test_ordinary_dram_is_slower_than_hbm():
    dram, hbm = (
        result(f"chip={chip}&tensor_parallel=1&model=llama-3.1-8b") for chip in ("ddr5-server", "h100")
    )
    ratio = value(hbm, "output_tokens_per_s") / value(dram, "output_tokens_per_s")
    assert ratio == pytest.approx(3350 / 614.4, rel=0.05)


def test_more_stages_than_layers_are_ignored_and_said():
    found = result("pipeline_parallel=100&model=llama-3.1-8b")
    assert found.ignored[0].allowed == "at most one stage a layer: 32 in Llama 3.1 8B"


def test_a_context_longer_than_the_model_was_made_for_is_said():
    assert any(
        "made for at most 4,096 tokens" in note for note in result("model=llama-2-7b&context=8192").notes
    )


def test_half_the_active_parameters_read_half():
    whole, half = (
        result("tensor_parallel=1&context=1"),
        result("tensor_parallel=1&context=1&active_share=0.5"),
    )
    assert value(half, "output_tokens_per_s") == pytest.approx(
        2 * value(whole, "output_tokens_per_s"), rel=0.01
    )


def test_the_cache_of_every_published_model_is_met():
    """published_kv_cache: byte a token at 16 bits, exact, for the models of the table of architectures."""
    published = table("published_kv_cache")
    known = {name: word for word, name in models.names().items()}
    checked = 0
    for name, byte in zip(published["architecture"], published["kv_cache_byte"], strict=True):
        if name in known:
            assert kv_cache_byte_per_token(models.architecture(known[name])) == byte, name
            checked += 1
    assert checked >= 10


def test_every_architecture_gives_a_model_that_can_be_read():
    for word in models.names():
        assert models.architecture(word).n_active_parameters > 0
        assert models.slug(models.names()[word]) == word


def test_names_beside_the_lines_are_short_and_have_room():
    """On a phone the names of converging lines lay on the lines."""
    chart = result().exhibits[0].chart
    assert isinstance(chart, XYChart)
    named = [mark.end_label[0] for mark in chart.marks if isinstance(mark, Line)]
    assert max(len(name) for name in named) <= 9
    longest = max(max(mark.x) for mark in chart.marks if isinstance(mark, Line))
    assert chart.x.high > longest * 10


def test_kinds_of_chips_are_drawn_from_one_token_a_second_up():
    chart = result().exhibits[4].chart
    assert isinstance(chart, BarChart) and chart.base == 1
    assert all("chip" in bar.text and bar.detail[0].endswith("the model") for bar in chart.bars)
