"""What limits a training run: the answer as a whole."""

from functools import partial
from statistics import median

import pytest

from analysis.model_errors.comparison import from_text
from analysis.training_run.device_memory import USABLE_SHARE
from analysis.training_run.layer_time import SUSTAINED
from analysis.training_run.published import error_sizes
from analysis.training_run.tables import published_runs
from data import records
from data.releases import latest
from data.standing import table
from tests.views.reading import answer_to, value
from views import written
from views.training_run.answer import held_out_by_source
from views.training_run.view import VIEW
from views.training_run.words import percent
from views.view import read

ask = partial(answer_to, VIEW, holds=True)
METHOD = " ".join(VIEW.method)
TABLES = written.toml(__file__, name="advice.toml")


def test_the_answer_comes_first_with_days_cost_energy_and_utilization():
    result = ask()
    assert [figure.name for figure in result.figures if figure.key] == ["days", "cost_usd", "mfu"]
    assert result.headline == "16,384 H100s train Llama 3.1 405B in 72 days, limited by compute"
    assert " is 58–91 days. Matmuls and attention take 61% of the time; the largest " in result.subtitle
    assert (
        " without pauses, tests or repeats" in result.subtitle
        and "half took at least 22% more" in result.notes[0]
    )
    # Llama Team, arXiv:2407.21783: 54 days of snapshot at 38 to 43 % in the run; 30.84 M hours in all, 78 days.
    assert 60 < value(result, "days") < 90
    assert 0.33 < value(result, "mfu") < 0.43 and "failures" in result.figure("mfu").interval_text


def test_deepseek_v3_takes_about_the_hours_it_reported():
    """DeepSeek-AI, arXiv:2412.19437, table 1: 2.664 million H800 hours in FP8, the exchange of experts hidden."""
    query = "model=deepseek-v3&accelerator=h800&accelerators=2048"
    result = ask(query)
    hours = value(result, "days") * 24 * 2048
    assert 0.85 < hours / 2.664e6 < 1.15
    assert "Pipeline 16 × data 128 × expert 64" in result.settings_line and "FP8" in result.settings_line
    assert "batches of 62.9M" in result.settings_line
    assert value(ask(f"{query}&expert_overlap=0"), "days") * 24 * 2048 > 1.15 * hours


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("model=tinyllama-1.1b&accelerator=a100-40-gb&accelerators=16", 90),
        ("model=bloom-176b&accelerator=a100-80-gb&accelerators=384", 108),
        ("model=llama-2-70b&accelerator=a100-80-gb&accelerators=2048", 35),
    ],
)
def test_other_named_models_take_about_as_long_as_published_with_nothing_else_chosen(*, query, days):
    """TinyLlama's README; BLOOM's 150 TFLOP/s on 366B tokens; Llama 2's model card, 1.72 million hours."""
    assert value(ask(query), "days") == pytest.approx(days, rel=0.2)


def test_a_plan_as_published_is_used_where_it_splits_the_run_and_else_the_fastest_with_the_reason():
    assert ask().settings_line.startswith("Tensor 8 × pipeline 16 × data 128, interleaving")
    other = ask("model=llama-2-7b&accelerator=a100-80-gb&accelerators=1000")
    assert any("is not published, so this is the fastest plan" in note for note in other.notes)
    fastest, published = (value(ask(f"accelerators=4096{plan}"), "days") for plan in ("&plan=auto", ""))
    assert fastest <= published * (1 + 1e-9)


def test_a_part_has_the_charts_name_in_headline_note_and_title():
    by_hand = ask("plan=manual&tensor=8&pipeline=16&interleave=8&micro_batch=2")
    assert "the largest overhead is the pipeline bubble (" in by_hand.subtitle
    assert by_hand.changes[0].startswith("To reduce the pipeline bubble, ")
    assert any(each.chart.title.endswith("because of the pipeline bubble") for each in by_hand.exhibits)
    assert any(row[0] == "Pipeline bubble" for row in by_hand.table.rows)


def test_a_plan_by_hand_is_used_as_given_and_never_beats_the_search():
    degrees = "tensor=8&pipeline=16&context=1&expert=1&interleave=8&micro_batch=1&zero=1&recompute=none"
    by_hand = ask(f"plan=manual&{degrees}")
    assert "× data 128, interleaving 8, micro-batch 1, ZeRO 1, no recomputation" in by_hand.settings_line
    assert value(ask(), "days") <= value(by_hand, "days") * (1 + 1e-9)


def test_the_plan_stands_only_under_charts_it_describes():
    for exhibit in ask("sites=2").exhibits:
        own = exhibit.chart.title.startswith(("16,384 H100s train", "The fullest accelerator", "2 sites"))
        assert ("Tensor 8" in exhibit.chart.source) is own, exhibit.chart.title


@pytest.mark.parametrize(
    ("query", "ignored_name", "allowed"),
    [*TABLES["ignored"], ("model=custom&experts=8&active_experts=8", None, ""), ("batch=0.5", None, "")],
)
def test_choices_that_contradict_each_other_are_said_rather_than_changed(*, query, ignored_name, allowed):
    _, ignored = read(VIEW, query)
    assert next((each.setting for each in ignored), None) == ignored_name
    assert not ignored or allowed in ignored[0].allowed


def test_zero_in_links_of_old_still_means_the_default():
    names = "tokens compute ramp_tokens checkpoint peak bandwidth memory link network domain available price power"
    assert ask("&".join(f"{name}=0" for name in names.split())).link == ask().link


def test_outside_what_was_checked_the_page_warns_and_inside_it_does_not():
    def sure(query):
        note, *_ = [note for note in ask(query).sure if "comparable runs" in note or "published run" in note]
        return note

    assert "rough guide" not in sure("accelerators=1024")
    assert "rough guide" not in sure("model=deepseek-v3")
    assert sure("accelerator=mi355x").endswith(", so take this result as a rough guide.")
    assert sure("accelerator=mi300x").startswith("We know of no published run on the MI300X")


def test_advice_on_a_plan_by_hand_names_the_plan_that_the_search_finds():
    result = ask("plan=manual&interleave=1")
    days = round(value(ask(), "days"))
    assert f"On the fastest plan, the run would take {days} days instead of" in result.changes[0]
    assert not any("On the fastest plan" in note for note in ask("plan=manual").changes)


def test_a_batch_far_beyond_every_published_one_is_told_and_no_published_batch_is():
    (note,) = [note for note in ask("batch=1000").notes if "largest published" in note]
    assert note.startswith("A batch of 1.01B tokens is 15× the largest published one (67.1M tokens, ")
    for query in ("", "model=deepseek-v3", "model=kimi-k2"):
        assert not any("largest published" in note for note in ask(query).notes)


def test_a_run_that_failures_eat_up_says_so_and_advises_saving_only_where_the_interval_is_set():
    def lost(query):
        (note,) = [note for note in ask(query).notes if note.startswith("Failures take more than half")]
        return note

    assert "save more often" in lost("hours_per_failure=3000&checkpoint=600")
    assert "save more often" not in lost("hours_per_failure=3000")
    assert not any("Failures take" in note for note in ask().notes)


def test_spares_are_paid_for_and_powered():
    without, with_them = ask(), ask("spares=50")
    days = [value(result, "days") for result in (without, with_them)]
    assert days[1] < days[0]
    for name in ("cost_usd", "energy_j"):
        before, after = (value(result, name) for result in (without, with_them))
        assert after / before == pytest.approx(1.5 * days[1] / days[0])


def test_the_method_states_the_errors_as_they_are():
    runs = published_runs(latest())
    everything, covered = error_sizes(runs), [run.within for run in runs if run.held_out]
    llama, megatron = (len(table(f"published_{name}")) for name in ("llama_training", "megatron"))
    chosen = len(runs) - len(everything) + llama + megatron
    assert (
        llama == 3 and f"chosen with {chosen} published runs, among them three of Llama 3.1 405B." in METHOD
    )
    by_source = held_out_by_source()
    assert f"includes {by_source.rows - len(everything)} runs known only from" in METHOD
    assert f"The median error over its sources is {percent(by_source.size)}." in METHOD
    assert f"of {percent(by_source.size)} ({by_source.rows} runs of {by_source.sources} " in ask().sure[0]
    test = records.blind_tests("training")["all"]
    assert f"In a blind test on {test['n_rows']} runs, which have joined the fit since, " in ask().sure[2]
    assert ask().sure[2].endswith(f"the median error was {test['median_error_percent']:.0f}%.")
    assert f"The other {len(everything)} runs (" in METHOD
    assert f"speed of these {len(everything)} runs was {percent(median(everything))}." in METHOD
    assert f"covered {100 * sum(covered) / len(covered):.0f}% of these" in METHOD


def test_the_constants_in_words_are_those_that_are_computed_with():
    assert f"Matmuls run at {SUSTAINED.matmul:.0%} of the best rate" in METHOD
    assert f"Moving the bytes of matmuls takes additional time, at {SUSTAINED.memory:.0%}" in METHOD
    assert f"Fused attention runs at {SUSTAINED.fused_attention:.0%} of the measured rate" in METHOD
    assert f"at {SUSTAINED.fused_attention_before_hopper:.0%} of it on chips older than Hopper" in METHOD
    assert f"Collectives reach {SUSTAINED.link:.0%} of the bandwidth" in METHOD
    assert f"and {SUSTAINED.network:.0%} of the network port's" in METHOD
    assert f"do not fit in {USABLE_SHARE:.0%} of memory" in METHOD


def test_a_recipe_that_was_not_checked_in_its_source_says_so():
    words = "The recipe of Kimi K2 comes from a secondary source; we did not check the original source."
    assert words in ask("model=kimi-k2").sure
    assert not any("we did not check" in line for line in ask("model=llama-2-70b").sure)


@pytest.mark.parametrize(("query", "hours", "paced", "chosen"), TABLES["own_runs"])
def test_the_original_run_is_compared_with_what_its_own_data_were_used_for(*, query, hours, paced, chosen):
    told = ask(query).sure[1]
    assert f"reportedly took {hours} hours;" in told
    assert f"comparable runs {'includes' if paced else 'does not include'} that run." in told
    assert ("constants of the step-time model were chosen with speeds" in told) is chosen
    assert told.endswith("failure rate is that run's, too.") is (query == "")
    assert "failure rate" not in ask(f"{query}&hours_per_failure=100").sure[1]


def test_a_run_without_its_source_and_model_is_predicted_as_on_record():
    """Its hours follow from the held-out speed that /model-errors compares with the published one."""
    record = (records.FOLDER / "model_errors/training.csv").read_text(encoding="utf-8")
    (row,) = [row for row in from_text(record) if row.row_id == "r33"]
    assert f"recipe gives {30.84 / row.ratio:.1f} million hours." in ask().sure[1]
