import datetime as dt

import numpy as np
import pandas as pd

from analysis.trend.calendar_year import decimal_year, from_decimal_year


def test_a_missing_date_is_nan_and_comes_back_as_missing():
    year = decimal_year(pd.Series([pd.Timestamp("2020-01-01"), pd.NaT]))
    assert year[0] == 2020
    assert np.isnan(year[1])
    assert np.isnat(from_decimal_year(year)[1])


def test_numpy_pandas_and_python_dates_agree():
    day = dt.date(2024, 2, 29)
    forms = [np.array([day], dtype="datetime64[D]"), pd.Series([pd.Timestamp(day)]), [day], ["2024-02-29"]]
    assert {float(decimal_year(form)[0]) for form in forms} == {2024 + 59 / 366}
