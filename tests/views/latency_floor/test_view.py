"""What is the fastest possible answer: the answer as a whole."""

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings

from data.releases import names
from tests.views import links
from tests.views.latency_floor.answers import ask, value
from views.latency_floor.view import VIEW
from views.result import as_json
from views.view import answer


def test_the_answer_comes_first_with_what_binds_and_where_more_chips_stop_helping():
    result = ask()
    assert result.headline.startswith(
        "Llama 3.1 70B cannot answer faster than about 360 tokens a second on 8 × H100 SXM without drafts"
    )
    assert "sharing each layer, more chips save under 10 %" in result.headline
    assert "reading weights" in result.figure("time_per_output_token_s").interval_text
    assert 64 <= value(result, "fastest_chips_per_layer") <= 512


@given(links.settings(VIEW))
@hypothesis_settings(max_examples=25, deadline=None)
def test_any_settings_give_an_answer(settings):
    result = answer(VIEW, settings)
    assert result.headline and result.exhibits
    as_json(result)


@pytest.mark.parametrize("release", names())
def test_every_release_answers(release):
    assert ask(f"release={release}").headline


def test_a_split_past_the_fastest_says_that_fewer_are_faster():
    result = ask("chip=wse-3")
    assert result.headline.endswith("; one a layer would allow 30,000, sharing over more slows it")
    assert result.exhibits[0].chart.title == "One WSE-3 a layer is fastest; sharing over more slows it"


def test_a_draft_is_said_where_the_floor_counts_it():
    assert "with these drafts" in ask("speculative_tokens=4").headline
    assert "without drafts" in ask().headline


def test_a_model_too_large_says_how_many_chips_it_needs():
    result = ask("model=llama-3.1-405b&format=fp16&tensor_parallel=1&pipeline_parallel=1")
    assert result.headline == "Llama 3.1 405B at FP16 does not fit one H100 SXM: it needs at least 11 chips"
    assert any("Add stages or chips" in note for note in result.notes)


def test_ordinary_dram_is_slower_than_hbm():
    dram, hbm = (ask(f"chip={chip}&tensor_parallel=1&model=llama-3.1-8b") for chip in ("ddr5-server", "h100"))
    ratio = value(hbm, "output_tokens_per_s") / value(dram, "output_tokens_per_s")
    assert ratio == pytest.approx(3350 / 614.4, rel=0.05)
