"""The place that a page is about, what to do there, what a month costs, and how places are named."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from data.releases import load
from views.placement.answer import answer_to
from views.placement.options import ANY, CLASSES
from views.placement.places import SERVER_ROOM
from views.placement.settings import PlacementSettings


@cache
def answered(**changes: Any):
    return answer_to(PlacementSettings(**changes), load("2026-07"))


def at(word: str, **changes: Any):
    answer = answered(**changes)
    return answer, answer.inputs.words.index(word)


def test_every_place_belongs_to_one_class_and_every_class_has_a_place():
    inputs = answered(work="frontier").inputs
    assert {inputs.class_of(i) for i in range(len(inputs.labels))} == set(CLASSES)
    assert inputs.of_class(ANY).all()
    assert (np.sum([inputs.of_class(word) for word in CLASSES], axis=0) == 1).all()


@pytest.mark.parametrize("only", [ANY, *CLASSES])
def test_the_page_is_about_the_cheapest_that_meets_the_targets_else_the_nearest_of_its_class(only):
    answer = answered(work="frontier", only=only)
    selection, outcomes, among = answer.selection, answer.outcomes, answer.inputs.of_class(only)
    assert selection.fixed == (only != ANY) and among[selection.at] and not selection.unknown
    assert selection.meets == bool((outcomes.meets & among).any()) == (answer.lack is None)
    if selection.meets:
        rank = np.where(outcomes.meets & among, outcomes.rank_usd, np.inf)
        assert outcomes.rank_usd[selection.at] == rank.min()
    else:
        assert outcomes.probability[selection.at] == np.max(outcomes.probability[among])


def test_a_month_costs_its_requests():
    answer = answered(work="branch-documents")
    assert answer.usd_a_month(2.0) == pytest.approx(2.0 * 2000 * 365.25 / 12 / 1000)
    assert answer.cost_a_month.high == pytest.approx(answer.usd_a_month(1.0) * answer.outcomes.cost_usd.high)


@pytest.mark.parametrize(("word", "price", "host"), [("desktop-gpu", 2000, 1000), ("workstation", 3999, 0)])
def test_what_is_bought_costs_its_chips_and_the_computers_around_them(*, word, price, host):
    answer, i = at(word, work="branch-documents", people=400)
    assert answer.machines(i) == answer.outcomes.placed.machines[0, i] > 1
    assert answer.bought_usd(i) == pytest.approx(answer.machines(i) * (price + host))
    assert all(answer.bought_usd(k) == 0 for k in np.flatnonzero(answer.question.rented).tolist())


@pytest.mark.parametrize(("chips", "hosts"), [(1, 1), (4, 1), (5, 2), (8, 2)])
def test_a_server_holds_up_to_four_cards(chips, hosts):
    answer, i = at("edge-server", work="branch-documents")
    held = np.full_like(answer.outcomes.placed.chips, chips)
    fuller = replace(answer)
    vars(fuller)["outcomes"] = replace(answer.outcomes, placed=replace(answer.outcomes.placed, chips=held))
    assert fuller.machines(i) == round(float(answer.outcomes.placed.machines[0, i]) * hosts)


@pytest.mark.parametrize(
    ("word", "changes", "act"),
    [
        ("cloud-b200", {"people": 400}, "rent B200 in the cloud, paid by use"),
        ("desktop-gpu", {"people": 400}, "buy 6 desktops with a GPU (RTX 5090)"),
        ("server-room", {"people": 400}, "buy 1 server of 8 × H200"),
        ("server-room", {"people": 400, "year": 2030}, "buy 1 server of 8 × H200"),
        ("laptop", {"people": 400}, "buy 400 laptops (Apple M5)"),
        ("laptop", {"people": 1, "charged": "25"}, "use the laptop (Apple M5)"),
        ("laptop", {"people": 400, "charged": "25"}, "use each person's laptop (Apple M5)"),
        ("cloud-b200", {"people": 400, "chips": 4}, "rent B200 in the cloud, paid by use, 4 chips a copy"),
        (
            "cloud-h100",
            {"renting": "by-hour", "chips": 2},
            "rent 2 × H100 in the cloud, paid by the hour, 2 chips a copy",
        ),
    ],
    ids=str,
)
def test_what_to_do_is_said_with_its_count(*, word, changes, act):
    answer, i = at(word, work="branch-documents", **changes)
    assert answer.act_in_full(i) == act
    assert act.startswith(answer.act(i)[-1])


@pytest.mark.parametrize("word", answered().inputs.words)
def test_what_is_rented_is_the_cloud_and_what_is_owned_has_an_article(word):
    answer, i = at(word)
    inputs, name = answer.inputs, answer.inputs.named(i)
    if inputs.labels[i].rented:
        assert name == f"the cloud ({inputs.labels[i].device})" and inputs.at_place(i) == f"in {name}"
    else:
        assert name == f"{'an' if inputs.names[i][0] in 'aeio' else 'a'} {inputs.names[i]}"
        assert inputs.at_place(i) == f"{'in' if word == SERVER_ROOM else 'on'} {name}"
    assert name.startswith(inputs.named(i, brief=True)) and "(" not in inputs.named(i, brief=True)
