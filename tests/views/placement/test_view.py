"""Edge or cloud: the figures of every place, and what moves them."""

from typing import Any

import pytest

from tests.length import at_length
from tests.views.placement.placed import ANSWERING, result, rows
from views.placement.settings import PlacementSettings
from views.placement.view import VIEW
from views.placement.workload import PRESETS
from views.view import answer


@pytest.mark.parametrize("work", ANSWERING)
def test_the_winner_is_the_cheapest_measured_place_that_meets_what_is_asked(work):
    shown = result(work=work)
    meeting = [
        row["cost_usd_per_1000_requests"]
        for name, row in rows(shown).items()
        if row["probability_meets_requirement"] >= 0.8
        and row["cost_usd_per_1000_requests"] is not None
        and "mi300x" not in name.lower()
    ]
    assert shown.figure("cost_usd_per_1000_requests").value == pytest.approx(min(meeting))
    assert shown.figure("places_that_meet").value >= 1


def test_a_million_support_chats_go_to_a_cloud_and_texts_that_stay_do_not():
    assert "in the cloud" in result(work="support-chat").headline
    kept = result(work="branch-documents")
    assert all(
        row["probability_meets_requirement"] == 0
        for word, row in rows(kept).items()
        if word.startswith("cloud")
    )


def test_a_desktop_with_32_binary_gigabytes_uses_95_percent_of_them():
    row = rows(result(work="branch-documents"))["desktop-gpu"]
    assert row["memory_usable_gbyte"] == pytest.approx(0.95 * 32 * 1.073741824)


def test_dearer_rent_never_makes_a_cloud_cheaper():
    cheap, dear = (rows(result(work="support-chat", rent_change=change)) for change in (100, 200))
    for word in (word for word in cheap if word.startswith("cloud")):
        assert dear[word]["cost_usd_per_1000_requests"] > cheap[word]["cost_usd_per_1000_requests"]


def test_a_phone_at_its_sustained_speed_is_slower():
    first, lasting = (rows(result(work="phone-assistant", sustained=word)) for word in ("never", "always"))
    assert lasting["phone"]["time_per_output_token_s"] > 1.2 * first["phone"]["time_per_output_token_s"]


@pytest.mark.parametrize(("format_name", "slower", "faster"), [("4-bit", 40.0, 50.0), ("fp16", 70.0, 100.0)])
def test_a_place_that_writes_fast_enough_does_so_where_less_is_asked(*, format_name, slower, faster):
    """Its few slots once left requests waiting at the lower speed, so that a cloud met only the higher one."""
    asked, more = (rows(result(format=format_name, speed=speed)) for speed in (slower, faster))
    surely = {name for name, row in more.items() if row["probability_meets_requirement"] >= 0.9}
    assert {"cloud-l40s", "cloud-b200"} <= surely
    assert all(asked[name]["probability_meets_requirement"] >= 0.85 for name in surely)


def test_later_years_bring_faster_devices():
    today, later = (rows(result(work="phone-assistant", year=year)) for year in (2026, 2032))
    assert later["phone"]["time_per_output_token_s"] < today["phone"]["time_per_output_token_s"]


@pytest.mark.parametrize("work", at_length([*PRESETS], few=["branch-documents"]))
def test_every_exhibit_can_be_read_at_an_older_release(work):
    shown: Any = answer(VIEW, PlacementSettings(work=work, release="2025-11"))
    titles = [exhibit.chart.title for exhibit in shown.exhibits]
    assert titles and all(titles)


def test_nobody_waits_for_their_own_device():
    seldom, often = (
        rows(result(work="laptop-coding", stay="device", requests=number))["laptop"] for number in (10, 400)
    )
    assert often["load"] > 20 * seldom["load"]
    assert often["time_to_first_token_s"] == pytest.approx(seldom["time_to_first_token_s"])


def test_choices_that_are_not_the_usual_ones_stand_in_the_settings_line():
    assert "Chosen:" not in result().settings_line
    line = result(charged="0", utilization=30, years=2.5).settings_line
    assert "Chosen: Utilization, %: 30; Years in use: 2.5; Device price charged: Nothing." in line
