import re

import pytest
from hypothesis import HealthCheck, given, settings

from data.releases import latest
from data.standing import rows
from tests.views.links import settings as settings_of
from views.training_run import VIEW
from views.training_run_inputs import model_of, sequences
from views.training_run_measured import measured
from views.training_run_parts import PARTS
from views.training_run_settings import TrainingRunSettings, architectures
from views.training_run_words import days_words, percent
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
    assert model.n_parameters == pytest.approx(row["n_parameters"], rel=0.02)
    left_out = STATED_WITHOUT_EMBEDDINGS.get(name, 0) * model.embedding_parameters
    assert model.n_active_parameters - left_out == pytest.approx(row["n_active_parameters"], rel=0.022)


def test_a_mixture_too_large_for_all_memory_together_is_refused():
    """671 billion parameters at 16 byte are 10.7 TB; 32 H100 have 2.56 TB, 256 have 20.5 TB."""
    impossible = answer(VIEW, read(VIEW, "model=deepseek-v3&accelerators=32")[0])
    assert impossible.headline == "This run cannot be done as chosen"
    memory = {row[0]: row[1] for row in told("model=deepseek-v3&accelerators=256").exhibits[1].table.rows}
    assert float(memory["optimizer states"] or 0) * 256 >= 12 * 671e9


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
        ("accelerator=v100&precision=fp8", "V100 has no peak_fp8_dense_flop_per_s in this release"),
        ("accelerator=mtia-300&release=2025-11", "choose another accelerator or release"),
    ],
)
def test_an_impossible_run_is_a_sentence_with_the_next_step(query, said):
    chosen, _ = read(VIEW, query)
    result = answer(VIEW, chosen)
    assert result.headline == "This run cannot be done as chosen"
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
def test_a_batch_that_its_sequence_or_ramp_exceeds_is_said_rather_than_changed(query, ignored_name, said):
    _, ignored = read(VIEW, query)
    assert [each.setting for each in ignored] == [ignored_name]
    assert said in ignored[0].allowed


@pytest.mark.parametrize(
    ("batch", "sequence", "number"), [(0.01, 8192, 1), (0.0131, 8192, 2), (16.8, 8192, 2048)]
)
def test_a_batch_is_brought_to_whole_sequences(batch, sequence, number):
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


def test_the_page_shows_predicted_against_measured_within_ten_percent_median_and_twenty_worst():
    runs = measured(latest())
    errors = sorted(abs(said / was - 1) for _, was, said, _ in runs)
    assert len(runs) >= 13
    assert errors[len(errors) // 2] < 0.10
    assert errors[-1] < 0.20
    assert any("published runs" in exhibit.chart.title for exhibit in told("").exhibits)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(settings_of(VIEW))
def test_any_choices_are_answered(chosen):
    result = answer(VIEW, chosen)
    assert result.headline and result.exhibits
    assert not re.search(r"\bnan\b|\binf\b|(?<!\d) %", " ".join([result.headline, *result.notes]))


def test_shares_and_lengths_read_well_at_any_size():
    assert [percent(share) for share in (0.63, 0.0253, 0.0, 1.0)] == [
        "63 %",
        "2.5 %",
        "less than 0.1 %",
        "100 %",
    ]
    assert [days_words(days) for days in (0.2, 73.4, 129.2, 5000, 1e12)] == [
        "4.8 hours",
        "73 days",
        "129 days",
        "14 years",
        "practically forever",
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
