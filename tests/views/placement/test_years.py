"""The chance by year says from when a place does what is asked, and never more than the trends give."""

from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import pytest

from charts.chart import Points
from data import releases
from tests.views.reading import rows
from views.placement import years
from views.placement.amounts import count
from views.placement.answer import answer_to
from views.placement.cheapest_map import CELLS, NOTHING, _choices, cheapest_map_exhibit
from views.placement.settings import PlacementSettings


@cache
def made(name: str = "2026-07", **changes: Any) -> Any:
    answer = answer_to(PlacementSettings(**changes), releases.load(name))
    return years.years_exhibit(answer, source="where it is from")


def test_the_title_names_the_smallest_device_that_ever_does_it_and_what_nobody_does_is_told():
    exhibit = made(work="phone-assistant", speed=9000.0)
    assert exhibit.chart.title == "No device is 80% likely to do this task by 2040"
    assert not any(isinstance(mark, Points) for mark in exhibit.chart.marks)
    exhibit = made(work="laptop-coding")
    phone = exhibit.table.rows[0]
    for row in rows(exhibit):
        sure = [year for year in range(2026, 2041) if row[f"chance_{year}"] >= 0.8]
        assert (row["from_year"] or None) == next(iter(sure), None)
    assert exhibit.chart.title.startswith(f"A phone could do this task from {phone[1]} ({phone[2]}")
    assert exhibit.chart.title.endswith("; a laptop can today")


def _exhibit(release="2026-07", **changes) -> tuple[PlacementSettings, Any]:
    settings = PlacementSettings(**changes)
    return settings, cheapest_map_exhibit(answer_to(settings, releases.load(release)), source="s")


@pytest.mark.parametrize(
    "changes",
    [
        {"map": "context"},
        {"speed": 9999.0, "first_token": 0.001},
        {"stay": "device", "offline": "yes"},
        {"model": "custom", "billions": 4000.0, "kept": 500_000, "map": "context", "device": "nvidia-rtx-4090"},
    ],
    ids=str,
)  # fmt: skip
def test_every_cell_of_a_map_has_a_winner_or_says_that_there_is_none(changes):
    settings, exhibit = _exhibit(work="laptop-coding", **changes)
    chart, cells = exhibit.chart, exhibit.table.rows
    assert np.shape(chart.cells) == (CELLS, CELLS) and len(cells) == CELLS**2
    assert set(np.unique(chart.cells)) == set(range(len(chart.choices))), "no choice without a cell"
    assert all(row[3] is None if row[2] == NOTHING else 0 <= row[3] < np.inf for row in cells)
    for row, text in zip(cells, chain.from_iterable(chart.details), strict=True):
        assert text.startswith(f"{count(row[0])} parameters, {count(row[1])} ")
    names = {row[2] for row in cells}
    if settings.usual("stay") == "device":
        assert not any("cloud" in name or "server" in name for name in names)
    if changes.get("speed"):
        assert chart.title.startswith("No option meets all targets") and names == {NOTHING}


def test_the_readers_work_is_marked_where_it_lies_on_the_map():
    _, exhibit = _exhibit(work="support-chat")
    assert exhibit.chart.marked.y == 1_000_000
    assert exhibit.chart.marked.x == pytest.approx(70.6e9, rel=0.01)
    _, exhibit = _exhibit(work="support-chat", model="custom", billions=4000.0)
    assert exhibit.chart.marked is None and "outside the map" in exhibit.chart.subtitle


def test_places_beyond_the_tones_share_the_palest():
    inputs = answer_to(PlacementSettings(), releases.load("2026-07")).inputs
    choices, of = _choices(inputs, list(range(len(inputs.names))))
    rented = [of[i] for i in np.flatnonzero(inputs.question.rented).tolist()]
    assert len(rented) > 5 and len(set(rented)) == 5
    assert choices[max(rented)].label.startswith("Others") and len(choices) == max(of.values()) + 1
