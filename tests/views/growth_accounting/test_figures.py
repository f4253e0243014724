import math
from typing import Any

import pytest

from views import training_compute
from views.growth_accounting.settings import GrowthAccountingSettings
from views.growth_accounting.view import VIEW
from views.runs.choice import TrainingComputeSettings
from views.runs.parts import FACTORS
from views.view import answer


def ask(**settings) -> Any:
    return answer(VIEW, GrowthAccountingSettings(**settings))


def rates(result) -> dict[str, float]:
    return {figure.name: figure.value for figure in result.figures}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"rule": "notable"},
        {"top": 5},
        {"since": "2015"},
        {"domain": "language"},
        {"interval": "clustered"},
    ],
    ids=str,
)
def test_the_four_factors_multiply_to_the_growth_of_compute(settings):
    found = rates(ask(**settings))
    product = math.prod(found[f"{name}_growth"] for name in FACTORS)
    assert product == pytest.approx(found["yearly_growth"], rel=1e-9)
    assert sum(found[f"{name}_share"] for name in FACTORS) == pytest.approx(1)


def test_the_growth_of_all_selected_runs_is_that_of_training_compute():
    here = ask(since="2018")
    there = answer(training_compute.VIEW, TrainingComputeSettings(since="2018"))
    assert here.figure("all_runs_growth").value == pytest.approx(there.figure("yearly_growth").value)
    assert here.figure("all_runs_growth").n == there.figure("n_points").value == 78


def test_what_grows_beside_compute_agrees_with_rates_computed_elsewhere():
    """From the same export, frontier since 2018: power 1.80-2.49x, since 2016: cost 2.59-3.34x (90 %)."""
    assert 1.8 < ask(since="2018", release="2026-07").figure("power_growth").value < 2.6
    assert 2.59 < ask(since="2016", release="2026-07").figure("cost_growth").value < 3.34


def test_the_page_says_how_many_runs_carry_the_split_and_whether_they_differ():
    result = ask()
    n = result.figure("yearly_growth").n
    assert result.sure[1].startswith(f"{n} of 78 selected runs have every part known")
    assert "no clear difference" in result.sure[1]
    assert "Left out: number of chips unknown (" in result.sure[1]
    assert "implied" in result.notes[0] and "implied" in result.sure[2]
    assert len(result.table.rows) == 78
    used = [row[-2] for row in result.table.rows]
    assert used.count("yes") == n
    assert all(word == "yes" or word.startswith("no: ") for word in used)
