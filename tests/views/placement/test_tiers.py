"""Two tiers: what a split costs by the share that the edge keeps."""

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from analysis.placement.tiers import blended, break_even
from data import releases
from tests.length import at_length
from views.placement.answer import answer_to
from views.placement.settings import PlacementSettings
from views.placement.tiers import tiers_exhibit
from views.placement.view import VIEW
from views.placement.workload import PRESETS
from views.view import answer

WORKS = [work for work in PRESETS if work != "domain-tuning"]
CHANGES = (
    {},
    {"split": "before"},
    {"split": "before", "renting": "by-hour", "kept_on_edge": 100},
    {"year": 2040, "charged": "100"},
    {"speed": 10_000.0, "first_token": 0.001},
    {"electricity": 0.0, "charged": "0", "sustained": "always"},
)


def made(release="2026-07", **change) -> Any:
    return tiers_exhibit(answer_to(PlacementSettings(**change), releases.load(release)), source="data")


@pytest.mark.parametrize(
    ("work", "release", "change"),
    at_length(
        [*product(WORKS, ("2026-07",), CHANGES), *product(WORKS, ("2025-11",), CHANGES[:2])],
        few=[*zip(WORKS * 2, ("2026-07", "2025-11") * 3, CHANGES, strict=False)],
    ),
    ids=str,
)
def test_every_mark_is_finite(*, work, release, change):
    exhibit = made(release, work=work, **change)
    if exhibit is not None:
        chart = exhibit.chart
        assert all(math.isfinite(value) for mark in chart.marks for value in (*mark.x, *mark.y))
        assert chart.y.low <= min(y for mark in chart.marks for y in mark.y)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"stay": "device"}, "the cloud is ruled out, so no request could be passed on to it."),
        ({"offline": "yes"}, "the cloud is ruled out, so no request could be passed on to it."),
        ({"stay": "premises"}, "the cloud is ruled out, so no request could be passed on to it."),
        ({"speed": 10_000.0}, "no cloud meets the targets for the remaining requests."),
        (
            {"edge_model": "llama-3.1-405b", "model": "llama-3.2-1b", "speed": 60.0},
            "no edge hardware meets the targets even with Llama 3.1 405B.",
        ),
        ({}, None),
    ],
    ids=str,
)
def test_where_no_split_is_drawn_the_reason_is_said(change, why):
    notes = list(answer(VIEW, PlacementSettings(work="support-chat", **change)).changes)
    assert (made(work="support-chat", **change) is None) == (why is not None)
    assert [note for note in notes if "two-tier" in note] == ([f"No two-tier split: {why}"] if why else [])


def test_a_share_of_nothing_is_a_share_that_can_be_asked_for():
    first, before = (
        made(work="support-chat", kept_on_edge=0, split=split) for split in ("after-try", "before")
    )
    assert first.chart.title.startswith("0 % of") and before.chart.title.startswith("1 % of")


def test_a_router_that_knows_beforehand_costs_no_more_than_trying_first():
    first, before = (made(work="support-chat", split=split) for split in ("after-try", "before"))
    costs = [{round(row[0], 2): row[1] for row in exhibit.table.rows} for exhibit in (first, before)]
    assert all(costs[1][share] <= costs[0][share] * 1.001 for share in costs[0].keys() & costs[1].keys())


def test_all_at_the_edge_costs_what_the_edge_costs():
    last = made(work="support-chat").table.rows[-1]
    assert last[0] == 1.0
    assert last[1] == pytest.approx(last[3])


def test_a_split_that_never_pays_says_so():
    assert "no share saves money" in made(work="laptop-coding").chart.title


def test_a_cloud_rented_by_the_hour_for_a_few_is_saved_only_when_all_stay():
    exhibit = made(work="frontier", renting="by-hour")
    assert "it saves money only if all stay there" in exhibit.chart.title
    assert "Break-even" not in [mark.series for mark in exhibit.chart.marks]


def test_the_costs_shown_break_even_at_edge_over_cloud_where_all_is_tried_first():
    rows = made(work="support-chat").table.rows
    edge, alone = rows[0][3], rows[0][2]
    kept = np.linspace(0, 1, 101)
    cost = blended(kept, edge=np.full(101, edge), cloud=np.full(101, alone), tried_first=True)
    assert break_even(kept, cost=cost, alone=alone) == pytest.approx(edge / alone)
