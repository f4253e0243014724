"""The figures of /latency-floor: speed, throughput, and the chips that are needed."""

import pytest

from tests.views.latency_floor.answers import ask, value


def test_stages_add_throughput_but_no_speed():
    one, four = ask("pipeline_parallel=1"), ask("pipeline_parallel=4")
    assert value(four, "output_tokens_per_s") == pytest.approx(value(one, "output_tokens_per_s"), rel=0.02)
    assert value(four, "output_tokens_per_s") < value(one, "output_tokens_per_s")
    assert value(four, "throughput_tokens_per_s") > 3.8 * value(one, "throughput_tokens_per_s")
    assert any("one request gets no faster" in note for note in four.notes)


def test_throughput_counts_no_request_whose_cache_does_not_fit():
    """24 × H100 hold 1.92 TB; 1,536 requests of 8,192 tokens need 4.1 TB of cache."""
    result = ask("batch=512")
    assert result.headline.split(" on ")[1].startswith("24 H100: ")
    assert value(result, "requests_under_way") == 512
    assert value(result, "throughput_tokens_per_s") == pytest.approx(
        512 / value(result, "time_per_output_token_s")
    )
    assert any(
        "with 27 of 80 layers: a batch for each stage would need 177 GB on each of its chips, which hold 80 GB"
        in note
        for note in result.changes
    )
    assert not any("as many batches" in note for note in result.changes)


def test_the_most_chips_tried_are_not_called_enough():
    figure = ask("model=llama-3.1-405b&format=fp16&tensor_parallel=1").figure("fastest_chips_per_layer")
    assert figure.text == "over 4,096 chips" and figure.interval_text.endswith("at 4,096")


@pytest.mark.parametrize("chip", ["h100", "wse-3", "groq-lpu", "tpu-v7", "ddr5-server"])
@pytest.mark.parametrize("batch", [1, 512])
def test_words_of_key_figures_are_short_enough_to_be_read_whole(chip, batch):
    for figure in ask(f"chip={chip}&batch={batch}").figures:
        assert not figure.key or max(len(figure.label), len(figure.interval_text)) <= 24, figure


def test_sram_needs_hundreds_of_chips_and_wafers_a_few():
    assert value(ask("chip=groq-lpu"), "chips_needed") > 300
    assert value(ask("chip=wse-3"), "chips_needed") == 2


def test_speed_and_time_are_each_others_inverse_and_stages_are_as_few_as_hold_the_model():
    for query in ("", "chip=groq-lpu", "batch=512", "speculative_tokens=4"):
        result = ask(query)
        assert value(result, "output_tokens_per_s") * value(result, "time_per_output_token_s") == (
            pytest.approx(1)
        )
    assert value(ask("batch=512"), "pipeline_parallel") == 3
    assert value(ask("batch=512&pipeline_parallel=5"), "pipeline_parallel") == 5


def test_what_latencies_of_today_allow_stands_beside_the_best():
    result = ask()
    assert value(result, "today_tokens_per_s") < value(result, "output_tokens_per_s")
    assert result.figure("output_tokens_per_s").interval_text == "at best; today 200"
