"""The cheapest place of many works at once: the same as counting every draw, in pieces or whole."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.placement import cheapest as cheapest_module
from analysis.placement import verdict
from analysis.placement.cheapest import Cheapest, cheapest
from analysis.placement.outcome import middle
from analysis.placement.question import Question
from analysis.placement.setup import set_up
from analysis.placement.verdict import probabilities
from analysis.placement.work import Requirements, resized
from tests.analysis.placement.questions import PLACES, a_question, a_work

ASKED = (
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
    return Cheapest(
        place=np.where(won, open_costs.argmin(axis=1), -1),
        cost_usd_per_1000_requests=np.where(won, least, np.nan),
    )


def same(one: Cheapest, other: Cheapest) -> bool:
    costs = (one.cost_usd_per_1000_requests, other.cost_usd_per_1000_requests)
    return bool((one.place == other.place).all() and np.array_equal(*costs, equal_nan=True))


@pytest.mark.parametrize("sure", [0.05, 0.5, 0.8, 0.99])
@pytest.mark.parametrize("requirements", ASKED, ids=str)
def test_the_short_way_agrees_with_counting_every_draw(requirements, sure):
    question = replace(a_map(requirements), required_probability=sure)
    best = cheapest(question)
    assert best.place.shape == (54,)
    assert same(best, counted(question))


@pytest.mark.parametrize(
    ("module", "name", "size"), [(cheapest_module, "CELLS_AT_ONCE", 7), (verdict, "PAIRS_AT_ONCE", 3)]
)
def test_pieces_do_not_change_the_winners(*, monkeypatch, module, name, size):
    question = a_map(ASKED[1])
    whole = cheapest(question)
    monkeypatch.setattr(module, name, size)
    assert same(cheapest(question), whole)


def test_a_place_without_a_price_never_wins():
    question = a_map(ASKED[0])
    winners = set(cheapest(question).place.tolist()) - {-1}
    for place in winners:
        unknown = np.where(np.arange(len(PLACES)) == place, np.nan, PLACES.price_usd)
        rent = np.where(np.arange(len(PLACES)) == place, np.nan, PLACES.price_usd_per_hour)
        places = replace(PLACES, price_usd=unknown, price_usd_per_hour=rent)
        assert place not in cheapest(replace(question, places=places)).place
