"""The map of the cheapest place: right for every work and choice, the same as counting every draw, and quick."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analysis.placement import cheapest as cheapest_module
from analysis.placement.cheapest import cheapest
from analysis.placement.outcome import middle
from analysis.placement.setup import set_up
from analysis.placement.verdict import probabilities
from charts.chart import MapChart
from data import releases
from tests.length import at_length
from views.placement.answer import answer_to
from views.placement.cheapest_map import CELLS, NOTHING, _choices, _works, cheapest_map_exhibit
from views.placement.settings import PlacementSettings
from views.placement.view import VIEW
from views.view import answer

WORKS = ("laptop-coding", "phone-assistant", "branch-documents", "support-chat", "frontier")
CHANGES = (
    {},
    {"map": "context"},
    {"speed": 9999.0, "first_token": 0.001},
    {"stay": "device", "offline": "yes"},
    {"year": 2040, "sustained": "always", "renting": "by-hour"},
    {"model": "custom", "billions": 4000.0, "kept": 500_000, "map": "context", "device": "nvidia-rtx-4090"},
    {"charged": "0", "electricity": 0.0, "sure": 99},
)


def _exhibit(release="2026-07", **changes) -> tuple[PlacementSettings, Any]:
    settings = PlacementSettings(**changes)
    return settings, cheapest_map_exhibit(answer_to(settings, releases.load(release)), source="s")


CASES = [(work, changes) for changes in CHANGES for work in WORKS]


@pytest.mark.parametrize(
    ("work", "changes"), at_length(CASES, few=[*zip(WORKS * 2, CHANGES, strict=False)]), ids=str
)
def test_every_work_and_choice_has_a_map_of_finite_numbers(work, changes):
    for release in ("2026-07", "2025-11") if changes in CHANGES[:2] else ("2026-07",):
        settings, exhibit = _exhibit(release, work=work, **changes)
        assert exhibit is not None and isinstance(exhibit.chart, MapChart)
        chart, rows = exhibit.chart, exhibit.table.rows
        assert np.shape(chart.cells) == (CELLS, CELLS) and len(rows) == CELLS**2
        assert np.min(chart.cells) >= 0, "every cell has a winner or says that no option meets the targets"
        assert set(np.unique(chart.cells)) == set(range(len(chart.choices))), "no choice without a cell"
        assert all(row[3] is None if row[2] == NOTHING else 0 <= row[3] < np.inf for row in rows)
        names = {row[2] for row in rows}
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


def test_pieces_of_the_map_do_not_change_it(monkeypatch):
    _, whole = _exhibit(work="laptop-coding")
    monkeypatch.setattr(cheapest_module, "CELLS_AT_ONCE", 77)
    _, pieces = _exhibit(work="laptop-coding")
    assert whole.chart.cells == pieces.chart.cells


def test_more_certainty_never_makes_it_cheaper():
    costs = []
    for sure in (20, 80, 99):
        _, exhibit = _exhibit(work="laptop-coding", sure=sure)
        costs.append([np.inf if row[3] is None else row[3] for row in exhibit.table.rows])
    assert (np.array(costs[0]) <= costs[1]).all() and (np.array(costs[1]) <= costs[2]).all()


def test_places_beyond_the_tones_share_the_palest():
    inputs = answer_to(PlacementSettings(), releases.load("2026-07")).inputs
    choices, of = _choices(inputs, np.arange(len(inputs.names)))
    rented = of[:-1][inputs.question.rented]
    assert len(rented) > 5 and len(set(rented)) == 5
    assert choices[rented.max()].label.startswith("Others") and len(choices) == of.max() + 1


def test_the_map_of_a_later_year_is_drawn_with_its_hardware():
    release = releases.load("2026-07")
    settings = PlacementSettings(year=2036, requests=20_000)
    result: Any = answer(VIEW, replace(settings, release="2026-07"))
    chart: Any = next(one.chart for one in result.exhibits if isinstance(one.chart, MapChart))
    assert "Hardware and rents are the middle expectation for 2036" in chart.subtitle
    now = replace(settings, year=2026)
    today: Any = cheapest_map_exhibit(answer_to(now, release), source="s")
    assert today is not None and chart.cells != today.chart.cells
    at = chart.alt.partition("In the cell of this work it is: ")[2].rstrip(".").removeprefix("cloud ")
    assert at in result.headline


@pytest.mark.parametrize("work", ["laptop-coding", "phone-assistant"])
def test_the_short_way_agrees_with_counting_every_draw_at_the_places_of_the_page(work):
    settings = PlacementSettings(work=work)
    inputs = answer_to(settings, releases.load("2026-07")).inputs
    works = _works(settings, inputs, sizes=np.geomspace(1e9, 4e11, 9), up=np.geomspace(3, 1e6, 6))
    for sure in (0.05, 0.5, 0.8, 0.99):
        question = replace(inputs.question, work=works, sure=sure)
        placed = set_up(question)
        with np.errstate(over="ignore"):
            chance = probabilities(placed, question)
            cost = middle(placed, question).cost_usd_per_1000_requests[..., 0]
        best = cheapest(question)
        counted = np.where((chance >= sure) & np.isfinite(cost), question.ranked(cost), np.inf)
        expected = np.where(np.isfinite(counted.min(axis=1)), counted.argmin(axis=1), -1)
        assert (best.place == expected).all()
