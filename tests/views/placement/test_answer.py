"""The place that a page is about, what to do there, what a month costs, and how places are named."""

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from analysis.placement.answers import BINDINGS
from analysis.placement.results import Lack, Shortfall
from analysis.placement.work import Requirements
from data.releases import load
from views import written
from views.models import architecture
from views.placement import amounts
from views.placement.answer import answer_to
from views.placement.inputs import inputs_of, requirements
from views.placement.settings import ANY, CLASSES, PlacementSettings
from views.placement.words import size_words

RELEASE = load("2026-07")


@cache
def answered(**changes: Any):
    return answer_to(PlacementSettings(**changes), load("2026-07"))


def at(word: str, **changes: Any):
    answer = answered(**changes)
    return answer, next(place for place in answer.places if place.label.word == word)


@pytest.mark.parametrize("only", [ANY, *CLASSES])
def test_the_page_is_about_the_cheapest_that_meets_the_targets_else_the_nearest_of_its_class(only):
    answer = answered(work="frontier", only=only)
    results, among, place = answer.results, answer.inputs.of_class(only), answer.selected
    assert answer.fixed == (only != ANY) and among[place.i] and not answer.unknown
    assert bool((results.meets & among).any()) == (place.lack is None)
    if place.lack is None:
        rank = np.where(results.meets & among, results.rank_usd, np.inf)
        assert results.rank_usd[place.i] == rank.min()
    else:
        assert results.probability[place.i] == np.max(results.probability[among])


@pytest.mark.parametrize(("word", "price", "host"), [("desktop-gpu", 2000, 1000), ("workstation", 3999, 0)])
def test_what_is_bought_costs_its_chips_and_the_computers_around_them(*, word, price, host):
    answer, place = at(word, work="branch-documents", people=400)
    assert place.machines == place.copies > 1
    assert place.bought_usd == pytest.approx(place.machines * (price + host))
    assert all(other.bought_usd == 0 for other in answer.places if other.label.rented)


@pytest.mark.parametrize(("chips", "hosts"), [(1, 1), (4, 1), (5, 2), (8, 2)])
def test_a_server_holds_up_to_four_cards(chips, hosts):
    _, place = at("edge-server", work="branch-documents")
    assert replace(place, chips=chips).machines == round(place.copies * hosts)


ACTIONS = written.toml(__file__, name="actions.toml")["rows"]


@pytest.mark.parametrize(("word", "changes", "act"), ACTIONS)
def test_what_to_do_is_said_with_its_count(*, word, changes, act):
    _, place = at(word, work="branch-documents", **changes)
    assert place.act_in_full == act
    assert act.startswith(place.acts[-1])


def test_weights_are_those_of_the_format_each_place_uses():
    settings = PlacementSettings(work="support-chat", format="4-bit", model="llama-3.3-70b")
    inputs = inputs_of(settings, RELEASE)
    chosen, model = inputs.question.work, architecture("llama-3.3-70b")
    assert inputs.n_parameters == pytest.approx(model.n_parameters)
    assert chosen.weights_byte == pytest.approx(model.n_parameters * 4.84 / 8)
    assert (chosen.serving.format_name, chosen.serving.bits) == ("NVFP4", 4.5)
    embeddings = 2 * model.embedding_parameters  # kept at 16 bits a number
    byte = (model.n_parameters - embeddings) * 4.5 / 8 + 2 * embeddings
    assert chosen.serving.weights_byte == pytest.approx(byte, rel=0.001)


def test_a_wait_of_an_hour_and_a_crawl_ask_for_nothing():
    assert requirements(PlacementSettings(first_token=3600.0, speed=0.1)) == Requirements()
    limits: dict[str, Any] = {"first_token": 2.5, "speed": 15.0, "budget": 0.5}
    numbers = {"time_to_first_token_s": 2.5, "output_tokens_per_s": 15.0, "cost_usd_per_1000_requests": 0.5}
    limited = requirements(PlacementSettings(**limits, offline="yes", stay="device"))
    assert limited == Requirements(**numbers, data_residency="device", offline=True)


AMOUNTS: dict[Any, dict[float, str]] = {
    amounts.usd: {
        math.inf: "unknown",
        12_345.0: "$12,000",
        99.6: "$100",
        12.4: "$12",
        1.234: "$1.23",
        0.0123: "$0.012",
    },
    amounts.seconds: {math.inf: "no end", 0.0123: "12 ms", 1.0: "1.0 s", 599.0: "600 s", 1200.0: "20 min"},
    amounts.hours: {0.001: "3.6 s", 0.5: "30 min", 1.0: "1.0 h", 71.0: "71 h", 72.0: "3.0 days"},
    amounts.gigabytes: {34.2e9: "34 GB", 141.5e9: "142 GB"},
    amounts.chance: {1.0: "over 99%", 0.995: "over 99%", 0.994: "99%", 0.006: "1%", 0.005: "under 1%"},
    amounts.count: {
        22.5: "22",
        262_144.0: "262,144",
        4_455_260.0: "4.46 million",
        8.05e9: "8.05 billion",
        1e12: "1 trillion",
    },
    size_words: {3.2e9: "3.2B", 70.6e9: "71B", 671e9: "671B", 1.04e12: "1T", 0.9996e12: "1T"},
}


@pytest.mark.parametrize("words", AMOUNTS)
def test_amounts_have_their_own_unit_and_as_many_digits_as_matter(words):
    assert {value: words(value) for value in AMOUNTS[words]} == AMOUNTS[words]


def test_what_limits_is_said_for_every_code_word():
    assert set(amounts.LIMITS) == set(BINDINGS) and set(amounts.LACK_WORDS) == set(Lack)
    words = [amounts.limit_words(word) for word in ("rule", "compute", "network")]
    assert words == ["ruled out", "limited by compute", "limited by the network"]


@pytest.mark.parametrize(
    ("lack", "detail"),
    [
        (Shortfall(lack=Lack.RULE, rule="premises"), "data must stay on premises"),
        (Shortfall(lack=Lack.MEMORY, reached=6.4e9, required=20e9), "6.4 GB, 20 GB needed"),
        (Shortfall(lack=Lack.MEMORY), "memory is too small"),
        (Shortfall(lack=Lack.FIRST_TOKEN, reached=0.17, required=0.01), "170 ms, 10 ms allowed"),
        (Shortfall(lack=Lack.SPEED, reached=7.2, required=20), "7.2 tokens/s, 20 needed"),
        (Shortfall(lack=Lack.SPEED, reached=19.96, required=20), "19.96 tokens/s, 20 needed"),
        (Shortfall(lack=Lack.COST, reached=0.32, required=0.1), "$0.32 per 1,000, $0.10 allowed"),
        (Shortfall(lack=Lack.COST, reached=0.1004, required=0.1), "$0.1004 per 1,000, $0.1 allowed"),
        (Shortfall(lack=Lack.PRICE, required=0.1), "budget $0.10 per 1,000"),
        (Shortfall(lack=Lack.TIME, reached=30.0, required=24.0), "30 h, 24 h allowed"),
        (Shortfall(lack=Lack.CHANCE, reached=0.65, required=0.8), "65% likely, 80% required"),
    ],
    ids=str,
)
def test_a_shortfall_says_what_is_reached_and_what_is_required(lack, detail):
    assert amounts.lack_detail(lack) == detail


def test_costs_of_a_fine_tuning_are_of_all_of_it():
    cost = Shortfall(lack=Lack.COST, reached=3.0, required=1.0)
    assert amounts.lack_detail(cost, per="") == "$3.00, $1.00 allowed"
    unknown = Shortfall(lack=Lack.PRICE, required=1.0)
    assert amounts.lack_detail(unknown, per="") == "price unknown, $1.00 allowed"
