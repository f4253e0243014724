"""Two tiers: what a split costs by the share that the edge keeps."""

from typing import Any

import numpy as np
import pytest

from analysis.placement.tiers import blended, break_even
from data import releases
from views.placement.answer import answer_to
from views.placement.settings import PlacementSettings
from views.placement.tiers import tiers_exhibit
from views.placement.view import VIEW
from views.view import answer


def made(release="2026-07", **change) -> Any:
    return tiers_exhibit(answer_to(PlacementSettings(**change), releases.load(release)), source="data")


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


def test_a_router_that_knows_beforehand_costs_no_more_than_trying_first():
    first, before = (made(work="support-chat", split=split) for split in ("after-try", "before"))
    costs = [{round(row[0], 2): row[1] for row in exhibit.table.rows} for exhibit in (first, before)]
    assert all(costs[1][share] <= costs[0][share] * 1.001 for share in costs[0].keys() & costs[1].keys())


def test_all_at_the_edge_costs_what_the_edge_costs():
    last = made(work="support-chat").table.rows[-1]
    assert last[0] == 1.0
    assert last[1] == pytest.approx(last[3])


@pytest.mark.parametrize(
    ("changes", "start", "says"),
    [
        ({"work": "support-chat", "kept_on_edge": 0}, "0 % of", ""),
        ({"work": "support-chat", "kept_on_edge": 0, "split": "before"}, "1 % of", ""),
        ({"work": "laptop-coding"}, "60 % of", "no share saves money"),
        ({"work": "frontier", "renting": "by-hour"}, "50 % of", "it saves money only if all stay there"),
    ],
    ids=str,
)
def test_the_title_says_the_share_asked_and_from_which_share_a_split_pays(*, changes, start, says):
    chart = made(**changes).chart
    assert chart.title.startswith(start) and chart.title.endswith(says)
    assert not says or "Break-even" not in [mark.series for mark in chart.marks]


def test_the_costs_shown_break_even_at_edge_over_cloud_where_all_is_tried_first():
    rows = made(work="support-chat").table.rows
    edge, alone = rows[0][3], rows[0][2]
    kept = np.linspace(0, 1, 101)
    cost = blended(kept, edge=np.full(101, edge), cloud=np.full(101, alone), tried_first=True)
    assert break_even(kept, cost=cost, alone=alone) == pytest.approx(edge / alone)
