"""What to buy or rent, how many, and what that costs."""

from typing import Any

import pytest

from analysis.placement.answers import answers_to
from data.releases import load
from tests.views.placement.placed import rows
from views.placement.buying import act, count_of, in_full, to_buy, usd_a_month
from views.placement.inputs import inputs_of
from views.placement.settings import PlacementSettings
from views.placement.view import VIEW
from views.view import answer


def asked(**changes: Any):
    inputs = inputs_of(PlacementSettings(**changes), load("2026-07"))
    return inputs, answers_to(inputs.question)


def test_a_month_costs_its_requests():
    inputs, _ = asked(work="branch-documents")
    assert usd_a_month(inputs, 2.0) == pytest.approx(2.0 * 2000 * 365.25 / 12 / 1000)


def test_what_is_bought_costs_its_chips_and_the_computers_around_them():
    inputs, answers = asked(work="branch-documents", people=400)
    table = rows(answer(VIEW, PlacementSettings(work="branch-documents", people=400)))
    for word, price, host in (("desktop-gpu", 2000.0, 1000.0), ("workstation", 3999.0, 0.0)):
        i = inputs.words.index(word)
        machines = table[word]["machines"]
        assert machines > 1
        assert to_buy(inputs, answers, i=i) == pytest.approx(machines * (price + host))
        assert count_of(inputs, answers, i=i) == machines
    for i in range(len(inputs.words)):
        if inputs.question.rented[i]:
            assert to_buy(inputs, answers, i=i) == 0.0


def test_machines_are_counted_and_named():
    inputs, answers = asked(work="branch-documents", people=400)
    said = {word: act(inputs, answers, i=i)[0] for i, word in enumerate(inputs.words)}
    assert said["cloud-b200"] == "rent B200 in the cloud"
    assert said["desktop-gpu"].endswith(" desktops with a GPU (RTX 5090)")
    assert said["server-room"].endswith(
        (" server of 8 × H200 (8 × H200)", " server of 8 × H200", "servers of 8 × H200")
    )
    assert said["laptop"] == "buy 400 laptops (Apple M5)"
    inputs, answers = asked(work="branch-documents", people=1, charged="25")
    assert act(inputs, answers, i=inputs.words.index("laptop"))[0] == "use the laptop (Apple M5)"


def test_whole_rented_machines_are_counted_and_used_ones_are_not():
    inputs, answers = asked(work="support-chat", renting="by-hour")
    i = inputs.words.index("cloud-b200")
    chips = answers.placed.machines[0, i] * answers.placed.chips[0, i]
    assert in_full(inputs, answers, i=i).startswith(f"rent {chips:.0f} × B200 in the cloud, paid by the hour")
    inputs, answers = asked(work="support-chat")
    assert in_full(inputs, answers, i=i).startswith("rent B200 in the cloud, paid by use")
