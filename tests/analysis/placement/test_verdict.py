from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.placement import verdict as verdict_module
from analysis.placement.outcome import middle, outcome
from analysis.placement.places import Conditions
from analysis.placement.question import Question
from analysis.placement.setup import set_up
from analysis.placement.verdict import Cheapest, cheapest, log_cells, probabilities, standing, verdict
from analysis.placement.work import Requirements, resized
from tests.analysis.placement.questions import PERSONAL, PLACES, SOME, a_question, a_work, mid

requests = st.floats(1.0, 1e6)


@SOME
@given(
    parameters=st.floats(5e8, 7e10),
    load=requests,
    first=st.one_of(st.none(), st.floats(0.05, 30.0)),
    speed=st.one_of(st.none(), st.floats(2.0, 200.0)),
    budget=st.one_of(st.none(), st.floats(0.01, 20.0)),
    by_hour=st.booleans(),
)
def test_probabilities_are_shares_of_draws_that_meet_all(*, parameters, load, first, speed, budget, by_hour):
    limits: Any = {"output_tokens_per_s": speed, "cost_usd_per_1000_requests": budget}
    requirements = Requirements(time_to_first_token_s=first, **limits)
    work = a_work(n_parameters=parameters, requests_per_day=load)
    question = a_question(work, requirements=requirements, conditions=Conditions(by_hour=by_hour))
    for rule in (None, True, False):
        ruled = replace(question, sustained_rule=rule)
        placed = set_up(ruled)
        assert np.array_equal(probabilities(placed, ruled), outcome(placed, ruled).met.mean(axis=-1))


RENTED = PLACES.is_kind("rented")
ASKED = Requirements(time_to_first_token_s=2.0, output_tokens_per_s=12.0)


@pytest.mark.parametrize("requests", [10.0, 2000.0, 1e6])
@pytest.mark.parametrize(
    "requirements", [Requirements(), ASKED, Requirements(data_residency="premises")], ids=str
)
def test_the_winner_is_the_cheapest_of_those_sure_enough_and_so_is_each_side(requests, requirements):
    question = a_question(a_work(requests_per_day=requests), requirements=requirements)
    cost = mid(question).cost_usd_per_1000_requests[0, :, 0]
    sure = probabilities(set_up(question), question)[0] >= question.required_probability
    answer = verdict(question)
    for place, side in ((answer.winner, np.ones_like(sure)), (answer.own, ~RENTED), (answer.rented, RENTED)):
        open_costs = np.where(sure & side & question.allowed, cost, np.inf)
        assert place == (int(np.argmin(open_costs)) if np.isfinite(open_costs).any() else None)
    assert answer.winner in (answer.own, answer.rented)
    assert answer.cost_usd == pytest.approx(cost[answer.winner])
    if answer.own is not None and answer.rented is not None:
        assert answer.ratio == pytest.approx(cost[answer.own] / cost[answer.rented])


def test_without_a_place_on_a_side_there_is_no_ratio_and_its_nearest_chance_is_given():
    question = a_question(requirements=Requirements(data_residency="premises"))
    answer = verdict(question)
    assert answer.rented is None and answer.ratio is None and answer.own == answer.winner
    assert answer.nearest == answer.best == 1.0, "a side ruled out altogether does not count"
    fast = a_question(keep=PERSONAL | RENTED, requirements=Requirements(output_tokens_per_s=30.0))
    answer, chance = verdict(fast), probabilities(set_up(fast), fast)[0]
    assert answer.own is None and answer.rented == answer.winner
    assert answer.nearest == pytest.approx(chance[~fast.rented].max())
    assert answer.nearest < fast.required_probability
    assert answer.best == pytest.approx(chance.max())
    nobody = verdict(replace(fast, requirements=Requirements(output_tokens_per_s=1e5)))
    assert nobody.winner is None and nobody.cost_usd is None and nobody.best == 0.0


def test_places_that_see_a_share_of_the_requests_stand_as_if_there_were_no_others():
    shares = np.array([0.25, 1.0])
    both = standing(a_question(), shares=shares)
    for row, share in enumerate(shares):
        alone = standing(a_question(a_work(requests_per_day=2000.0 * share)))
        assert both.cost_usd[row] == pytest.approx(alone.cost_usd[0])
        assert both.first_s[row] == pytest.approx(alone.first_s[0])
        assert both.chance[row] == pytest.approx(alone.chance[0])


LIMITS = (
    Requirements(),
    Requirements(time_to_first_token_s=2.0, output_tokens_per_s=12.0),
    Requirements(output_tokens_per_s=25.0, cost_usd_per_1000_requests=3.0),
    Requirements(time_to_first_token_s=1.0, data_residency="premises"),
)


def a_map(requirements: Requirements) -> Question:
    """Return a question of 54 works: nine sizes of the model by six loads."""
    size, load = np.meshgrid(np.geomspace(1e9, 4e11, 9) / 8e9, np.geomspace(3, 1e6, 6))
    work = resized(a_work(), size.reshape(-1, 1))
    return a_question(replace(work, requests_per_day=load.reshape(-1, 1)), requirements=requirements)


def counted(question: Question) -> Cheapest:
    """Return the winners as a count of every draw has them."""
    placed = set_up(question)
    with np.errstate(over="ignore"):
        chance = probabilities(placed, question)
        cost = middle(placed, question).cost_usd_per_1000_requests[..., 0]
    open_costs = np.where((chance >= question.required_probability) & np.isfinite(cost), cost, np.inf)
    least = open_costs.min(axis=1)
    won = np.isfinite(least)
    place = np.where(won, open_costs.argmin(axis=1), -1)
    return Cheapest(place=place, cost_usd_per_1000_requests=np.where(won, least, np.nan))


def same(one: Cheapest, other: Cheapest) -> bool:
    costs = (one.cost_usd_per_1000_requests, other.cost_usd_per_1000_requests)
    return bool((one.place == other.place).all() and np.array_equal(*costs, equal_nan=True))


@pytest.mark.parametrize("sure", [0.05, 0.5, 0.8, 0.99])
@pytest.mark.parametrize("requirements", LIMITS, ids=str)
def test_the_short_way_agrees_with_counting_every_draw(requirements, sure):
    question = replace(a_map(requirements), required_probability=sure)
    best = cheapest(question)
    assert best.place.shape == (54,)
    assert same(best, counted(question))


@pytest.mark.parametrize(("name", "size"), [("CELLS_AT_ONCE", 7), ("PAIRS_AT_ONCE", 3)])
def test_pieces_do_not_change_the_winners(*, monkeypatch, name, size):
    question = a_map(LIMITS[1])
    whole = cheapest(question)
    monkeypatch.setattr(verdict_module, name, size)
    assert same(cheapest(question), whole)


def test_a_place_without_a_price_never_wins():
    question = a_map(LIMITS[0])
    winners = set(cheapest(question).place.tolist()) - {-1}
    for place in winners:
        unknown = np.where(np.arange(len(PLACES)) == place, np.nan, PLACES.price_usd)
        rent = np.where(np.arange(len(PLACES)) == place, np.nan, PLACES.price_usd_per_hour)
        places = replace(PLACES, price_usd=unknown, price_usd_per_hour=rent)
        assert place not in cheapest(replace(question, places=places)).place


def test_cells_of_a_map_are_evenly_spaced_in_logs_and_end_exactly_at_its_bounds():
    edges, centres = log_cells((0.7, 7000.0), 4)
    assert [edges[0], *centres, edges[-1]] == pytest.approx([0.7, *0.7 * 10 ** np.arange(0.5, 4), 7000.0])
