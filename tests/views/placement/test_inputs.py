"""What the choices of a link stand for in the question that is asked."""

import numpy as np
import pytest

from data.releases import load
from views.models import architecture
from views.placement.inputs import (
    SUSTAINED_RULES,
    conditions,
    inputs_of,
    model_of,
    requirements,
    work,
)
from views.placement.options import engine_options
from views.placement.settings import PlacementSettings

RELEASE = load("2026-07")


def test_weights_are_those_of_the_format_each_place_uses():
    settings = PlacementSettings(work="support-chat", format="4-bit", model="llama-3.3-70b")
    inputs = inputs_of(settings, RELEASE)
    asked, model = inputs.question.work, architecture("llama-3.3-70b")
    assert inputs.bits == 4.84
    assert asked.weights_byte == pytest.approx(model.n_parameters * 4.84 / 8)
    assert (asked.serving.format_name, asked.serving.bits) == ("NVFP4", 4.5)
    embeddings = 2 * model.embedding_parameters  # kept at 16 bits a number
    assert asked.serving.weights_byte == pytest.approx(
        (model.n_parameters - embeddings) * 4.5 / 8 + 2 * embeddings, rel=0.001
    )


def test_engines_reach_the_models_of_devices_and_of_accelerators():
    usual = inputs_of(PlacementSettings(), RELEASE).question.conditions
    assert (usual.engine, usual.serving_engine) == ("", "")
    chosen = inputs_of(PlacementSettings(engine="mlx-swift", serving_engine="vllm"), RELEASE).question
    assert (chosen.conditions.engine, chosen.conditions.serving_engine) == ("MLX-Swift", "vllm")
    assert set(chosen.fits.devices.decode.model.engine_factors()) <= {
        name for name, _ in engine_options().values()
    }


@pytest.mark.parametrize("word", ["llama-3.2-1b", "llama-3.1-8b", "llama-3.3-70b", "llama-3.1-405b"])
def test_a_custom_model_is_as_deep_as_dense_models_of_its_size(word):
    shape = architecture(word)
    _, custom = model_of(PlacementSettings(model="custom", billions=shape.n_parameters / 1e9))
    assert shape.n_layers / 1.4 < custom.n_layers < shape.n_layers * 1.4
    assert model_of(PlacementSettings(model="custom"), word=word) == (shape.name, shape)


def test_a_custom_model_is_dense_and_named_by_its_size():
    name, chosen = work(PlacementSettings(model="custom", billions=12.5))
    assert name == "A dense model of 12.5 billion parameters"
    assert chosen.n_active_parameters == 12.5e9
    assert chosen.active_weights_byte == chosen.weights_byte


def test_a_wait_of_an_hour_and_a_crawl_ask_for_nothing():
    asked = requirements(PlacementSettings(first_token=3600.0, speed=0.1))
    assert asked.time_to_first_token_s is None and asked.output_tokens_per_s is None
    asked = requirements(
        PlacementSettings(first_token=2.5, speed=15.0, budget=0.5, offline="yes", stay="device")
    )
    assert (asked.time_to_first_token_s, asked.output_tokens_per_s, asked.cost_usd_per_1000_requests) == (
        2.5,
        15,
        0.5,
    )
    assert (asked.offline, asked.stay) == (True, "device")


def test_an_answer_of_one_token_has_no_speed():
    assert requirements(PlacementSettings(output=1, speed=60.0)).output_tokens_per_s is None
    assert requirements(PlacementSettings(output=2, speed=60.0)).output_tokens_per_s == 60.0


def test_percentages_become_shares():
    around = conditions(
        PlacementSettings(
            utilization=30, years=2.5, charged="50", electricity=0.3, rent_change=150, renting="by-hour"
        )
    )
    assert (around.utilization, around.years, around.share) == (0.3, 2.5, 0.5)
    assert (around.usd_per_kwh, around.price_times, around.by_hour) == (0.3, 1.5, True)
    assert inputs_of(PlacementSettings(sure=95), RELEASE).question.sure == 0.95


@pytest.mark.parametrize(("word", "rule"), list(SUSTAINED_RULES.items()))
def test_the_rule_for_phones_is_the_one_chosen(word, rule):
    assert inputs_of(PlacementSettings(sustained=word), RELEASE).question.sustained_rule is rule


def test_nothing_has_grown_today_and_later_years_grow_with_their_draws():
    today = inputs_of(PlacementSettings(), RELEASE)
    later = inputs_of(PlacementSettings(year=2032), RELEASE)
    assert today.question.drawn_growth is None and np.all(today.question.growth.bandwidth == 1)
    assert np.all(later.question.growth.bandwidth > 1)
    assert later.question.drawn_growth is not None
    assert np.shape(later.question.drawn_growth.bandwidth) == later.question.luck.step.shape
    assert today.words == later.words
    assert all("2032" in name for name in later.names) and not any("2032" in name for name in today.names)


def test_another_model_can_take_the_chosen_ones_place():
    settings = PlacementSettings(work="support-chat")
    assert inputs_of(settings, RELEASE).model == "Llama 3.3 70B"
    small = inputs_of(settings, RELEASE, model="llama-3.1-8b")
    assert small.model == "Llama 3.1 8B"
    assert np.all(small.question.work.requests_per_day == 1_000_000)
