"""The date of the software: what a link may say, what stands for none, and what newer software would do."""

import re

import pytest

from data.releases import latest, load
from tests.views.training_run.answers import ask, value
from views.training_run.inputs import inputs_of
from views.training_run.measured import paces
from views.training_run.settings import TrainingRunSettings
from views.training_run.software import CHIPS_TIME, date_words, newest_gain, year_of
from views.training_run.software import traits as traits_of


def inputs(**settings):
    return inputs_of(TrainingRunSettings(**settings), load(latest()))


@pytest.mark.parametrize(
    ("text", "year"), [("2024", 2024.5), ("2024-01", 2024 + 0.5 / 12), ("2025-12", 2025 + 11.5 / 12)]
)
def test_a_date_is_the_middle_of_its_year_or_month(text, year):
    assert year_of(text, machine=inputs().machine, known=paces(latest())) == pytest.approx(year)


def test_software_is_of_the_chips_time_unless_a_link_says_otherwise():
    chip = inputs().machine.chip
    assert inputs().software_year == pytest.approx(chip.released_year + 1.5)
    assert inputs(software=CHIPS_TIME).pace == inputs().pace
    assert inputs(accelerator="gb300").software_year == paces(latest()).newest("NVIDIA")


def test_newer_software_is_faster_and_its_date_stands_under_the_chart():
    early, plain, late = ask("software=2022-06"), ask(), ask("software=2026")
    assert value(late, "days") < 0.9 * value(plain, "days") < 0.9 * value(early, "days")
    assert "Software of Jun 2022." in early.settings_line and "Software of 2026." in late.settings_line
    assert "Software of" not in plain.settings_line
    assert "Software of 2026." in late.exhibits[0].chart.source and "&software=2026&" in late.link
    assert late.figure("pace").label == "Pace of published runs alike, software of Jul 2026"
    assert value(late, "pace") > value(plain, "pace")


def test_software_from_before_hoppers_own_kernels_runs_the_slower_attention():
    assert inputs(software="2023").machine.early_kernels
    assert not inputs(software="2024-06").machine.early_kernels and not inputs().machine.early_kernels


def test_what_the_newest_software_would_do_is_said_where_there_is_newer():
    (note,) = [note for note in ask().changes if note.startswith("With software of")]
    told = re.search(r"instead of Mar 2024: (\d+) days \((\d+)–(\d+) days", note)
    assert told
    days, low, high = map(int, told.groups())
    assert low < days < high < round(value(ask(), "days"))
    assert days == pytest.approx(value(ask("software=2026"), "days"), abs=3)
    assert not any("With software of" in note for note in ask("software=2026").changes)


def test_nothing_is_newer_than_the_newest_known():
    known = paces(latest())
    chosen = inputs(accelerator="gb300")
    run = traits_of(chosen.model, machine=chosen.machine, precision="fp16", year=chosen.software_year)
    assert newest_gain(run, known=known) is None


def test_a_date_that_nothing_is_known_of_is_called_today():
    assert (date_words(float("inf")), date_words(2025.46)) == ("today", "Jun 2025")
