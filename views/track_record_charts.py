"""Past forecasts drawn: fans against what came, how often intervals held, and who was closest."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from analysis.backtest import HORIZONS_YEARS, Backtest, Rival
from analysis.calendar_year import from_decimal_year
from analysis.growth import Series
from analysis.record_outlook import RecordCheck
from charts.chart import Band, Bar, BarChart, Line, Mark, Points, Role, XYChart
from views import landmarks, trend_charts, wording
from views.axes import linear_axis, year_axis
from views.result import Column, Exhibit, Table

CURVE_POINTS = 9


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What is forecast: its name in a sentence, unit, colour role, what a point is, and the rule in words."""

    noun: str
    unit: str
    role: Role
    point: str
    words: str


def points(series: Series, shown: NDArray[np.bool_], *, subject: Subject, hollow: bool = False) -> Points:
    """Return the shown rows of a series as named points."""
    names = tuple(str(name) for name in series.name[shown])
    known = landmarks.RUNS if subject.point == "run" else landmarks.CHIPS
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
        marked=landmarks.marked(names, known),
        hollow=hollow,
    )


def points_table(series: Series, shown: NDArray[np.bool_], *, subject: Subject) -> Table:
    """Return the shown rows of a series, newest first."""
    order = np.flatnonzero(shown)[np.argsort(-series.year[shown], kind="stable")]
    return Table(
        columns=(
            Column(name="name", label=wording.sentence_case(subject.point), kind="text"),
            Column(name="date", label="Date", kind="date"),
            Column(
                name="value", label=wording.sentence_case(subject.noun), unit=subject.unit, kind="scientific"
            ),
        ),
        rows=tuple(
            (str(series.name[row]), str(from_decimal_year(series.year[row])), float(series.value[row]))
            for row in order
        ),
    )


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
    for origin in tested.origins:
        if abs((last - origin.year) % every) > 1e-6:
            continue
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
                f"{wording.sentence_case(subject.noun)}, log scale. Every {length} a new forecast with what was "
                f"known then: line, and where {stated} of new {subject.point}s should fall, for {length} ahead. "
                f"Points: what came."
            ),
            alt=f"{headline}. Forecasts of {length} each from {tested.origins[0].year:g} on, and the points.",
            source=source,
            x=year_axis(float(shown.min()), last + every),
            y=trend_charts.value_axis(
                f"{wording.sentence_case(subject.noun)} [{subject.unit}]", marks, subject.unit
            ),
            marks=marks,
        ),
        table=_forecast_table(tested, series, level=level, subject=subject),
    )


def _forecast_table(tested: Backtest, series: Series, *, level: float, subject: Subject) -> Table:
    """Return every pair of forecast and later point, newest forecasts first."""
    inside = tested.inside(level)
    order = np.lexsort((tested.year, -tested.origin))
    return Table(
        columns=(
            Column(name="origin", label="Forecast made", unit="year"),
            Column(name="name", label=wording.sentence_case(subject.point), kind="text"),
            Column(name="date", label="Came", kind="date"),
            Column(name="horizon_years", label="Year ahead"),
            Column(name="forecast", label="Forecast", unit=subject.unit, kind="scientific"),
            Column(name="value", label="What came", unit=subject.unit, kind="scientific"),
            Column(name="error_log10", label="Error", unit="log10"),
            Column(name="inside", label="Inside the interval", kind="text"),
        ),
        rows=tuple(
            (
                tested.origins[tested.origin[pair]].year,
                str(series.name[tested.row[pair]]),
                str(from_decimal_year(tested.year[pair])),
                int(tested.horizon[pair]),
                float(10 ** (tested.actual_log10[pair] - tested.error_log10[pair])),
                float(10 ** tested.actual_log10[pair]),
                float(tested.error_log10[pair]),
                "yes" if inside[pair] else "no",
            )
            for pair in order
        ),
    )


def coverage_bars(
    tested: Backtest,
    records: Sequence[RecordCheck],
    *,
    subject: Subject,
    level: float,
    source: str,
) -> Exhibit:
    """Return by year ahead how many later points, and records, fell inside; bars start at the stated level."""
    found = [
        (horizon, covered)
        for horizon in HORIZONS_YEARS
        if (covered := tested.coverage(level=level, horizon=horizon))
    ]
    bars = [
        Bar(
            label=f"{_ordinal(horizon)} year ahead",
            value=covered.share,
            low=covered.low,
            high=covered.high,
            text=f"{100 * covered.share:.0f} %, n = {covered.n_points}",
            role=subject.role,
            emphasised=covered.verdict == "too narrow",
        )
        for horizon, covered in found
    ]
    bars += [
        Bar(
            label=f"Record, {check.horizon} {'year' if check.horizon == 1 else 'years'} ahead",
            value=check.share,
            text=f"{100 * check.share:.0f} %, n = {check.n}",
            role="context",
        )
        for check in records
    ]
    stated = wording.percent(level)
    narrow = [horizon for horizon, covered in found if covered.verdict == "too narrow"]
    wide = [horizon for horizon, covered in found if covered.verdict == "too wide"]
    if narrow:
        title = f"Intervals that state {stated} were too narrow {_years(narrow)} ahead"
    elif wide:
        title = f"Intervals that state {stated} held more than that {_years(wide)} ahead"
    else:
        title = f"Intervals that state {stated} held about as many as they state"
    ends = [level, 1.0, *(end for bar in bars for end in (bar.value, bar.low or bar.value))]
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=(
                f"Share of later {subject.point}s inside their interval; bars start at the stated {stated}: to the "
                "left is too narrow. Whiskers: 90 % interval of the share. Below: the record, simulated."
            ),
            alt=f"{title}: {', '.join(f'{bar.label} {bar.text}' for bar in bars)}.",
            source=source,
            x=linear_axis("Share inside", ends, lambda share: f"{100 * share:.3g} %"),
            base=level,
            bars=tuple(bars),
        ),
        table=Table(
            columns=(
                Column(name="target", label="Target", kind="text"),
                Column(name="coverage", label="Share inside", unit="1"),
                Column(name="low", label="Low", unit="1"),
                Column(name="high", label="High", unit="1"),
                Column(name="level", label="Stated", unit="1"),
                Column(name="median_error_log10", label="Median error", unit="log10"),
                Column(name="n", label="Points"),
            ),
            rows=(
                *(
                    (
                        f"{_ordinal(horizon)} year ahead",
                        covered.share,
                        covered.low,
                        covered.high,
                        level,
                        tested.median_error_log10(horizon=horizon),
                        covered.n_points,
                    )
                    for horizon, covered in found
                ),
                *(
                    (
                        f"Record, {wording.counted(check.horizon, 'year')} ahead",
                        check.share,
                        None,
                        None,
                        level,
                        check.median_error_log10,
                        check.n,
                    )
                    for check in records
                ),
            ),
        ),
    )


def _ordinal(horizon: int) -> str:
    return ("First", "Second", "Third", "Fourth")[horizon - 1]


def _years(horizons: Sequence[int]) -> str:
    if len(horizons) == len(HORIZONS_YEARS):
        return "in every year"
    names = [_ordinal(horizon).lower() for horizon in horizons]
    told = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"in the {told} year"


def rival_bars(
    tested: Backtest,
    *,
    rivals: Sequence[tuple[Rival, str]],
    horizon: int,
    subject: Subject,
    source: str,
) -> Exhibit:
    """Return how far off the forecast and its rivals typically were, closest first."""
    errors: list[tuple[str, float, bool]] = [
        ("This forecast", tested.median_error_log10(horizon=horizon), True)
    ]
    errors += [
        (label, tested.median_error_log10(horizon=horizon, rival=rival), False) for rival, label in rivals
    ]
    known = sorted((item for item in errors if np.isfinite(item[1])), key=lambda item: item[1])
    when = _ordinal(horizon).lower()
    if known:
        best = known[0]
        own = next(item for item in known if item[2])
        title = (
            f"In the {when} year ahead no rival was closer: typically {wording.times(10 ** own[1])} off"
            if best[1] >= own[1]
            else f"{best[0]} was closer in the {when} year ahead: {wording.times(10 ** best[1])} off, the "
            f"forecast {wording.times(10 ** own[1])}"
        )
    else:
        title = f"No forecast is old enough to be checked in the {when} year ahead"
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=(
                f"Median distance from the {subject.point}s that came, in orders of magnitude: 0.3 is a factor "
                "of 2. The published rate has hindsight."
            ),
            alt=f"{title}: {', '.join(f'{label} {error:.2f}' for label, error, _ in known)}.",
            source=source,
            x=linear_axis(
                "Median error [orders of magnitude]",
                [0.0, *(error for _, error, _ in known)],
                lambda error: f"{error:.2g}",
            ),
            base=0.0,
            bars=tuple(
                Bar(
                    label=label,
                    value=error,
                    text=f"{wording.times(10**error)} off",
                    role=subject.role if own else "context",
                    emphasised=own,
                )
                for label, error, own in known
            ),
        ),
        table=Table(
            columns=(
                Column(name="forecast", label="Forecast", kind="text"),
                *(
                    Column(name=f"median_error_log10_year_{ahead}", label=f"Year {ahead}", unit="log10")
                    for ahead in HORIZONS_YEARS
                ),
            ),
            rows=tuple(
                (
                    label,
                    *(
                        _known(tested.median_error_log10(horizon=ahead, rival=rival))
                        for ahead in HORIZONS_YEARS
                    ),
                )
                for rival, label in ((None, "This forecast"), *rivals)
            ),
        ),
    )


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
