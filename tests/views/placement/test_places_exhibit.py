"""The places as dots with intervals, beside the table with every number of every place."""

import math
from typing import Any

import pytest

from analysis.placement.answers import BINDINGS
from tests.views.placement.placed import ANSWERING, result, rows


@pytest.mark.parametrize("work", ANSWERING)
def test_dots_and_rows_name_the_same_places_in_the_same_order_at_the_same_costs(work):
    shown: Any = result(work=work)
    chart, table = shown.exhibits[0].chart, shown.exhibits[0].table
    assert chart.dots and chart.x.scale == "log"
    assert [bar.label for bar in chart.bars] == [row[0] for row in table.rows]
    assert sum(bar.emphasised for bar in chart.bars) == 1
    month = shown.figure("cost_usd_per_month").value / shown.figure("cost_usd_per_1000_requests").value
    for bar, row in zip(chart.bars, rows(shown).values(), strict=True):
        sure = row["probability_meets_requirement"] >= 0.8
        assert (bar.role == "context") is not sure
        assert chart.x.low <= bar.value <= chart.x.high
        for name in ("time_to_first_token_s", "time_per_output_token_s"):
            assert row[f"{name}_low"] <= row[name] <= (row[f"{name}_high"] or math.inf)
        if row["fits"] == "no":
            assert row["probability_meets_requirement"] == 0 and row["binding"] in ("capacity", "rule")
        assert row["binding"] in BINDINGS
        if bar.absent:
            assert bar.low is None and bar.high is None and not bar.emphasised
            continue
        assert bar.value == pytest.approx(row["cost_usd_per_1000_requests"] * month)
        assert bar.low <= bar.value <= bar.high
        assert bar.text.startswith("$") is sure


def test_what_does_not_fit_or_is_ruled_out_has_no_dot_but_the_reason():
    shown: Any = result(work="frontier", stay="premises", model="kimi-k2")
    bars = {bar.label.partition(" (")[0]: bar for bar in shown.exhibits[0].chart.bars}
    assert bars["Edge server"].absent and bars["Edge server"].text == "memory too small"
    assert bars["Edge server"].detail[0].startswith("Memory too small: 410 GB, ")
    clouds = [bar for bar in bars.values() if bar.label.startswith("Cloud")]
    assert clouds and all(bar.absent and bar.text == "ruled out" for bar in clouds)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "too slow"),
        ({"speed": 0.1, "first_token": 0.01}, "starts too late"),
        ({"speed": 0.1, "first_token": 3600.0, "budget": 0.001}, "over budget"),
    ],
    ids=str,
)
def test_the_class_asked_about_is_marked_even_where_it_falls_short_and_says_briefly_why(changes, text):
    shown: Any = result(work="support-chat", only="laptop", **changes)
    (marked,) = [bar for bar in shown.exhibits[0].chart.bars if bar.emphasised]
    assert "laptop" in marked.label and marked.role == "context" and marked.text == text
