"""The date of a run's software, however people write it."""

import pytest

from analysis.case_table import CaseError
from analysis.training_run.case_software import software_year_of


@pytest.mark.parametrize(
    ("row", "year"),
    [
        ({}, None),
        ({"software": ""}, None),
        ({"software": "26.04"}, 2026 + 3.5 / 12),
        ({"software": "container 26.04.01"}, 2026 + 3.5 / 12),
        ({"software": "Megatron Bridge 25.11"}, 2025 + 10.5 / 12),
        ({"software_date": "2026-04"}, 2026 + 3.5 / 12),
        ({"software_on": "2026-04-30"}, 2026 + 3.5 / 12),
        ({"software": "2026.3"}, 2026.3),
        ({"software": "2024"}, 2024.5),
        ({"software": "MaxText"}, None),
        ({"software": "MaxText", "software_date": "2025-06"}, 2025 + 5.5 / 12),
        ({"software": "torch 2.5"}, None),
        ({"note": "container 26.06; measured twice"}, 2026 + 5.5 / 12),
        ({"note": "26.06 tokens"}, None),
        ({"software": "25.11", "note": "container 26.06"}, 2025 + 10.5 / 12),
    ],
)
def test_versions_by_month_dates_and_years_are_understood(row, year):
    assert software_year_of(row) == (None if year is None else pytest.approx(year))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "13",
            "software is a date, such as 2026-04 or 2026.3, or a version by year and month, such as 26.04; got '13'",
        ),
        ("2026-13", "software has a month from 01 to 12; got '2026-13'. Write 2026-04, or 26.04."),
        ("26.00", "software has a month from 01 to 12; got '26.00'"),
    ],
)
def test_what_is_no_date_is_refused_with_what_to_write(text, words):
    with pytest.raises(CaseError) as raised:
        software_year_of({"software": text})
    assert words in str(raised.value)
