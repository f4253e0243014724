"""Which model runs on which chips: what a link may say and what the choices stand for."""

from dataclasses import replace

import pytest

from data.releases import latest, load
from tests.views.latency_floor.answers import ask, placed, value
from views.latency_floor import settings as choices
from views.latency_floor.settings import LatencyFloorSettings, requested, sized, stages_of


def test_more_stages_than_layers_are_ignored_and_said():
    result = ask("pipeline_parallel=100&model=llama-3.1-8b")
    assert result.ignored[0].allowed == "at most one stage a layer: 32 in Llama 3.1 8B"


def test_half_the_active_parameters_read_half():
    whole, half = (
        ask("tensor_parallel=1&context=1"),
        ask("tensor_parallel=1&context=1&active_share=0.5"),
    )
    assert value(half, "output_tokens_per_s") == pytest.approx(
        2 * value(whole, "output_tokens_per_s"), rel=0.01
    )


def test_fewer_active_parameters_are_held_all_the_same():
    whole, half = (sized(LatencyFloorSettings(active_share=share)) for share in (1.0, 0.5))
    assert half.n_parameters == whole.n_parameters
    assert half.parameters.active == pytest.approx((whole.parameters.active - whole.parameters.lookup) / 2)


@pytest.mark.parametrize(
    ("name", "byte"), [("fp32", 4), ("fp16", 2), ("fp8", 1), ("int4", 0.51953125), ("mxfp4", 0.53125)]
)
def test_a_format_takes_its_bits_and_its_share_of_the_scales(name, byte):
    """A 16-bit scale and a 4-bit zero for every 128 weights (GPTQ); an 8-bit one for every 32 (OCP MX)."""
    assert requested(LatencyFloorSettings(format=name)).weight_byte == byte


def test_stages_are_the_readers_or_as_few_as_hold_the_model():
    own = placed(format="fp16", tensor_parallel=1)
    assert stages_of(LatencyFloorSettings(format="fp16", tensor_parallel=1), own) == 2
    chosen = LatencyFloorSettings(format="fp16", tensor_parallel=1, pipeline_parallel=7)
    assert stages_of(chosen, own) == 7


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
    one, ten, none = (
        float(placed(latency=times).floor(tensor=8, stages=1).latency_s) for times in (1.0, 10.0, 0.0)
    )
    assert ten == pytest.approx(10 * one) and none == 0 < one


def test_a_chip_that_a_release_has_too_few_numbers_of_is_no_chip():
    release = load(latest())
    empty = replace(release, accelerators=release.accelerators.iloc[:0])
    assert choices.placed(LatencyFloorSettings(), empty, chip="h100") is None
