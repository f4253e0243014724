from dataclasses import replace

import pytest

from views.runs.choice import TrainingComputeSettings
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
        assert strip[label][2] == pytest.approx(own.low, rel=0.02)
        assert strip[label][4] == own.n
