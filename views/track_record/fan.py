"""Past forecasts drawn: each as a fan, against the points that came."""

import numpy as np
from numpy.typing import NDArray

from analysis.track_record.backtest import Backtest
from analysis.trend.calendar_year import from_decimal_year
from analysis.trend.growth import Series
from charts.chart import Band, Line, Mark, Points, XYChart
from views import wording
from views.axes import year_axis
from views.result import Exhibit, Table
from views.table import Getter, column, table
from views.track_record.settings import Subject
from views.trend import landmarks
from views.trend import marks as trend_charts

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
        marked=landmarks.marked(names, kind=kind),
        hollow=hollow,
    )


def points_table(series: Series, shown: NDArray[np.bool_], *, subject: Subject) -> Table:
    """Return the shown rows of a series, newest first."""
    order = np.flatnonzero(shown)[np.argsort(-series.year[shown], kind="stable")]
    columns: tuple[Getter[int], ...] = (
        column(
            "name",
            lambda row: str(series.name[row]),
            label=wording.sentence_case(subject.point),
            kind="text",
        ),
        column("date", lambda row: str(from_decimal_year(series.year[row])), label="Date", kind="date"),
        column(
            "value",
            lambda row: float(series.value[row]),
            label=wording.sentence_case(subject.noun),
            unit=subject.unit,
            kind="scientific",
        ),
    )
    return table(columns, order.tolist())


def fan(
    tested: Backtest,
    series: Series,
    *,
    subject: Subject,
    headline: str,
    level: float,
    every: int,
    source: str,
) -> Exhibit:
    """Return past forecasts, each as far as the next is drawn, against the points that came."""
    bands: list[Mark] = []
    lines: list[Mark] = []
    last = tested.origins[-1].year
    stated = wording.percent(level)
    for origin in tested.every(every):
        years = np.linspace(origin.year, origin.year + every, CURVE_POINTS)
        low, high = origin.prediction_log10(years, level=level)
        name = f"Forecast of {origin.year:g}"
        bands.append(
            Band(
                series=f"{name}: {stated} prediction",
                role=subject.role,
                strength="prediction",
                x=tuple(years.tolist()),
                low=tuple((10**low).tolist()),
                high=tuple((10**high).tolist()),
            )
        )
        ends = np.array([origin.year, origin.year + every])
        lines.append(
            Line(
                series=name,
                role="context",
                x=tuple(ends.tolist()),
                y=tuple((10 ** origin.at_log10(ends)).tolist()),
                end_label=("Newest", "forecast") if origin is tested.origins[-1] else (),
            )
        )
    marks = (*bands, *lines, points(series, tested.selected, subject=subject))
    shown = series.year[tested.selected]
    length = "year" if every == 1 else f"{every} years"
    return Exhibit(
        chart=XYChart(
            title=headline,
            subtitle=(
                f"{wording.sentence_case(subject.noun)}. Every {length} a new forecast from what was known then: "
                f"line, and where {stated} of new {subject.point}s should fall, for {length} ahead. "
                f"Points: what followed."
            ),
            alt=f"{headline}. Forecasts of {length} each since {int(tested.origins[0].year)}, and the points.",
            source=source,
            x=year_axis(float(shown.min()), last + every),
            y=trend_charts.value_axis(
                f"{wording.sentence_case(subject.noun)} [{subject.unit}]", marks, unit=subject.unit
            ),
            marks=marks,
        ),
        table=_forecast_table(tested, series, level=level, subject=subject),
    )


def _forecast_table(tested: Backtest, series: Series, *, level: float, subject: Subject) -> Table:
    """Return every pair of forecast and later point, newest forecasts first."""
    inside = tested.inside(level)
    forecast_log10 = tested.actual_log10 - tested.error_log10
    order = np.lexsort((tested.year, -tested.origin))
    columns: tuple[Getter[int], ...] = (
        column(
            "origin",
            lambda pair: tested.origins[tested.origin[pair]].year,
            label="Forecast made",
            unit="year",
            kind="year",
        ),
        column(
            "name",
            lambda pair: str(series.name[tested.row[pair]]),
            label=wording.sentence_case(subject.point),
            kind="text",
        ),
        column("date", lambda pair: str(from_decimal_year(tested.year[pair])), label="Came", kind="date"),
        column("horizon_years", lambda pair: int(tested.horizon[pair]), label="Year ahead"),
        column(
            "forecast",
            lambda pair: float(10 ** forecast_log10[pair]),
            label="Forecast",
            unit=subject.unit,
            kind="scientific",
        ),
        column(
            "value",
            lambda pair: float(10 ** tested.actual_log10[pair]),
            label="What came",
            unit=subject.unit,
            kind="scientific",
        ),
        column("error_log10", lambda pair: float(tested.error_log10[pair]), label="Error", unit="log10"),
        column(
            "inside",
            lambda pair: "yes" if inside[pair] else "no",
            label="Inside the interval",
            kind="text",
        ),
    )
    return table(columns, order.tolist())
