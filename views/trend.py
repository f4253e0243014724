"""A fitted trend as figures, as marks on a chart, and in words."""

from collections.abc import Sequence

import numpy as np

from analysis.growth import Growth, Series
from analysis.projection import Projection, reach_year
from analysis.trends import Trend, fit
from charts.chart import Axis, Band, Line, Mark, Points, Role, XYChart
from views import wording
from views.axes import log_axis, year_axis
from views.result import Exhibit, Figure, Table
from views.view import Finding

CURVE_POINTS = 25
POSITIVE_EVIDENCE_BIC = 2.0
"""From this on, evidence is called positive: Kass and Raftery, J. Am. Stat. Assoc. 90, 1995, sec. 3.2."""


def is_clear(found: Growth) -> bool:
    """Return whether the interval of the rate leaves out no growth at all."""
    return not found.growth_low <= 1 <= found.growth_high


def grows(found: Growth) -> str:
    """Return the verb with its rate: grows 4.7× a year; shrinks to 0.80× a year; shows no clear trend."""
    rate = wording.times(found.trend.yearly_growth)
    if not is_clear(found):
        ends = wording.interval(wording.times(found.growth_low), wording.times(found.growth_high))
        return f"shows no clear trend ({rate} a year, {wording.percent(found.level)} interval {ends})"
    return f"grows {rate} a year" if found.trend.yearly_growth > 1 else f"shrinks to {rate} a year"


def rate_figure(found: Growth, *, name: str, label: str) -> Figure:
    """Return the yearly growth with its interval under a name and a label."""
    low, high = wording.times(found.growth_low), wording.times(found.growth_high)
    return Figure(
        name=name,
        label=label,
        value=found.trend.yearly_growth,
        unit="x/year",
        text=f"{wording.times(found.trend.yearly_growth)} a year",
        low=found.growth_low,
        high=found.growth_high,
        level=found.level,
        interval_text=wording.at_level(found.level, low, high),
        method=found.method,
        n=found.n,
    )


def _doubling_words(found: Growth) -> str:
    if not is_clear(found):
        return f"{wording.percent(found.level)}: no clear growth"
    ends = sorted((abs(found.doubling_low), abs(found.doubling_high)))
    return wording.at_level(found.level, *map(wording.duration, ends))


def figures(found: Growth, *, to: int, unit: str) -> tuple[Figure, ...]:
    """Return the four figures of a trend: growth, doubling time, number of points, value at ``to``."""
    trend, level = found.trend, found.level
    projected = found.project(np.array([float(to)]))
    value, low, high = (
        float(part[0]) for part in (projected.value, projected.confidence_low, projected.confidence_high)
    )
    prediction_low, prediction_high = float(projected.prediction_low[0]), float(projected.prediction_high[0])

    return (
        rate_figure(found, name="yearly_growth", label="Growth a year"),
        Figure(
            name="doubling_time_years",
            label="Halving time" if trend.doubling_time_years < 0 else "Doubling time",
            value=trend.doubling_time_years,
            unit="year",
            text=wording.duration(abs(trend.doubling_time_years)),
            low=found.doubling_low,
            high=found.doubling_high,
            level=level,
            interval_text=_doubling_words(found),
            method=found.method,
            n=found.n,
        ),
        Figure(
            name="value",
            label=f"Trend on 1 Jan {to}",
            value=value,
            unit=unit,
            text=wording.quantity(value, unit),
            low=low,
            high=high,
            level=level,
            interval_text=f"{wording.percent(level)}: {wording.quantity_interval(low, high, unit)}",
            method=found.method,
            n=found.n,
            prediction_low=prediction_low,
            prediction_high=prediction_high,
        ),
        Figure(
            name="n_points",
            label="Points in the fit",
            value=float(found.n),
            unit="",
            text=f"{found.n}",
            interval_text=f"{int(trend.first_year)}–{int(trend.last_year)}",
            n=found.n,
        ),
    )


def _floats(values: np.ndarray) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def _band(shown: Projection, *, series: str, role: Role, strength: str, divisor: float, faded: bool) -> Band:
    confidence = strength == "confidence"
    low = shown.confidence_low if confidence else shown.prediction_low
    high = shown.confidence_high if confidence else shown.prediction_high
    return Band(
        series=f"{series}: {shown.level:.0%} {'confidence' if confidence else 'prediction'}",
        role=role,
        strength="confidence" if confidence else "prediction",
        x=_floats(shown.year),
        low=_floats(low / divisor),
        high=_floats(high / divisor),
        faded=faded,
    )


def trend_marks(
    found: Growth,
    *,
    series: str,
    role: Role,
    to: int,
    end_label: tuple[str, ...],
    divisor: float = 1.0,
) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """Return the bands that lie under the points and the lines that lie over them.

    The line is solid over the fitted span and dotted beyond it; past the reach (half the fitted span beyond
    the last point) line and bands fade. Values are divided by ``divisor``, as for an index.
    """
    trend = found.trend
    first, last, end = trend.first_year, trend.last_year, max(float(to), trend.last_year)
    reach = min(max(reach_year(trend), last), end)
    breaks = [trend.break_year] if trend.break_year is not None else []
    pieces: list[tuple[float, float, bool, bool]] = [(first, last, False, False)]
    if reach > last:
        pieces.append((last, reach, True, False))
    if end > reach:
        pieces.append((reach, end, True, True))
    bands: list[Mark] = []
    lines: list[Mark] = []
    for index, (left, right, dotted, faded) in enumerate(pieces):
        inner = [year for year in breaks if left < year < right]
        years = np.unique(np.concatenate([np.linspace(left, right, CURVE_POINTS), inner]))
        shown = found.project(years)
        for strength in ("prediction", "confidence"):
            bands.append(
                _band(shown, series=series, role=role, strength=strength, divisor=divisor, faded=faded)
            )
        knots = np.array([left, *inner, right])
        lines.append(
            Line(
                series=f"{series}: {'projection' if dotted else 'trend'}",
                role=role,
                x=_floats(knots),
                y=_floats(trend.at(knots) / divisor),
                dash="dotted" if dotted else "solid",
                faded=faded,
                end_label=end_label if index == len(pieces) - 1 else (),
            )
        )
    bands.sort(key=lambda band: isinstance(band, Band) and band.strength == "confidence")
    return tuple(bands), tuple(lines)


def rival_line(
    series: Series, found: Growth, *, to: int, divisor: float = 1.0
) -> tuple[tuple[Mark, ...], tuple[str, ...]]:
    """Return the other shape of the trend, where a kink is preferred or chosen, and the note that says so."""
    year, value = series.year[found.selected], series.value[found.selected]
    try:
        straight: Trend = fit(year, value, estimator="least-squares")
        kinked: Trend = fit(year, value, estimator="kinked")
    except ValueError:
        return (), ()
    chosen_kinked = found.trend.break_year is not None
    if kinked.break_year is None or kinked.slope_before_per_year is None:
        return (), ()
    if not chosen_kinked and straight.bic - kinked.bic < POSITIVE_EVIDENCE_BIC:
        return (), ()
    other = straight if chosen_kinked else kinked
    end = max(float(to), found.trend.last_year)
    knots = [straight.first_year, end] if chosen_kinked else [kinked.first_year, kinked.break_year, end]
    line = Line(
        series="Straight trend" if chosen_kinked else "Kinked trend",
        role="context",
        x=tuple(knots),
        y=_floats(other.at(np.array(knots)) / divisor),
        dash="dotted",
    )
    before = wording.times(10**kinked.slope_before_per_year)
    note = (
        f"A trend with one break in {kinked.break_year:.1f} fits better than a straight one (BIC lower by "
        f"{wording.significant(straight.bic - kinked.bic)}): {before} a year before, "
        f"{wording.times(kinked.yearly_growth)} a year since. The grey line shows the "
        f"{'straight trend' if chosen_kinked else 'kinked trend (estimator=kinked)'}."
    )
    return (line,), (note,)


def value_axis(title: str, marks: Sequence[Mark], unit: str) -> Axis:
    """Return the log axis that the points, lines and bands of a trend fill."""
    values: list[float] = []
    for mark in marks:
        if isinstance(mark, Points | Line):
            values.extend(mark.y)
        elif isinstance(mark, Band) and not mark.faded:
            values.extend((*mark.low, *mark.high))
    word = wording.power_of_ten if unit == "FLOP" else lambda value: wording.quantity(value, unit)
    return log_axis(title, values, word)


def unfitted(
    *,
    headline: str,
    problem: str,
    words: str,
    points: Points,
    table: Table,
    to: int,
    axis_title: str,
    unit: str,
) -> Finding:
    """Return the finding of a view whose choices leave too little to fit: what is left, and what to do."""
    first = min(points.x, default=float(to) - 1)
    chart = XYChart(
        title=headline,
        subtitle=wording.sentence_case(problem),
        alt=headline,
        source=words,
        x=year_axis(first, max(*points.x, float(to)) if points.x else float(to)),
        y=value_axis(axis_title, (points,), unit),
        marks=(points,) if points.x else (),
    )
    left = Figure(
        name="n_points",
        label="Points left",
        value=float(len(points.x)),
        unit="",
        text=f"{len(points.x)}",
        n=len(points.x),
    )
    return Finding(
        headline=headline,
        figures=(left,),
        exhibits=(Exhibit(chart=chart, table=table),),
        settings_line=words,
        notes=(wording.sentence_case(problem),),
    )


def pace(found: Growth) -> str:
    """Return the doubling time as a sentence: Doubles every 5.4 months."""
    return f"{wording.sentence_case(wording.doubling(found.trend.doubling_time_years))}."


def reach_notes(found: Growth, *, to: int) -> tuple[str, ...]:
    """Return the sentence that warns of a projection beyond half the fitted span, if it is."""
    if to <= reach_year(found.trend):
        return ()
    span = found.trend.last_year - found.trend.first_year
    return (
        f"The fit spans {wording.significant(span)} years; beyond {reach_year(found.trend):.0f}, half that "
        "span after the last point, the line fades: read it as arithmetic, not as a forecast.",
    )
