"""Decimal years."""

import datetime as dt

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.trend.calendar_year import decimal_year, from_decimal_year


def test_each_year_has_its_own_length():
    assert decimal_year(["2024-07-01"])[0] == pytest.approx(2024 + 182 / 366, abs=1e-12)
    assert decimal_year(["2023-07-01"])[0] == pytest.approx(2023 + 181 / 365, abs=1e-12)


def test_a_year_begins_at_a_whole_number_before_and_after_1970():
    assert decimal_year(["1957-01-01", "1970-01-01", "2026-01-01"]).tolist() == [1957, 1970, 2026]


def test_a_missing_date_is_nan_and_comes_back_as_missing():
    year = decimal_year(pd.Series([pd.Timestamp("2020-01-01"), pd.NaT]))
    assert year[0] == 2020
    assert np.isnan(year[1])
    assert np.isnat(from_decimal_year(year)[1])


def test_numpy_pandas_and_python_dates_agree():
    day = dt.date(2024, 2, 29)
    forms = [np.array([day], dtype="datetime64[D]"), pd.Series([pd.Timestamp(day)]), [day], ["2024-02-29"]]
    assert {float(decimal_year(form)[0]) for form in forms} == {2024 + 59 / 366}


@given(st.dates(min_value=dt.date(1900, 1, 1), max_value=dt.date(2200, 12, 31)))
def test_every_day_comes_back(day):
    assert from_decimal_year(decimal_year([day]))[0] == np.datetime64(day)
