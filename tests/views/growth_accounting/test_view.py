"""/growth-accounting: the identity, the published decomposition, what is left out, and every form of words."""

import time
from typing import Any

import pytest

from data.releases import latest, load
from views.growth_accounting import view as growth_accounting
from views.growth_accounting.settings import GrowthAccountingSettings
from views.growth_accounting.view import VIEW
from views.registry import VIEWS
from views.runs.parts import FACTORS
from views.view import answer

RELEASE = load(latest())


def ask(**settings) -> Any:
    return answer(VIEW, GrowthAccountingSettings(**settings))


def test_the_view_stands_in_the_registry():
    assert VIEWS["/growth-accounting"] is VIEW


def test_the_headline_says_the_whole_and_what_leads_it_and_the_subtitle_every_factor():
    result = ask(release="2026-07")
    assert result.headline == "Frontier compute grows 4.6× a year, led by more chips (2.0×)"
    assert result.subtitle.startswith(
        "Number of chips 2.0×, training time 1.43×, FLOP/s per chip 1.39×, utilization 1.13× a year; compute 4.6×"
    )
    assert "Frontier language-model compute" in ask(domain="language").headline
    assert ask(rule="notable").headline.startswith("Training compute ")


def test_few_runs_are_told_and_too_few_say_what_to_widen():
    assert any("so the split is rough" in note for note in ask(since="2021", until="2022-06").notes)
    result = ask(since="2025")
    assert result.headline.startswith("These choices leave")
    assert "Widen the window of years" in result.notes[0]


def test_the_answer_takes_less_than_a_third_of_a_second():
    load(latest())
    taken = []
    for top in (7, 8, 9):
        settings = GrowthAccountingSettings(top=top)
        start = time.process_time()
        growth_accounting.build(settings, RELEASE)
        taken.append(time.process_time() - start)
    assert min(taken) < 0.3


def test_every_factor_lies_inside_its_interval():
    result = ask()
    for name in ("yearly_growth", *(f"{factor}_growth" for factor in FACTORS)):
        figure = result.figure(name)
        assert figure.low < figure.value < figure.high
        assert figure.level == 0.9


def test_the_runs_graded_confident_alone_are_a_row_and_a_sentence():
    """22 of the 30 runs: compute 3.60x and chips 1.62x a year instead of 4.6x and 2.05x."""
    result = ask(release="2026-07")
    strip = {row[0]: row for row in result.exhibits[-1].table.rows}
    columns = [column.name for column in result.exhibits[-1].table.columns]
    row = dict(zip(columns, strip["Confident of these"], strict=True))
    assert (row["total"], row["chips_growth"], row["n"]) == (
        pytest.approx(3.60, abs=0.005),
        pytest.approx(1.62, abs=0.005),
        22,
    )
    assert "Confident alone" in strip
    assert any(
        text.startswith("Of the 30 runs, the 22 whose compute is graded confident") for text in result.changes
    )
    sure = ask(release="2026-07", confidence="confident")
    assert not any("graded confident" in text for text in sure.changes)
    assert "Confident of these" not in {row[0] for row in sure.exhibits[-1].table.rows}


def test_until_when_the_frontier_is_known_is_said_and_a_late_start_warns():
    assert any(text.startswith("The frontier is known until") for text in ask().sure)
    assert "compute value" not in ask().subtitle
    assert ask(since="2020").subtitle.endswith("Only 24 % of 2026's notable models have a compute value.")
