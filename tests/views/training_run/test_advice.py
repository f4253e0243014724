"""What would shorten a run whose plan is already the fastest."""

import re
from dataclasses import replace
from functools import partial

import pytest

from analysis.training_run.device_memory import lacking_words
from analysis.training_run.outlook import WORK
from data.releases import latest, load
from tests.views.reading import answer_to, value
from views import wording, written
from views.training_run.inputs import DEGREES, inputs_of
from views.training_run.notes import changes_that_help
from views.training_run.parts import PARTS
from views.training_run.settings import TrainingRunSettings
from views.training_run.view import VIEW
from views.view import answer, read

TABLES = written.toml(__file__, name="advice.toml")

ask = partial(answer_to, VIEW, holds=True)
ask_the_impossible = partial(answer_to, VIEW)


@pytest.fixture
def inputs():
    return inputs_of(TrainingRunSettings(accelerators=1024), load(latest())).run


def test_every_part_that_is_no_matrix_work_has_changes_to_try():
    assert all(bool(part.changes) != (name in WORK) for name, part in PARTS.items())


@pytest.mark.parametrize("part", sorted(set(PARTS) - set(WORK)))
def test_changes_that_are_told_shorten_the_run_and_the_best_comes_first(inputs, part):
    shorter = changes_that_help(inputs, part=part, seconds=1e12)
    lengths = [seconds for _, seconds in shorter]
    assert lengths == sorted(lengths)
    assert all(seconds < 1e12 and words for words, seconds in shorter)


def test_exchange_between_experts_is_told_hidden_where_it_is_not_yet():
    """DeepSeek-V3 took 54 days of 2,048 H800 (arXiv:2412.19437, table 1) with all of it hidden."""

    def helps(overlap):
        mixture = TrainingRunSettings(model="deepseek-v3", accelerator="h800", accelerators=2048)
        run = inputs_of(replace(mixture, expert_overlap=overlap), load(latest())).run
        return [words for words, _ in changes_that_help(run, part="expert_s", seconds=1e12)]

    assert helps(0)[0] == "all of it overlapped, as in DeepSeek-V3"
    assert not any("overlapped" in words for words in helps(100))


def test_the_network_is_tried_where_a_tensor_group_spans_servers():
    wide = inputs_of(TrainingRunSettings(accelerators=32768), load(latest())).run
    (only,) = changes_that_help(wide, part="tensor_s", seconds=46 * 86400)
    assert only[0] == "a network of 800 Gbit/s"
    narrow = inputs_of(TrainingRunSettings(), load(latest())).run
    shorter = changes_that_help(narrow, part="tensor_s", seconds=1e12)
    assert shorter and not any("network" in words for words, _ in shorter)


def test_advice_on_a_searched_plan_lies_outside_it_and_has_its_effect():
    result = ask("plan=auto")
    days = round(value(ask("plan=auto&link=900"), "days"))
    advice = f"To reduce tensor-parallel communication, try a link of 900 GB/s each way ({days} days)."
    assert result.changes[0] == advice
    told = " ".join(str(row[3]) for row in result.table.rows)
    assert not re.search("use fewer|interleav|deeper|split its", told)


@pytest.mark.parametrize(("query", "reason"), TABLES["impossible"])
def test_an_impossible_run_is_a_sentence_with_the_next_step(query, reason):
    result = ask_the_impossible(query)
    (card,) = result.cards
    assert card.tone == "bad" and (card.text or card.links)
    assert reason in f"{result.subtitle.rstrip('.')}; {wording.small_initial(card.text)}"
    assert len(result.headline.split()) <= 12 and result.exhibits and result.figures == ()


@pytest.mark.parametrize(("query", "text"), TABLES["ways_out"])
def test_the_way_out_leads_to_a_run_that_can_be_done_with_all_else_as_chosen(query, text):
    refused, _ = read(VIEW, query)
    (card,) = ask_the_impossible(query).cards
    (link,) = card.links
    assert link.text == text
    path, _, query = link.address.partition("?")
    settings, ignored = read(VIEW, query)
    assert (path, ignored) == (VIEW.path, ())
    assert answer(VIEW, settings).figures
    assert all(getattr(settings, name) == getattr(TrainingRunSettings(), name) for name in DEGREES)
    moved = {"plan", "accelerators", "available", "precision", "release", *DEGREES}
    differ = dict(settings.described().items() - refused.described().items())
    assert differ.keys() <= moved


def test_memory_that_lacks_little_stands_beside_what_can_be_filled():
    """78 of 80 GB fit the chip and not the run: driver, kernels and exchange buffers take 6 %."""
    machine = inputs_of(TrainingRunSettings(), load(latest())).run.machine
    assert lacking_words(78e9, machine) == "78 GB on each, but only 75.2 of 80 GB can be used"
    assert lacking_words(75.21e9, machine).startswith("75.3 GB on each")
    assert lacking_words(6536e9, machine) == "6,536 GB on each, but only 75.2 of 80 GB can be used"
