"""The key figures are those of the place that wins, or comes nearest."""

from typing import Any

import pytest

from analysis.placement.answers import answers_to
from data.releases import load
from tests.views.placement.placed import ANSWERING
from views.placement.chosen import chosen
from views.placement.figures import figures
from views.placement.inputs import inputs_of
from views.placement.settings import PlacementSettings
from views.result import Figure

SPANNED = (
    "cost_usd_per_1000_requests",
    "time_to_first_token_s",
    "time_per_output_token_s",
    "energy_j_per_request",
)


def found(**changed: Any) -> tuple[Any, Any, dict[str, Figure]]:
    inputs = inputs_of(PlacementSettings(**changed), load("2026-07"))
    answers = answers_to(inputs.question)
    at = chosen(inputs, answers, only="any").at
    return inputs, answers, {figure.name: figure for figure in figures(inputs, answers, i=at)}


@pytest.mark.parametrize("work", ANSWERING)
def test_the_figures_are_the_medians_and_intervals_of_the_winner(work):
    inputs, answers, named = found(work=work)
    i = answers.cheapest
    assert i is not None
    for name, spans in zip(
        SPANNED, (answers.cost_usd, answers.first_s, answers.token_s, answers.energy_j), strict=True
    ):
        figure = named[name]
        assert (figure.low, figure.value, figure.high) == (spans.low[i], spans.median[i], spans.high[i])
        assert inputs.names[i] in figure.method and figure.level == 0.9
    assert named["probability_meets_requirement"].value == answers.probability[i] >= 0.8
    assert named["places_that_meet"].text == f"{answers.meets.sum()} of {len(inputs.names)}"


def test_where_nothing_meets_it_they_are_those_of_the_nearest():
    inputs, answers, named = found(work="laptop-coding", budget=0.01)
    assert answers.cheapest is None
    assert named["time_to_first_token_s"].value == answers.first_s.median[answers.nearest]
    assert inputs.names[answers.nearest] in named["probability_meets_requirement"].method
    assert named["places_that_meet"].value == 0


def test_what_does_not_fit_has_no_figures():
    _, answers, named = found(stay="device", model="kimi-k2")
    assert not answers.fits[answers.nearest]
    for name in SPANNED:
        figure = named[name]
        assert (figure.value, figure.low, figure.high, figure.level) == (None, None, None, None)
        assert (figure.text, figure.interval_text) == ("–", "")
