from datetime import timedelta

import pytest

from analysis.units import DAY_S, HOUR_S, JOULE_PER_KWH, YEAR_S


def test_hours_and_days_are_those_of_the_calendar_and_a_year_is_the_julian_one():
    assert timedelta(hours=1).total_seconds() == HOUR_S
    assert timedelta(days=1).total_seconds() == DAY_S
    assert timedelta(days=365.25).total_seconds() == YEAR_S


def test_a_kilowatt_hour_is_a_thousand_watts_for_an_hour():
    assert pytest.approx(1000 * HOUR_S) == JOULE_PER_KWH
