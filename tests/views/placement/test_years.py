"""The chance by year says from when a place does what is asked, and never more than the trends give."""

import math
from functools import cache
from itertools import product
from typing import Any

import pytest

from charts.chart import Line, Points
from data import releases
from tests.length import at_length
from views.chips.rents import RENTS
from views.placement import fitted, years
from views.placement.answer import answer_to
from views.placement.settings import PlacementSettings
from views.placement.workload import PRESETS

WORKS = [name for name, preset in PRESETS.items() if not preset.tuning]
CHANGES = ({}, {"stay": "device"}, {"offline": "yes"}, {"speed": 9000.0}, {"year": 2040}, {"budget": 0.01})


@cache
def made(name: str = "2026-07", **changes: Any) -> Any:
    answer = answer_to(PlacementSettings(**changes), releases.load(name))
    return years.years_exhibit(answer, source="where it is from")


CASES = [
    *product(("2026-07",), WORKS, CHANGES),
    *(("2025-11", work, {}) for work in WORKS),
]


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
    columns = [column.name for column in exhibit.table.columns]
    for cells in exhibit.table.rows:
        row = dict(zip(columns, cells, strict=True))
        chances = [row[f"chance_{year}"] for year in range(2026, 2041)]
        assert sorted(chances) == chances
        sure = [year for year, chance in zip(range(2026, 2041), chances, strict=True) if chance >= 0.8]
        first, low, high = (
            row[name] or math.inf for name in ("from_year", "from_year_low", "from_year_high")
        )
        assert first == (sure[0] if sure else math.inf) and low <= first <= high


def test_asking_for_more_certainty_never_brings_a_place_forward():
    tables = [made(work="laptop-coding", sure=sure).table for sure in (50, 80, 95)]
    firsts = [[row[1] or math.inf for row in table.rows] for table in tables]
    for less, more in ((firsts[0], firsts[1]), (firsts[1], firsts[2])):
        assert all(a <= b for a, b in zip(less, more, strict=True))


def test_a_requirement_nobody_meets_is_told_as_such():
    exhibit = made(work="phone-assistant", speed=9000.0)
    assert exhibit.chart.title == "No device is 80 % likely to do this by 2040"
    assert not any(isinstance(mark, Points) for mark in exhibit.chart.marks)


def test_work_that_stays_on_the_device_shows_no_cloud():
    exhibit = made(work="support-chat", stay="device")
    assert not any("cloud" in row[0] or "server" in row[0] for row in exhibit.table.rows)


def test_the_title_names_the_smallest_device_that_ever_does_it_with_its_interval():
    exhibit = made(work="laptop-coding")
    phone = exhibit.table.rows[0]
    assert exhibit.chart.title.startswith(f"A phone could do this from {phone[1]} ({phone[2]}")


def test_a_place_known_from_few_devices_follows_the_trend_of_all():
    exhibit = made(work="branch-documents")
    assert "On the trend of all devices" in exhibit.chart.subtitle


@pytest.mark.parametrize("word", RENTS)
def test_clouds_rent_for_more_each_year_as_newer_chips_do_and_lists_move(word):
    chips = fitted.slopes_of_chips("2026-07", word)
    exhibit = made(work="laptop-coding", rents=word)
    assert years.rents_in_words("2026-07", word) in exhibit.chart.subtitle
    growth = [column.name for column in exhibit.table.columns].index("price_growth_per_year")
    clouds = {row[growth] for row in exhibit.table.rows if "cloud" in str(row[0]).lower()}
    (growth_per_year,) = clouds
    assert growth_per_year == pytest.approx(10 ** chips["price"].middle, rel=1e-3)
