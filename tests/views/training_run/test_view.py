import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from analysis.training_run.device_memory import lacking_words
from charts.chart import BarChart, XYChart
from data.releases import latest, load
from data.standing import rows
from tests.views.links import settings as settings_of
from views.training_run.choices import architectures
from views.training_run.inputs import inputs_of, model_of, sequences
from views.training_run.measured import runs_set_on
from views.training_run.parts import PARTS
from views.training_run.settings import TrainingRunSettings
from views.training_run.view import VIEW
from views.training_run.words import (
    days_words,
    money_words,
    percent,
    range_of_days,
    short_count,
    tokens_words,
)
from views.view import answer, read


def told(query):
    chosen, ignored = read(VIEW, query)
    assert ignored == ()
    return answer(VIEW, chosen)


def test_the_answer_comes_first_with_days_cost_energy_and_utilization():
    result = told("")
    assert [figure.name for figure in result.figures if figure.key] == ["days", "cost_usd", "energy_j", "mfu"]
    assert result.headline.startswith("Llama 3.1 405B on 16,384 H100 SXM takes 7")
    # Llama Team, arXiv:2407.21783: 54 days of snapshot at 38 to 43 % in the run; 30.84 M hours in all, 78 days.
    assert 60 < (result.figure("days").value or 0) < 90
    assert 0.33 < (result.figure("mfu").value or 0) < 0.43


def test_the_parts_of_the_time_add_up_and_each_says_what_to_change():
    result = told("sites=2&ramp_tokens=100")
    rows = result.table.rows
    assert sum(float(row[1] or 0) for row in rows) == pytest.approx(1, abs=1e-6)
    assert {row[0] for row in rows} == {label for label, *_ in PARTS.values()}
    assert all(row[3] for row in rows)


def test_deepseek_v3_takes_about_the_hours_it_reported():
    """DeepSeek-AI, arXiv:2412.19437, table 1: 2.664 million H800 hours, in FP8; here in 16 bits, 1.2 to 1.5 times."""
    result = told(
        "model=deepseek-v3&accelerator=h800&accelerators=2048&tokens=14800&sequence=4096&batch=62.9"
    )
    hours = (result.figure("days").value or 0) * 24 * 2048
    assert 1.2 < hours / 2.664e6 < 1.5


STATED_WITHOUT_EMBEDDINGS = {
    "gpt-oss-20b": 1,
    "gpt-oss-120b": 1,
    "Kimi K2": 1,
    "DeepSeek-V2-Lite": 1,
    "GLM-4.5": 2,
    "GLM-4.5 Air": 2,
}
"""Models whose makers' active parameters leave out the first, or the first and the output layer."""


@pytest.mark.parametrize("word", architectures())
def test_the_model_trained_has_the_parameters_of_the_table(word):
    name, model = model_of(TrainingRunSettings(model=word))
    row = rows("architectures", "name")[name]
    assert model.counted.total == pytest.approx(row["n_parameters"], rel=0.02)
    left_out = STATED_WITHOUT_EMBEDDINGS.get(name, 0) * model.embedding_parameters
    assert model.counted.active - left_out == pytest.approx(row["n_active_parameters"], rel=0.022)


def test_a_mixture_too_large_for_all_memory_together_is_refused():
    """671 billion parameters at 16 byte are 10.7 TB; 32 H100 have 2.56 TB, 256 have 20.5 TB."""
    impossible = answer(VIEW, read(VIEW, "model=deepseek-v3&accelerators=32")[0])
    assert (
        impossible.headline
        == "No plan of 32 accelerators fits: the leanest needs 338 GB on each, where 75.2 of 80 GB can be filled"
    )
    parts: Any = {row[0]: row[1] for row in impossible.exhibits[0].table.rows}
    assert sum(parts.values()) - parts["usable"] == pytest.approx(337e9, rel=0.002)
    memory = {row[0]: row[1] for row in told("model=deepseek-v3&accelerators=256").exhibits[1].table.rows}
    assert float(memory["optimizer states"] or 0) * 256 >= 12 * 671e9


def test_a_part_has_the_charts_name_in_headline_note_and_title():
    by_hand = told("plan=manual&tensor=8&pipeline=16&interleave=8&micro_batch=2")
    assert "the largest other part is the pipeline bubble (" in by_hand.headline
    assert by_hand.notes[0].startswith("Against the pipeline bubble (stages that wait for work): ")
    assert any(each.chart.title.endswith("because of the pipeline bubble") for each in by_hand.exhibits)
    assert any(row[0] == "Pipeline bubble" for row in by_hand.table.rows)


def test_ticks_of_accelerators_are_short_enough_for_a_narrow_screen():
    charts = [each.chart for each in told("").exhibits]
    axes = [chart.x for chart in charts if isinstance(chart, XYChart) and chart.x.title == "Accelerators"]
    assert len(axes) == 3
    assert all(len(tick.label) <= 5 for axis in axes for tick in axis.ticks)
    assert [short_count(number) for number in (1000, 1e5, 1e6)] == ["1,000", "100k", "1M"]


def test_a_plan_by_hand_is_used_as_given_and_never_beats_the_search():
    by_hand = told("plan=manual")
    assert by_hand.settings_line.startswith("Tensor 8 × pipeline 16 × data 128, interleaving 8")
    assert (told("").figure("days").value or 0) <= (by_hand.figure("days").value or 0) * (1 + 1e-9)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("plan=manual&tensor=3", "which does not divide 16,384 accelerators"),
        ("plan=manual&micro_batch=7", "cannot be split over 128 data-parallel devices in micro-batches of 7"),
        ("plan=manual&pipeline=512&tensor=1", "512 pipeline stages are more than the model's 126 layers"),
        (
            "plan=manual&tensor=5&pipeline=16&interleave=8&accelerators=20480&recompute=full",
            "5 tensor-parallel accelerators cannot share 128 attention heads evenly; choose a divisor of 128",
        ),
        (
            "plan=manual&tensor=256&pipeline=1&recompute=full",
            "256 tensor-parallel accelerators cannot share 128",
        ),
        ("plan=manual&expert=8", "8 expert-parallel accelerators cannot share 1 expert evenly"),
        ("model=custom&heads=97", "97 heads are no equal parts of a hidden size of 12288"),
        ("plan=manual&interleave=100", "16 stages of 100 pieces are too many for 126 layers"),
        ("plan=manual&tensor=1&zero=0", "This plan needs "),
        ("accelerators=8", "No plan of 8 accelerators fits: the leanest needs"),
        ("accelerators=1", "No plan of 1 accelerator fits: the leanest needs"),
        (
            "accelerator=v100&precision=fp8",
            "V100 has no FP8 rate in this release; choose another accelerator or 16-bit products",
        ),
        ("accelerator=mtia-300&release=2025-11", "choose another accelerator or release"),
    ],
)
def test_an_impossible_run_is_a_sentence_with_the_next_step(query, said):
    chosen, _ = read(VIEW, query)
    result = answer(VIEW, chosen)
    assert result.notes[0].startswith(result.headline) and len(result.headline) < 120
    assert said in result.notes[0]
    assert result.exhibits


def test_a_supply_limit_is_kept_and_said():
    result = told("available=4096")
    assert result.figure("accelerators").value == 4096
    assert "Only 4,096 of the 16,384 accelerators wanted are available." in result.notes


def test_idle_accelerators_are_said():
    result = told("accelerators=16500")
    assert (result.figure("accelerators").value or 0) < 16500
    assert any("accelerators are left out, and not paid for" in note for note in result.notes)


@pytest.mark.parametrize(
    ("query", "ignored_name", "said"),
    [
        (
            "ramp_from=100&ramp_tokens=1000",
            "ramp_from",
            "a ramp that starts at most at the batch (16.8 million",
        ),
        (
            "batch=0.5&ramp_tokens=1000",
            "ramp_tokens",
            "a ramp that starts at most at the batch (0.5 million tokens)",
        ),
        ("sequence=1048576&batch=0.01", "sequence", "a batch of one sequence at least (1,048,576 tokens)"),
    ],
)
def test_a_batch_that_its_sequence_or_ramp_exceeds_is_said_rather_than_changed(*, query, ignored_name, said):
    _, ignored = read(VIEW, query)
    assert [each.setting for each in ignored] == [ignored_name]
    assert said in ignored[0].allowed


@pytest.mark.parametrize(
    ("batch", "sequence", "number"), [(0.01, 8192, 1), (0.0131, 8192, 2), (16.8, 8192, 2048)]
)
def test_a_batch_is_brought_to_whole_sequences(*, batch, sequence, number):
    assert sequences(TrainingRunSettings(batch=batch, sequence=sequence)) == number


def test_spares_are_paid_for_and_powered():
    without, with_them = told(""), told("spares=50")
    days = [(result.figure("days").value or 0) for result in (without, with_them)]
    assert days[1] < days[0]
    for name in ("cost_usd", "energy_j"):
        before, after = (result.figure(name).value or 0 for result in (without, with_them))
        assert after / before == pytest.approx(1.5 * days[1] / days[0])


def test_more_accelerators_than_help_are_left_out_rather_than_lengthen_the_run():
    runs = [
        told(f"accelerators={number}").figure("days").value or 0 for number in (32_768, 131_072, 1_000_000)
    ]
    assert runs[2] <= runs[1] * 1.001 <= runs[0] * 1.002
    assert (told("accelerators=1000000").figure("accelerators").value or 0) < 500_000


def test_better_parts_of_a_chip_never_lengthen_the_run():
    days = told("").figure("days").value or 0
    for query in ("bandwidth=8", "network=800", "link=900", "memory=141", "jitter=0", "saving=background"):
        assert (told(query).figure("days").value or 0) <= days * (1 + 1e-9), query


def test_cost_and_energy_follow_from_their_parts():
    result = told("price=2&power=1000&pue=1.25")
    days = result.figure("days").value or 0
    assert result.figure("cost_usd").value == pytest.approx(16384 * days * 24 * 2)
    assert result.figure("energy_j").value == pytest.approx(16384 * days * 86400 * 1000 * 1.25)


def test_the_runs_constants_were_set_on_are_within_ten_percent_median_and_twenty_worst():
    runs = runs_set_on(latest())
    errors = sorted(abs(said / was - 1) for _, was, said, _ in runs)
    assert len(runs) >= 13
    assert errors[len(errors) // 2] < 0.10
    assert errors[-1] < 0.20


def test_the_page_names_its_error_on_runs_that_set_no_constant_and_draws_both_kinds_of_run():
    (check,) = [each for each in told("").exhibits if "published runs that set none" in each.chart.title]
    assert check.chart.title.startswith(
        "On 163 published runs that set none of its constants, the model is 12 %"
    )
    used = [row[5] for row in check.table.rows]
    assert (used.count("no"), used.count("yes")) == (163, 28)
    (kinds,) = [each for each in told("").exhibits if "(medians)" in each.chart.title]
    assert isinstance(kinds.chart, BarChart)
    assert [bar.label for bar in kinds.chart.bars if bar.emphasised] == ["Thousands of A100 or H100"]


def test_outside_what_was_checked_the_page_warns_and_inside_it_does_not():
    def sure(query):
        (note,) = [note for note in told(query).notes if "published run" in note]
        return note

    assert "rough guide" not in sure("accelerators=1024")
    assert sure("model=deepseek-v3").endswith("Take this as a rough guide.")
    assert sure("accelerators=1024&sequence=32768").endswith("Take this as a rough guide.")
    assert sure("accelerator=mi300x") == (
        "No published run on the MI300X was at hand to hold this against: take it as a rough guide."
    )


def test_the_time_has_the_range_of_published_runs_of_its_kind():
    days = told("").figure("days")
    assert (days.low or 0) < (days.value or 0) < (days.high or 0)
    assert re.fullmatch(r"\d+–\d+ days", days.interval_text)
    assert told("accelerator=mi300x").figure("days").interval_text == "no run to check by"


@pytest.mark.parametrize(
    "query",
    [
        "accelerator=tpu-v2&model=llama-3.2-1b&accelerators=64",
        "accelerator=tpu-v5e&model=llama-3.1-70b&accelerators=4096",
    ],
)
def test_a_range_whose_errors_lie_on_one_side_still_holds_the_time(query):
    result = told(query)
    days = result.figure("days")
    assert (days.low or 0) < (days.value or 0) <= (days.high or 0)
    assert any("so published runs of its kind were faster. Take" in note for note in result.notes)


def test_doubling_that_gains_little_is_told_apart_from_doubling_that_slows_the_run():
    little, slower = told("link=900"), told("accelerators=32768")
    assert (
        "Doubling 16,384 accelerators makes the run less than 1.5 times faster; this run uses 16,384."
        in little.notes
    )
    assert "Doubling 32,768 accelerators makes the run slower; this run uses 32,768." in slower.notes
    titles = [each.chart.title for result in (little, slower) for each in result.exhibits]
    beyond = [title for title in titles if title.startswith("Beyond")]
    assert beyond[0].startswith("Beyond 16,384 accelerators, doubling them makes the run less than 1.5 times")
    assert beyond[0].endswith("; beyond 32,768, slower")
    assert beyond[1].startswith("Beyond 32,768 accelerators, doubling them makes the run slower, mostly")
    (scaling,) = [each for each in told("accelerators=131072").exhibits if "Beyond" in each.chart.title]
    assert isinstance(scaling.chart, XYChart)
    assert scaling.chart.subtitle.startswith("Days on the fastest plan if all are used")


def test_tokens_batch_and_sequence_stand_in_headline_and_settings_line():
    gpt = told("model=gpt-3-175b&accelerators=1024")
    assert " for 300B tokens: " in gpt.headline
    assert "300B tokens in batches of 16.8M tokens, sequences of 8,192." in gpt.settings_line
    assert all("300B tokens in" in each.chart.source for each in list(gpt.exhibits)[:3])


def test_a_model_has_its_own_tokens_and_one_without_says_what_is_assumed():
    assert (
        told("model=gpt-3-175b").figure("days").value
        == told("model=gpt-3-175b&tokens=300").figure("days").value
    )
    assert told("").figure("days").value == told("tokens=15600").figure("days").value
    assert any(
        "Mixtral 8x7B was trained on is not in our table" in note for note in told("model=mixtral-8x7b").notes
    )
    assert any(note.startswith("How many tokens this model was") for note in told("model=custom").notes)
    assert not any("not in our table" in note for note in told("model=mixtral-8x7b&tokens=2000").notes)


def test_advice_on_a_searched_plan_lies_outside_it_and_has_its_effect():
    result = told("")
    note = result.notes[0]
    found = re.fullmatch(
        r"Against tensor-parallel exchange \(.*\), now \d+ days in all: twice the link, 900 GB/s each way: (\d+) "
        r"days\.",
        note,
    )
    assert found, note
    assert round(told("link=900").figure("days").value or 0) == int(found[1])
    assert not re.search(
        "use fewer|interleav|deeper|split its", " ".join(str(row[3]) for row in result.table.rows)
    )


def test_advice_on_a_plan_by_hand_names_the_plan_that_the_search_finds():
    result = told("plan=manual&interleave=1")
    days = round(told("").figure("days").value or 0)
    assert f"With plan=auto the run takes {days} days instead of" in result.notes[0]
    assert not any("With plan=auto" in note for note in told("plan=manual").notes)


def test_saving_more_often_is_advised_only_where_the_interval_is_the_readers():
    own = told("hours_per_failure=100&accelerators=1024&checkpoint=500")
    best = told("hours_per_failure=100&accelerators=1024")
    assert any("the checkpoint interval that wastes least" in note for note in own.notes)
    assert not any("wastes least" in note or "save more often" in note for note in best.notes)


def test_a_batch_far_beyond_its_critical_size_is_told():
    (note,) = [note for note in told("batch=1000").notes if "critical size" in note]
    assert note.startswith("A batch of 1.01B tokens is 87× its critical size (11.6M tokens, Kaplan 2020)")
    assert not any("critical size" in note for note in told("").notes)


def test_the_plan_stands_only_under_charts_it_describes():
    for exhibit in told("sites=2").exhibits:
        own = exhibit.chart.title.startswith(("Llama 3.1 405B on", "The fullest accelerator", "2 sites"))
        assert ("Tensor 8" in exhibit.chart.source) is own, exhibit.chart.title


def test_an_impossible_run_draws_and_lists_what_was_asked_for():
    chosen, _ = read(VIEW, "plan=manual&tensor=3")
    (exhibit,) = answer(VIEW, chosen).exhibits
    assert isinstance(exhibit.chart, BarChart)
    assert [bar.label for bar in exhibit.chart.bars][:4] == [
        "Accelerators",
        "Sequences in a batch",
        "Tokens in a sequence",
        "Tensor parallel",
    ]
    assert "does not divide 16,384" in str(exhibit.table.rows[-1][0])


def test_memory_that_lacks_little_stands_beside_what_can_be_filled():
    """78 of 80 GB fit the chip and not the run: driver, kernels and exchange buffers take 6 %."""
    machine = inputs_of(TrainingRunSettings(), load(latest())).machine
    assert lacking_words(78e9, machine) == "78 GB on each, where 75.2 of 80 GB can be filled"
    assert lacking_words(75.21e9, machine).startswith("75.3 GB on each")
    assert lacking_words(6536e9, machine) == "6,536 GB on each, where 75.2 of 80 GB can be filled"
    result = answer(VIEW, read(VIEW, "accelerators=1")[0])
    assert result.headline.endswith(" of 80 GB can be filled")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(settings_of(VIEW))
def test_any_choices_are_answered(chosen):
    result = answer(VIEW, chosen)
    assert result.headline and result.exhibits
    assert not re.search(r"\bnan\b|\binf\b|(?<!\d) %", " ".join([result.headline, *result.notes]))


def test_shares_and_lengths_read_well_at_any_size():
    assert [percent(share) for share in (0.63, 0.0253, 0.0, 1.0, 0.9977, 0.99977)] == [
        "63 %",
        "2.5 %",
        "less than 0.1 %",
        "100 %",
        "99.8 %",
        "more than 99.9 %",
    ]
    assert [days_words(days) for days in (2e-4, 0.002, 0.2, 73.4, 129.2, 5000, 1e12)] == [
        "17 seconds",
        "2.9 minutes",
        "4.8 hours",
        "73 days",
        "129 days",
        "14 years",
        "practically forever",
    ]
    assert [range_of_days(*ends) for ends in ((70, 88), (0.5, 1.2), (1e9, 1e10))] == [
        "70–88 days",
        "12 hours–1.2 days",
        "practically forever–practically forever",
    ]


def test_tokens_and_money_read_well_at_any_size():
    assert [tokens_words(number) for number in (3e11, 1.56e13, 16_777_216, 1e12, 2048, 7)] == [
        "300B tokens",
        "15.6T tokens",
        "16.8M tokens",
        "1T tokens",
        "2.05k tokens",
        "7 tokens",
    ]
    assert [money_words(usd) for usd in (950_000, 40.8e6, 3.02e10, 4e19)] == [
        "$950,000",
        "$40.8 million",
        "$30.2 billion",
        "more than a quadrillion dollars",
    ]


def test_sites_far_apart_show_what_they_wait_and_one_site_does_not():
    apart = told("sites=4&local_steps=50&wide_area=10")
    titles = [exhibit.chart.title for exhibit in apart.exhibits]
    (title,) = [title for title in titles if "sites that meet" in title]
    assert title.startswith("4 sites that meet every 50 steps over 10 Gbit/s spend ")
    assert not any("sites that meet" in exhibit.chart.title for exhibit in told("").exhibits)
    assert (apart.figure("days").value or 0) > (told("").figure("days").value or 0)


def test_compute_in_place_of_tokens_gives_the_same_run():
    by_tokens = told("model=gpt-3-175b&tokens=300")
    by_compute = told("model=gpt-3-175b&compute=315")
    ratio = (by_compute.figure("days").value or 0) / (by_tokens.figure("days").value or 1)
    assert ratio == pytest.approx(315e21 / (6 * 174.6e9 * 300e9), rel=0.01)


def test_zero_in_links_of_old_still_means_as_it_comes():
    names = ("tokens", "compute", "peak", "bandwidth", "memory", "link", "network", "domain", "available")
    old = "&".join(f"{name}=0" for name in (*names, "price", "power"))
    result = told(old)
    assert result.link == told("").link
    assert "&peak=&" in result.link and result.settings["peak"] == ""
