"""Conversion between calendar dates and decimal years, using the length of each year."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

_ONE_YEAR = np.timedelta64(1, "Y")


def decimal_year(dates: ArrayLike) -> NDArray[np.float64]:
    """Return each date as a decimal year, in the shape of ``dates``. [year]

    ``dates`` are numpy datetimes, a pandas column, Python dates or ISO texts. 2024-07-01 is 182 days into a year of
    366, so 2024 + 182/366. A missing date gives NaN.
    """
    moment = np.asarray(dates).astype("datetime64[s]")
    year = moment.astype("datetime64[Y]")
    start, end = year.astype("datetime64[s]"), (year + _ONE_YEAR).astype("datetime64[s]")
    missing = np.isnat(moment)
    part = np.where(missing, np.nan, (moment - start) / (end - start))
    return np.asarray(np.where(missing, 0, year.astype(np.int64)) + 1970 + part, dtype=np.float64)


def from_decimal_year(year: ArrayLike) -> NDArray[np.datetime64]:
    """Return the calendar day nearest to each decimal year, in the shape of ``year``.

    A non-finite year gives a missing date (NaT).
    """
    number = np.asarray(year, dtype=np.float64)
    known = np.isfinite(number)
    whole = np.floor(np.where(known, number, 1970.0))
    first = (whole.astype(np.int64) - 1970).astype("datetime64[Y]")
    start = first.astype("datetime64[D]")
    days = ((first + _ONE_YEAR).astype("datetime64[D]") - start).astype(np.int64)
    day = start + np.rint((np.where(known, number, 1970.0) - whole) * days).astype("timedelta64[D]")
    return np.where(known, day, np.datetime64("NaT", "D"))
