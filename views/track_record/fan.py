"""Chart of past forecasts: a fan for each, and the points observed later."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.arrays import IntArray
from analysis.track_record.backtest import Backtest
from analysis.track_record.past_forecasts import Origin
from analysis.trend.calendar_year import from_decimal_year
from analysis.trend.growth import Series
from charts.chart import Band, Line, Points, Role
from data import standing
from views import wording, written
from views.axes import year_axis
from views.exhibits import xy_exhibit
from views.result import Exhibit, Table
from views.table import table
from views.track_record.figures import ordinal
from views.track_record.settings import Subject
from views.trend import marks as trend_charts
from views.trend.marks import landmarks_among

CURVE_POINTS = 9


def points(series: Series, shown: NDArray[np.bool_], *, subject: Subject, hollow: bool = False) -> Points:
    """Return the shown rows of a series as named points."""
    names = tuple(str(name) for name in series.name[shown])
    kind = "training_runs" if subject.point == "run" else "accelerators"
    return Points(
        series=f"{wording.sentence_case(subject.point)}s",
        role=subject.role,
        x=tuple(series.year[shown].tolist()),
        y=tuple(series.value[shown].tolist()),
        names=names,
        details=tuple(
            (wording.quantity(float(value), subject.unit), str(day), "Source: Epoch AI, curated")
            for value, day in zip(series.value[shown], from_decimal_year(series.year[shown]), strict=True)
        ),
        marked=landmarks_among(names, kind=kind),
        hollow=hollow,
    )


def points_table(series: Series, shown: NDArray[np.bool_], *, subject: Subject) -> Table:
    """Return the shown rows of a series as a table, newest first."""
    order = np.flatnonzero(shown)[np.argsort(-series.year[shown], kind="stable")]
    dates = from_decimal_year(series.year[order]).astype(str)
    rows = pd.DataFrame({"name": series.name[order], "date": dates, "value": series.value[order]})
    return table(subject.columns("points"), [*rows.itertuples()])


def fan(
    tested: Backtest,
    series: Series,
    *,
    subject: Subject,
    headline: str,
    level: float,
    ahead: int,
    source: str,
) -> Exhibit:
    """Return an exhibit of the ``ahead``-th year of yearly forecasts, and of the points observed later."""
    stated = wording.percent(level)
    drawn = np.array([origin in tested.yearly for origin in tested.origins])[tested.origin]
    inside, there = tested.inside(level), tested.horizon == ahead
    missed = tested.row[drawn & there & ~inside]
    count = f"{(inside & there).sum()} of {there.sum()}"  # with forecasts from mid-year, as in the headline
    forecasts = [
        mark
        for origin in tested.yearly
        for mark in _forecast(tested, origin, subject=subject, level=level, ahead=ahead, count=count)
    ]
    marks = (
        *(mark for mark in forecasts if isinstance(mark, Band)),
        *(mark for mark in forecasts if isinstance(mark, Line)),
        *_followed(tested, series, subject=subject, missed=missed),
    )
    return xy_exhibit(
        marks,
        title=headline,
        subtitle=(
            f"Each band is the {ordinal(ahead)} year of a forecast, in which {stated} of new {subject.point}s "
            "should fall. Points in another colour fell outside."
        ),
        alt=f"{headline}. Forecasts for year {ahead} since {int(tested.origins[0].year)}, and the points.",
        source=source,
        x=year_axis(float(series.year[tested.selected].min()), tested.origins[-1].year + ahead),
        y=trend_charts.value_axis(subject.axis, marks, unit=subject.unit),
        numbers=_forecast_table(tested, series, level=level, subject=subject),
    )


def _followed(tested: Backtest, series: Series, *, subject: Subject, missed: IntArray) -> Iterator[Points]:
    """Yield the points inside the drawn forecasts, then those outside (``missed``), which are labelled by name."""
    outside = np.isin(np.arange(len(series.year)), missed)
    yield replace(points(series, tested.selected & ~outside, subject=subject), marked=())
    if outside.any():
        beyond = points(series, outside, subject=subject)
        named = tuple(enumerate(beyond.names))
        other: Role = "links" if subject.role == "memory" else "memory"
        yield replace(beyond, series=f"{beyond.series} outside", role=other, marked=named)


def _forecast(
    tested: Backtest, origin: Origin, *, subject: Subject, level: float, ahead: int, count: str
) -> tuple[Band, Line]:
    """Return the prediction band and line of a past forecast in its ``ahead``-th year."""
    name = f"Forecast of {origin.year:g}"
    years = np.linspace(origin.year + ahead - 1, origin.year + ahead, CURVE_POINTS)
    low, high = origin.prediction_log10(years, level=level)
    ends = years[[0, -1]]
    return (
        Band(
            series=f"{name}: {wording.percent(level)} prediction",
            role=subject.role,
            strength="prediction",
            x=tuple(years.tolist()),
            low=tuple((10**low).tolist()),
            high=tuple((10**high).tolist()),
        ),
        Line(
            series=name,
            role="context",
            x=tuple(ends.tolist()),
            y=tuple((10 ** origin.at_log10(ends)).tolist()),
            end_label=(count, "inside their band") if origin is tested.origins[-1] else (),
        ),
    )


def _forecast_table(tested: Backtest, series: Series, *, level: float, subject: Subject) -> Table:
    """Return a table of each forecast paired with each later point, newest forecasts first."""
    order = np.lexsort((tested.year, -tested.origin))
    years = np.array([origin.year for origin in tested.origins])
    rows = pd.DataFrame(
        {
            "origin": years[tested.origin],
            "name": series.name[tested.row],
            "date": from_decimal_year(tested.year).astype(str),
            "horizon_years": tested.horizon,
            "forecast": 10 ** (tested.actual_log10 - tested.error_log10),
            "value": 10**tested.actual_log10,
            "error_log10": tested.error_log10,
            "inside": np.where(tested.inside(level), "yes", "no"),
        }
    )
    return table(subject.columns("pairs"), [*rows.iloc[order].itertuples()])


ROW_OF: Mapping[str, list[str]] = written.toml(__file__, name="names.toml")["row_of"]
"""Table, key column and key of each series' published rate, keyed by series."""
VALUE_OF = {"published": "value", "claims": "claimed_value"}
DOUBLING = ("memory-capacity", "fp32")
"""Series with a published rate that is stated as a doubling time."""


@dataclass(frozen=True, kw_only=True)
class PublishedRate:
    """A published yearly growth factor, and its text."""

    yearly_growth: float
    words: str


def published_rate(series: str) -> PublishedRate | None:
    """Return the published growth rate of a series. None if no rate is known."""
    if series not in ROW_OF:
        return None
    table, key, row = ROW_OF[series]
    rate = float(standing.rows(table, key)[row][VALUE_OF[table]])
    return PublishedRate(yearly_growth=rate, words=_words(rate, doubling=series in DOUBLING))


def _words(rate: float, *, doubling: bool) -> str:
    if doubling:
        return f"doubling in {math.log(2) / math.log(rate):.2g} years"
    return f"{wording.multiple(rate)} a year" if rate >= 2 else f"{100 * (rate - 1):.0f}% a year"
