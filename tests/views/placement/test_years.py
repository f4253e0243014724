"""The chance by year says from when a place does what is asked, and never more than the trends give."""

import math
from functools import cache
from itertools import chain, product
from typing import Any

import numpy as np
import pytest

from charts.chart import Line, Points
from data import releases
from tests.length import at_length
from tests.views.reading import rows
from views.placement import years
from views.placement.amounts import count
from views.placement.answer import answer_to
from views.placement.cheapest_map import CELLS, NOTHING, _choices, cheapest_map_exhibit
from views.placement.settings import PRESETS, PlacementSettings

WORKS = [name for name, preset in PRESETS.items() if not preset.tuning]
CHANGES = ({}, {"stay": "device"}, {"offline": "yes"}, {"speed": 9000.0}, {"year": 2040}, {"budget": 0.01})
CASES = [*product(("2026-07",), WORKS, CHANGES), *(("2025-11", work, {}) for work in WORKS)]


@cache
def made(name: str = "2026-07", **changes: Any) -> Any:
    answer = answer_to(PlacementSettings(**changes), releases.load(name))
    return years.years_exhibit(answer, source="where it is from")


@pytest.mark.parametrize(
    ("name", "work", "changes"),
    at_length(CASES, few=[*zip(("2026-07", "2025-11") * 3, WORKS * 2, CHANGES, strict=False)]),
    ids=str,
)
def test_chances_are_finite_rise_with_the_years_and_the_first_sure_one_lies_in_its_interval(
    *, name, work, changes
):
    exhibit = made(name, work=work, **changes)
    marks = exhibit.chart.marks
    assert exhibit.chart.title and sum(isinstance(mark, Line) for mark in marks) >= 2
    for mark in marks:
        assert all(2026 <= x <= 2040 for x in mark.x)
        assert all(0 <= y <= 1 for y in mark.y)
    for row in rows(exhibit):
        chances = [row[f"chance_{year}"] for year in range(2026, 2041)]
        assert sorted(chances) == chances
        sure = [year for year, chance in zip(range(2026, 2041), chances, strict=True) if chance >= 0.8]
        first, low, high = (row[f"from_year{end}"] or math.inf for end in ("", "_low", "_high"))
        assert first == (sure[0] if sure else math.inf) and low <= first <= high


def test_the_title_names_the_smallest_device_that_ever_does_it_and_what_nobody_does_is_told():
    exhibit = made(work="phone-assistant", speed=9000.0)
    assert exhibit.chart.title == "No device is 80% likely to do this by 2040"
    assert not any(isinstance(mark, Points) for mark in exhibit.chart.marks)
    exhibit = made(work="laptop-coding")
    phone = exhibit.table.rows[0]
    assert exhibit.chart.title.startswith(f"A phone could do this from {phone[1]} ({phone[2]}")
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
