"""The chance by year says from when a place does what is asked, and never more than the trends give."""

import math
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from analysis.placement.years import ACCELERATOR, drawn_growth, groups, middle_growth
from analysis.serving.tables import model as serving_fitted
from charts.chart import Line, Points
from data import releases
from data.releases import load
from tests.length import at_length
from views.chips.rents import AS_LAST_YEAR, NEXT_GENERATION, RENTS, STEADY, newer, rate
from views.placement import fitted, years
from views.placement.answer import answer_to
from views.placement.inputs import inputs_of
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


def test_along_the_fitted_trends_nothing_has_moved_today_and_draws_spread_more_the_further_ahead():
    question = inputs_of(PlacementSettings(work="laptop-coding"), load("2026-07")).question
    places, draws = question.places, question.luck.step.shape[1]
    slopes, names = fitted.slopes("2026-07", STEADY), groups(places)
    today = middle_growth(slopes, names, ahead=0.0)
    off: dict[int, Any] = {
        year: drawn_growth(slopes, names, ahead=float(year - 2026), draws=draws).bandwidth
        for year in (2026, 2030, 2040)
    }
    assert all(np.all(value == 1) for value in vars(today).values())
    assert off[2026].shape == question.luck.step.shape
    assert np.all(off[2026] == 1)
    assert np.all(off[2040].std(axis=1) > off[2030].std(axis=1))


def test_a_class_known_from_few_devices_follows_the_trend_of_all():
    slopes = fitted.slopes_of_devices()
    assert slopes["workstation"]["bandwidth"] is slopes["edge_server"]["bandwidth"]
    assert slopes["workstation"]["bandwidth"].pooled
    assert not slopes["phone"]["bandwidth"].pooled


def test_chips_rent_for_more_as_they_are_newer_and_as_lists_move():
    chips = {word: fitted.slopes_of_chips("2026-07", word)["price"] for word in RENTS}
    newest = newer("2026-07")
    for word, slope in chips.items():
        assert slope.middle == pytest.approx(np.log10(newest.factor * rate("2026-07", word).factor))
        assert slope.n == newest.n and len(slope.draws) == len(newest.draws)
    assert chips[STEADY].middle > 0 == pytest.approx(chips[NEXT_GENERATION].middle, abs=1e-9)
    assert (
        np.std(chips[AS_LAST_YEAR].draws) > np.std(chips[STEADY].draws) > np.std(chips[NEXT_GENERATION].draws)
    )


def test_each_class_of_device_and_the_accelerators_have_a_trend():
    slopes = fitted.slopes("2026-07", STEADY)
    assert slopes[ACCELERATOR] == fitted.slopes_of_chips("2026-07", STEADY)
    assert set(fitted.slopes_of_devices()) == set(slopes) - {ACCELERATOR}
    assert slopes[ACCELERATOR]["bandwidth"].middle > slopes["phone"]["bandwidth"].middle > 0


def test_speeds_are_fitted_once():
    assert fitted.fitted() is fitted.fitted()
    assert fitted.fitted().devices is fitted.devices_fitted()
    assert fitted.fitted().serving is serving_fitted()
    assert np.all((fitted.sustained() > 0) & (fitted.sustained() <= 1))
