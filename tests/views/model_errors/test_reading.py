"""Dates as the tables write them."""

import math

import pytest

from views.model_errors.reading import decimal_year


@pytest.mark.parametrize(
    ("date", "year"),
    [
        ("2024", 2024.5),
        ("2024-01", 2024.042),
        ("2024-12", 2024.958),
        ("2025-09-09", 2025.690),
        ("2025-12..2026", 2025.958),
    ],
)
def test_a_date_is_the_middle_of_what_it_names(*, date, year):
    assert decimal_year(date) == pytest.approx(year, abs=2e-3)


@pytest.mark.parametrize("date", ["", "unknown", "n.d."])
def test_no_date_is_no_number(date):
    assert math.isnan(decimal_year(date))
