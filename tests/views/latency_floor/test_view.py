"""What is the fastest possible answer: the answer as a whole."""

import pytest

from data.releases import names
from tests.views import links
from tests.views.latency_floor.answers import ask, value
from views.latency_floor.view import VIEW
from views.view import answer, read


def test_the_answer_comes_first_with_what_binds_and_where_more_chips_stop_helping():
    result = ask()
    assert result.headline == "Llama 3.1 70B on 8 H100: at most 360 tokens a second"
    assert result.changes[0] == (
        "More chips in each layer help: only beyond 382 do they save less than 10 % of the time."
    )
    assert result.subtitle.startswith(
        "Without software overhead or drafts: 94 % of the time is reading weights."
    )
    assert "reading weights" in result.figure("time_per_output_token_s").interval_text
    assert 64 <= value(result, "fastest_chips_per_layer") <= 512


def test_any_settings_give_three_key_figures_or_none():
    for query in links.corpus(VIEW):
        result = answer(VIEW, read(VIEW, query)[0])
        assert len([figure for figure in result.figures if figure.key]) == (3 if result.figures else 0)
        assert all(exhibit.section != "finding" for exhibit in result.exhibits[1:])


@pytest.mark.parametrize("release", names())
def test_every_release_answers(release):
    assert ask(f"release={release}").headline


def test_a_split_past_the_fastest_says_that_fewer_are_faster():
    result = ask("chip=wse-3")
    assert result.changes[0] == (
        "One chip in each layer would allow 6,200 tokens a second; sharing over more slows it down."
    )
    assert result.exhibits[0].chart.title == "One WSE-3 per layer is fastest; sharing over more slows it down"


def test_a_draft_is_said_where_the_floor_counts_it():
    drafted = ask("speculative_tokens=4")
    assert "4 draft tokens, 80 % accepted." in drafted.settings_line
    assert "or drafts" not in drafted.subtitle and "overhead or drafts" in ask().subtitle


def test_a_model_too_large_says_how_many_chips_it_needs():
    result = ask("model=llama-3.1-405b&format=fp16&tensor_parallel=1&pipeline_parallel=1")
    assert result.headline == "Llama 3.1 405B needs at least 11 H100, not 1"
    assert result.subtitle == "With FP16 weights the chip would hold 816 GB, and it has 80 GB."
    assert result.notes[0].startswith("Add stages or chips")
    assert ask("model=llama-3.1-70b&chip=groq-lpu&tensor_parallel=1").headline.endswith(
        "needs at least 319 Groq LPU, not 80"
    )


def test_a_model_whose_fullest_stage_does_not_fit_says_so_though_all_chips_together_have_room():
    result = ask("model=llama-3.1-405b&format=fp16&tensor_parallel=1&pipeline_parallel=11&batch=16")
    assert result.headline == "Llama 3.1 405B does not fit on 11 H100 in 11 stages"


def test_ordinary_dram_is_slower_than_hbm():
    dram, hbm = (ask(f"chip={chip}&tensor_parallel=1&model=llama-3.1-8b") for chip in ("ddr5-server", "h100"))
    ratio = value(hbm, "output_tokens_per_s") / value(dram, "output_tokens_per_s")
    assert ratio == pytest.approx(3350 / 614.4, rel=0.05)
