"""Fine-tuning at every place: bars and table name the same, and times are told in words."""

from typing import Any

import pytest

from data.releases import load
from tests.views.placement.placed import result, rows
from views.placement.inputs import inputs_of
from views.placement.places import SERVER_ROOM
from views.placement.settings import PlacementSettings
from views.placement.table import usd
from views.placement.tuning import task_of, tuned
from views.placement.tuning_exhibit import TunedPlaces, hours


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.001, "3.6 s"),
        (0.5, "30 min"),
        (1.0, "1.0 h"),
        (71.0, "71 h"),
        (72.0, "3.0 days"),
        (2400.0, "100 days"),
    ],
)
def test_hours_are_told_in_the_unit_that_fits(value, words):
    assert hours(value) == words


def test_bars_stand_in_the_order_of_the_table_and_the_cheapest_is_emphasised():
    shown: Any = result(work="domain-tuning")
    chart, table = shown.exhibits[0].chart, shown.exhibits[0].table
    assert [bar.label for bar in chart.bars] == [row[0] for row in table.rows]
    assert [bar.emphasised for bar in chart.bars] == [True] + [False] * (len(chart.bars) - 1)
    best, costs = next(iter(rows(shown).values())), [row["cost_usd"] for row in rows(shown).values()]
    assert (
        best["cost_usd"]
        == chart.bars[0].value
        == min(row["cost_usd"] for row in rows(shown).values() if row["probability_meets_requirement"] >= 0.8)
    )
    assert chart.bars[0].text.startswith(f"{usd(best['cost_usd'])}, ")
    assert len(costs) == 16


def test_what_is_ruled_out_or_too_large_has_no_cost_but_the_reason():
    shown: Any = result(work="domain-tuning", tuning="full", stay="premises")
    words = {bar.label: bar.text for bar in shown.exhibits[0].chart.bars}
    for row in rows(shown).values():
        if row["binding"] == "rule":
            assert words[row["place"]] == "ruled out"
        elif row["binding"] == "capacity":
            assert words[row["place"]] == "memory too small"
        else:
            assert "$" in words[row["place"]]
    assert {"ruled out", "memory too small"} <= set(words.values())


def test_chips_are_counted_out_where_they_are_several_and_the_name_does_not_say_so():
    settings = PlacementSettings(work="domain-tuning", tuning="full")
    inputs = inputs_of(settings, load("2026-07"))
    done = tuned(inputs.question, task_of(settings))
    places = TunedPlaces(inputs=inputs, tuned=done, best=None)
    room, cloud = inputs.words.index(SERVER_ROOM), inputs.words.index("cloud-h100")
    assert done.chips[room] > 1 and not places.several(room)
    assert done.chips[cloud] > 1 and places.several(cloud)
    assert not any(places.several(i) for i in range(len(inputs.words)) if done.chips[i] == 1)
