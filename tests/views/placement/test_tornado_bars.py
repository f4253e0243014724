"""The bars of a tornado and its table, whatever is measured."""

from typing import Any

import pytest

from analysis.placement.verdict import Verdict
from tests.analysis.placement.questions import a_question
from views.axes import linear_axis
from views.placement.levers import Lever
from views.placement.tornado_bars import MovedVerdicts, TornadoMeasure, tornado

NAMES = ("laptop", "cloud")


def end(cost: float | None, winner: int | None = 0) -> Verdict:
    return Verdict(winner=winner, own=0, rented=1, cost_usd=cost, ratio=None, nearest=1.0, best=1.0)


def moved() -> MovedVerdicts:
    levers = [
        Lever(label=label, ends=("half", "double"), low=a_question(), high=a_question())
        for label in ("Rent", "Years kept", "Requests a day")
    ]
    ends = [(end(0.9), end(1.1)), (end(2.0), end(0.5, winner=1)), (end(1.0), end(1.0))]
    return MovedVerdicts(levers=levers, ends=ends, base=end(1.0), names=NAMES)


def cost(verdict: Verdict) -> float:
    assert verdict.cost_usd is not None
    return verdict.cost_usd


def drawn() -> Any:
    measure = TornadoMeasure(
        axis=linear_axis("Cost", [0.0, 2.0], word=str),
        base=1.0,
        at=cost,
        words=lambda verdict: f"${cost(verdict):g}",
        cell=lambda verdict: verdict.cost_usd,
        column=("cost_usd", "Cost", "USD"),
    )
    order = moved().ranked(lambda low, high: abs(cost(low) - cost(high)))
    return tornado(moved(), measure, order=order, title="t", subtitle="s", source="d")


def test_levers_are_ranked_from_the_widest_and_equal_ones_keep_their_order():
    assert moved().ranked(lambda low, high: abs(cost(low) - cost(high))) == [1, 0, 2]
    assert moved().ranked(lambda low, high: 0.0) == [0, 1, 2]


def test_a_lever_changes_the_verdict_where_another_place_wins_at_an_end():
    assert [moved().changes(k) for k in range(3)] == [False, True, False]
    assert moved().changing == 1
    assert moved().cheapest(end(None, winner=None)) == "none"


def test_a_bar_runs_from_end_to_end_and_says_what_wins_there():
    bars = drawn().chart.bars
    assert [bar.label for bar in bars] == ["Years kept", "Rent", "Requests a day"]
    assert (bars[0].start, bars[0].value, bars[0].text) == (2.0, 0.5, "$2 to $0.5")
    assert [(bar.emphasised, bar.role) for bar in bars] == [
        (True, "edge"),
        (False, "context"),
        (False, "context"),
    ]
    assert bars[0].detail == ("At half: $2, cheapest: laptop", "At double: $0.5, cheapest: cloud")
    assert bars[2].text == "$1", "both ends are told once where they are the same"


def test_the_table_begins_with_the_choice_itself_and_follows_the_bars():
    table = drawn().table
    assert [column.name for column in table.columns] == [
        "lever",
        "low_end",
        "cost_usd_low",
        "cheapest_low",
        "high_end",
        "cost_usd_high",
        "cheapest_high",
    ]
    assert table.rows[0] == ("As chosen", "", 1.0, "laptop", "", 1.0, "laptop")
    assert table.rows[1] == ("Years kept", "half", 2.0, "laptop", "double", 0.5, "cloud")
    assert [row[0] for row in table.rows[1:]] == [bar.label for bar in drawn().chart.bars]
    assert pytest.approx(1.0) == drawn().chart.base
