"""What limits a training run: the answer as a whole."""

import re

from charts.chart import XYChart
from tests.views.links import corpus
from tests.views.training_run.answers import ask, value
from views.training_run.view import VIEW
from views.view import answer, read


def test_the_answer_comes_first_with_days_cost_energy_and_utilization():
    result = ask()
    assert [figure.name for figure in result.figures if figure.key] == ["days", "cost_usd", "mfu"]
    assert result.headline == "Llama 3.1 405B on 16,384 H100 takes 75 days"
    assert result.subtitle.startswith(
        "64–87 days, judged by published runs like it. 61 % of the time is matrix products and attention; "
    )
    # Llama Team, arXiv:2407.21783: 54 days of snapshot at 38 to 43 % in the run; 30.84 M hours in all, 78 days.
    assert 60 < value(result, "days") < 90
    assert 0.33 < value(result, "mfu") < 0.43


def test_deepseek_v3_takes_about_the_hours_it_reported():
    """DeepSeek-AI, arXiv:2412.19437, table 1: 2.664 million H800 hours in FP8, the exchange of experts hidden."""
    query = "model=deepseek-v3&accelerator=h800&accelerators=2048&tokens=14800&sequence=4096&batch=62.9&precision=fp8"
    hours = value(ask(f"{query}&expert_overlap=100"), "days") * 24 * 2048
    assert 0.85 < hours / 2.664e6 < 1.15
    assert value(ask(query), "days") * 24 * 2048 > 1.4 * hours


def test_overlap_of_experts_stands_in_the_settings_line_where_there_is_any():
    query = "model=deepseek-v3&accelerator=h800&accelerators=2048"
    half = ask(f"{query}&expert_overlap=50")
    assert "50 % of the exchange between experts overlapped." in half.settings_line
    assert "overlapped" not in ask(query).settings_line
    assert "&expert_overlap=50" in half.link


def test_a_part_has_the_charts_name_in_headline_note_and_title():
    by_hand = ask("plan=manual&tensor=8&pipeline=16&interleave=8&micro_batch=2")
    assert "the largest other part is the pipeline bubble (" in by_hand.subtitle
    assert by_hand.changes[0].startswith("Against the pipeline bubble (stages that wait for work): ")
    assert any(each.chart.title.endswith("because of the pipeline bubble") for each in by_hand.exhibits)
    assert any(row[0] == "Pipeline bubble" for row in by_hand.table.rows)


def test_ticks_of_accelerators_are_short_enough_for_a_narrow_screen():
    charts = [each.chart for each in ask().exhibits]
    axes = [
        chart.x for chart in charts if isinstance(chart, XYChart) and chart.x.title.startswith("Accelerators")
    ]
    assert len(axes) == 3
    assert all(len(tick.label) <= 5 for axis in axes for tick in axis.ticks)


def test_a_plan_by_hand_is_used_as_given_and_never_beats_the_search():
    by_hand = ask("plan=manual")
    assert by_hand.settings_line.startswith("Tensor 8 × pipeline 16 × data 128, interleaving 8")
    assert value(ask(), "days") <= value(by_hand, "days") * (1 + 1e-9)


def test_more_accelerators_than_help_are_left_out_rather_than_lengthen_the_run():
    runs = [value(ask(f"accelerators={number}"), "days") for number in (32_768, 131_072, 1_000_000)]
    assert runs[2] <= runs[1] * 1.001 <= runs[0] * 1.002
    assert value(ask("accelerators=1000000"), "accelerators") < 500_000


def test_better_parts_of_a_chip_never_lengthen_the_run():
    days = value(ask(), "days")
    for query in ("bandwidth=8", "network=800", "link=900", "memory=141", "jitter=0", "saving=background"):
        assert value(ask(query), "days") <= days * (1 + 1e-9), query


def test_tokens_batch_and_sequence_stand_in_the_settings_line():
    gpt = ask("model=gpt-3-175b&accelerators=1024")
    assert "300B tokens in batches of 16.8M, sequences of 8,192." in gpt.settings_line
    assert all("300B tokens in" in each.chart.source for each in list(gpt.exhibits)[:3])


def test_the_plan_stands_only_under_charts_it_describes():
    for exhibit in ask("sites=2").exhibits:
        own = exhibit.chart.title.startswith(("Llama 3.1 405B on", "The fullest accelerator", "2 sites"))
        assert ("Tensor 8" in exhibit.chart.source) is own, exhibit.chart.title


def test_any_choices_are_answered():
    for query in corpus(VIEW):
        result = answer(VIEW, read(VIEW, query)[0])
        assert len([figure for figure in result.figures if figure.key]) == (3 if result.figures else 0)
        assert not result.figures or not list(result.cards)
        assert not re.search(
            r"\bnan\b|\binf\b|(?<!\d) %",
            " ".join([result.headline, result.subtitle, *result.notes, *result.sure]),
        )
