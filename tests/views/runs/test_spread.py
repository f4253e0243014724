from dataclasses import replace

import pandas as pd
import pytest

from data import standing
from views.runs.choice import TrainingComputeSettings
from views.runs.rows import CONFIDENCE_GRADES
from views.runs.spread import UNDONE, error_sd
from views.training_compute import VIEW
from views.view import answer


def test_the_strip_of_rates_starts_with_this_view_and_names_no_rule_twice():
    result = answer(VIEW, TrainingComputeSettings())
    labels = [row[0] for row in result.exhibits[1].table.rows]
    assert labels[0] == "This view"
    assert len(set(labels)) == len(labels) >= 8
    assert "Top 10 at release" not in labels
    assert result.exhibits[1].chart.title.startswith("Compute per run grows ")


def test_the_strip_holds_each_rate_as_its_own_view_gives_it():
    settings = TrainingComputeSettings()
    strip = {row[0]: row for row in answer(VIEW, settings).exhibits[1].table.rows}
    for label, change in (("Every notable run", {"rule": "notable"}), ("Since 2020", {"since": "2020"})):
        own = answer(VIEW, replace(settings, **change)).figure("yearly_growth")
        assert strip[label][1] == pytest.approx(own.value)
        assert strip[label][2] == pytest.approx(own.low, rel=0.05)  # a quarter of the draws
        assert strip[label][4] == own.n


def test_the_strip_shows_the_flagships_as_intervals_and_the_errors_of_estimates_undone():
    strip = {
        row[0]: row for row in answer(VIEW, TrainingComputeSettings(release="2026-07")).exhibits[1].table.rows
    }
    intervals, undone = strip["Undisclosed flagships as intervals"], strip[UNDONE]
    assert (intervals[1], intervals[4]) == (pytest.approx(4.71, abs=0.01), 131)
    assert (undone[1], undone[4]) == (pytest.approx(4.65, abs=0.1), 116)
    assert number(undone[2]) < number(undone[1]) < number(undone[3])
    assert "Undisclosed flagships left out" not in strip
    censored = answer(VIEW, TrainingComputeSettings(release="2026-07", undisclosed="censored"))
    other = {row[0]: row for row in censored.exhibits[1].table.rows}
    assert other["Undisclosed flagships left out"][1] == pytest.approx(4.70, abs=0.005)
    assert UNDONE not in other
    theil = answer(VIEW, TrainingComputeSettings(estimator="theil-sen")).exhibits[1].table.rows
    assert UNDONE not in [row[0] for row in theil]


def test_the_error_of_an_estimate_is_that_of_its_grade():
    """Within a factor of 3, 10 and 30 in nine of ten cases: 0.29, 0.61 and 0.90 orders of magnitude."""
    runs = pd.DataFrame({"confidence": ["confident", "likely", "speculative", "unknown"]})
    assert error_sd(runs) == pytest.approx([0.290, 0.608, 0.898, 0.898], abs=0.001)
    assert set(CONFIDENCE_GRADES["all"]) == set(standing.table("confidence_grades")["grade"])


def number(cell: object) -> float:
    assert isinstance(cell, int | float)
    return float(cell)
