"""What is the fastest possible answer: the answer as a whole."""

from dataclasses import replace

import pytest

from data.releases import latest, load
from tests.views.latency_floor.answers import ask, floor_answer, placed, value
from views import written
from views.latency_floor import settings as choices
from views.latency_floor.settings import LatencyFloorSettings, requested

TABLES = written.toml(__file__, name="notes.toml")


def test_the_answer_comes_first_with_what_binds_and_where_more_chips_stop_helping_or_slow_it_down():
    result = ask()
    assert result.headline == "Llama 3.1 70B on 8 H100 chips reaches at most 360 tokens/s"
    assert "Beyond 382 × H100 SXM per layer, more chips save less than" in result.exhibits[0].chart.title
    assert ", reading weights takes 94% of a token's time." in result.subtitle
    assert "reading weights" in result.figure("time_per_output_token_s").interval_text
    assert 64 <= value(result, "fastest_chips_per_layer") <= 512
    result = ask("chip=wse-3")
    assert result.exhibits[0].chart.title == "One WSE-3 per layer is fastest; more chips slow it down"


def test_a_model_too_large_says_how_many_chips_it_needs():
    result = ask("model=llama-3.1-405b&format=fp16&tensor_parallel=1&pipeline_parallel=1")
    assert result.headline == "Llama 3.1 405B needs at least 11 H100 chips, not 1"
    assert result.subtitle == "With FP16 weights, the chip would need 816 GB but has 80 GB."
    assert result.notes[0].endswith("Add stages or chips, or choose a smaller format.")
    groq = ask("model=llama-3.1-70b&chip=groq-lpu&tensor_parallel=1")
    assert groq.headline.endswith("needs at least 319 Groq LPU, not 80")


@pytest.mark.parametrize(
    ("weights", "chips", "room"), [("fp8", 1, True), ("fp16", 1, False), ("fp16", 2, True)]
)
def test_a_model_fits_where_the_fullest_chip_has_room(*, weights, chips, room):
    """Llama 3.1 70B at 8 bits is 70.6 GB, its cache of 8,192 tokens 2.7 GB; at 16 bits it is 141 GB."""
    answer = floor_answer(format=weights, tensor_parallel=chips, pipeline_parallel=1)
    assert answer.fits is room and answer.chips == chips


def test_more_stages_than_layers_are_ignored_and_said():
    result = ask("pipeline_parallel=100&model=llama-3.1-8b")
    assert result.ignored[0].allowed == "at most one stage a layer: 32 in Llama 3.1 8B"


@pytest.mark.parametrize(
    ("name", "byte"), [("fp32", 4), ("fp16", 2), ("fp8", 1), ("int4", 0.51953125), ("mxfp4", 0.53125)]
)
def test_a_format_takes_its_bits_and_its_share_of_the_scales(name, byte):
    """A 16-bit scale and a 4-bit zero for every 128 weights (GPTQ); an 8-bit one for every 32 (OCP MX)."""
    assert requested(LatencyFloorSettings(format=name)).weight_byte == byte


def test_no_stages_and_no_drafts_are_empty_and_zero_in_links_of_old_still_means_so():
    old, now = ask("pipeline_parallel=0&speculative_tokens=0"), ask()
    assert old.link == now.link and old.ignored == ()
    assert "pipeline_parallel=&" in now.link and "speculative_tokens=&" in now.link


def test_what_stands_for_stages_left_empty_is_how_many_there_are_then():
    assert LatencyFloorSettings(batch=512).where_empty("pipeline_parallel") == "3, as few as hold the model"
    assert value(ask("batch=512"), "pipeline_parallel") == 3
    never = LatencyFloorSettings(model="llama-3.1-405b", chip="groq-lpu", tensor_parallel=1)
    assert never.where_empty("pipeline_parallel") == "as few as hold the model"
    assert LatencyFloorSettings().where_empty("speculative_tokens") == "no draft model"


def test_latency_multiplies_every_least_latency_and_none_leaves_bandwidth_alone():
    floors = (placed(latency=times).floor(tensor=8, stages=1) for times in (1.0, 10.0, 0.0))
    one, ten, none = (float(floor.latency_s) for floor in floors)
    assert ten == pytest.approx(10 * one) and none == 0 < one


def test_a_chip_that_a_release_has_too_few_numbers_of_is_no_chip():
    release = load(latest())
    empty = replace(release, accelerators=release.accelerators.iloc[:0])
    assert choices.placed(LatencyFloorSettings(), empty, chip="h100") is None


def test_throughput_counts_no_request_whose_cache_does_not_fit():
    """24 × H100 hold 1.92 TB; 1,536 requests of 8,192 tokens need 4.1 TB of cache."""
    result = ask("batch=512")
    assert result.headline.split(" on ")[1].startswith("24 H100 chips reaches ")
    assert value(result, "requests_under_way") == 512
    time_s = value(result, "time_per_output_token_s")
    assert value(result, "throughput_tokens_per_s") == pytest.approx(512 / time_s)


def test_the_most_chips_tried_are_not_called_enough():
    figure = ask("model=llama-3.1-405b&format=fp16&tensor_parallel=1").figure("fastest_chips_per_layer")
    assert figure.text == "over 4,096 chips" and figure.interval_text.endswith("at 4,096")


@pytest.mark.parametrize(("query", "holds", "text"), TABLES["notes"])
def test_notes_say_what_holds_here_and_only_that(*, query, holds, text):
    result = ask(query)
    assert (text in "\n".join([*result.notes, *result.sure, *result.changes])) is holds


def test_today_stands_in_the_subtitle_as_the_chips_work():
    for query in ("", "chip=wse-3", "chip=tpu-v7"):
        assert "Today's latencies allow at most " in ask(query).subtitle
    assert "Chips that work in turn allow at most 880 tokens/s." in ask("chip=groq-lpu").subtitle
