import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.placement.places import Conditions
from analysis.placement.tiers import LEAST, Tiers, blended, break_even, split_cost
from analysis.placement.verdict import standing
from analysis.placement.work import Requirements
from tests.analysis.placement.questions import CLOUD, FIXED, PLACES, a_question, a_work

KEPT = np.linspace(0.0, 1.0, 101)
MONEY = st.floats(1e-4, 1e4)


def tiers(*, share: float = 0.7, tried_first: bool = False, **changed) -> Tiers:
    small = a_question(a_work(n_parameters=1e9, requests_per_day=2e5), **changed)
    whole = a_question(a_work(n_parameters=7e10, requests_per_day=2e5), **changed)
    return Tiers(small=small, whole=whole, share=share, tried_first=tried_first)


@given(alone=MONEY, share=st.floats(0.001, 0.999))
def test_tried_first_breaks_even_at_edge_over_cloud(alone, share):
    edge = share * alone
    cost = blended(KEPT, edge=np.full(101, edge), cloud=np.full(101, alone), tried_first=True)
    assert break_even(KEPT, cost=cost, alone=alone) == pytest.approx(edge / alone, abs=1e-6)


def test_a_split_that_is_never_dearer_pays_from_the_first_share_and_one_that_falls_late_from_there():
    kept = np.array([0.1, 0.5, 1.0])
    assert break_even(kept, cost=np.array([1.0, 0.9, 0.8]), alone=1.0) == pytest.approx(0.1)
    assert break_even(kept, cost=np.array([0.5, 2.0, 0.0]), alone=1.0) == pytest.approx(0.75)


@given(edge=MONEY, cloud=MONEY)
def test_a_router_that_knows_beforehand_costs_no_more_than_trying_first(edge, cloud):
    each = {"edge": np.full(101, edge), "cloud": np.full(101, cloud)}
    costs = [blended(KEPT, **each, tried_first=tried) for tried in (False, True)]
    assert np.all(costs[0] <= costs[1] * (1 + 1e-12))
    assert costs[0][0] == pytest.approx(cloud)
    assert costs[0][-1] == pytest.approx(edge) == costs[1][-1]


def test_each_tier_runs_on_its_own_side():
    at = tiers().places
    assert at.at_edge is not None and PLACES.kind[at.at_edge] != "rented"
    assert at.at_cloud in (CLOUD, FIXED)


def test_a_tier_that_nothing_can_do_has_no_place():
    assert tiers(requirements=Requirements(data_residency="premises")).places.at_cloud is None
    hurried = tiers(requirements=Requirements(output_tokens_per_s=1e5)).places
    assert hurried.at_edge is None and hurried.at_cloud is None and np.isnan(hurried.alone_usd)


@pytest.mark.parametrize("tried_first", [False, True])
def test_all_at_the_edge_costs_what_the_edge_costs_and_the_share_asked_stands_on_the_line(tried_first):
    split_in_two = tiers(share=0.333, tried_first=tried_first)
    alone, split = split_in_two.places.alone_usd, split_cost(split_in_two)
    assert split.kept[0] == (0.0 if tried_first else LEAST) and split.kept[-1] == 1.0
    assert split.cost_usd[-1] == pytest.approx(split.edge_usd[-1])
    assert split.mine_usd == split.cost_usd[split.kept == 0.333][0]
    assert split.pays_from == break_even(split.kept, cost=split.cost_usd, alone=alone)
    if tried_first:
        assert split.cost_usd[0] == pytest.approx(split.edge_usd[0] + alone)


@pytest.mark.parametrize("tried_first", [False, True])
@pytest.mark.parametrize("share", [0.4, 0.98, 0.995])
def test_a_cloud_serves_what_the_edge_leaves_and_waits_for_what_it_tries(*, share, tried_first):
    both = tiers(share=share, tried_first=tried_first, conditions=Conditions(by_hour=True))
    split, at = split_cost(both), both.places
    own = int(np.flatnonzero(split.kept == share)[0])
    edge = standing(both.small, shares=np.array([1.0 if tried_first else share]))
    cloud = standing(both.whole, shares=np.array([max(1.0 - share, LEAST)]))
    seen = 1.0 if tried_first else share
    paid = seen * edge.cost_usd[0, at.at_edge] + (1 - share) * cloud.cost_usd[0, at.at_cloud]
    assert split.cost_usd[own] == pytest.approx(paid)
    answer_s = np.max(both.small.work.output_tokens) * edge.token_s[0, at.at_edge]
    before = edge.first_s[0, at.at_edge] + answer_s if tried_first else 0.0
    first_s = share * edge.first_s[0, at.at_edge] + (1 - share) * (before + cloud.first_s[0, at.at_cloud])
    assert split.first_s[own] == pytest.approx(first_s)


@pytest.mark.parametrize("tried_first", [True, False])
def test_a_cloud_without_end_costs_nothing_where_all_is_answered_at_the_edge(tried_first):
    kept = np.array([0.5, 1.0])
    cost = blended(kept, edge=np.full(2, 3.0), cloud=np.full(2, np.inf), tried_first=tried_first)
    assert cost[0] == np.inf and cost[1] == 3.0
