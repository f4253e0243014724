"""What the trend views share: settings of a fit, its figures, its marks on a chart, and its words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.calendar_year import decimal_year
from analysis.growth import Growth, Series, Window, growth
from analysis.projection import Projection, reach_year
from analysis.selection import Rule
from analysis.spread import Case, SpreadRow, spread
from analysis.trends import Trend, fit
from charts.chart import Axis, Band, Bar, BarChart, Line, Mark, Points, Role, XYChart
from views import wording
from views.axes import linear_axis, log_axis, year_axis
from views.result import Column, Exhibit, Figure, Table
from views.settings import Conflict, choice, decimal, month, whole_number
from views.view import Finding, ReleaseSettings

END = "end"
FIRST_YEAR, LAST_YEAR = 1950, 2030
CURVE_POINTS = 25
POSITIVE_EVIDENCE_BIC = 2.0
"""From this difference on, evidence is called positive: Kass and Raftery, J. Am. Stat. Assoc. 90, 1995, sec. 3.2."""

ESTIMATORS = {
    "least-squares": "the straight line on log10 with the least squared error",
    "theil-sen": "the median of all pairwise slopes: outliers hardly move it",
    "quantile": "the line with the share tau of the points below it",
    "kinked": "two straight lines that meet at the break that fits best, kept only if BIC prefers it",
}
INTERVALS = {
    "bootstrap": "resample the rows, select again, fit again",
    "classical": "the textbook interval of the estimator, which takes the selected points as given",
    "clustered": "as bootstrap, but whole organisations are resampled",
}
LEVELS = {
    level: f"{level} % of such intervals should hold the true rate" for level in ("50", "80", "90", "95")
}


@dataclass(frozen=True, kw_only=True)
class FitSettings(ReleaseSettings):
    """How a trend is fitted, how its interval is made, and how far ahead it is drawn."""

    until: str = month(
        END,
        low=FIRST_YEAR,
        high=LAST_YEAR,
        unbounded=END,
        label="Until",
        help="The last month or year that enters the fit; end means the newest row.",
    )
    estimator: str = choice(
        "least-squares", ESTIMATORS, label="Estimator", help="How the line is laid through the points."
    )
    tau: float = decimal(
        0.5,
        low=0.05,
        high=0.95,
        step=0.05,
        label="Quantile (tau)",
        help="Which quantile the estimator quantile fits; 0.5 is the median. Other estimators do not use it.",
    )
    interval: str = choice(
        "bootstrap", INTERVALS, label="Interval", help="How the interval of the rate is made."
    )
    level: str = choice("90", LEVELS, label="Level, %", help="The confidence level of every interval shown.")
    to: int = whole_number(
        2030,
        low=2015,
        high=2050,
        label="Project to",
        help="The year, on 1 January, that the trend is drawn to and a value is given for.",
    )


def until_before_since(since: str, until: str) -> tuple[Conflict, ...]:
    """Return the conflict of a window that ends before it starts."""
    if until != END and start(since) >= after(until):
        return (Conflict(names=("until", "since"), allowed=f"until must not come before since ({since})"),)
    return ()


def start(text: str) -> float:
    """Return the decimal year at which a year or month begins. [year]"""
    month_text = text if "-" in text else f"{text}-01"
    return float(decimal_year(np.array([f"{month_text}-01"], dtype="datetime64[D]"))[0])


def after(text: str) -> float:
    """Return the decimal year at which a year or month has ended. [year]"""
    if "-" not in text:
        return float(int(text) + 1)
    following = np.datetime64(text, "M") + 1
    return float(decimal_year(np.array([following], dtype="datetime64[D]"))[0])


def window(since: str, until: str) -> Window:
    """Return the window of a fit in decimal years; ``until`` counts to the end of its month or year."""
    return Window(since=start(since), until=None if until == END else after(until))


def fitted(series: Series, settings: FitSettings, *, rule: Rule, since: str) -> Growth:
    """Return the growth of a series under a view's settings.

    Raises
    ------
    ValueError
        If the window holds too few points for the estimator or the interval.
    """
    return growth(
        series,
        rule=rule,
        window=window(since, settings.until),
        estimator=settings.estimator,  # pyright: ignore[reportArgumentType]
        interval=settings.interval,  # pyright: ignore[reportArgumentType]
        level=int(settings.level) / 100,
        quantile=settings.tau,
    )


def grows(yearly_growth: float) -> str:
    """Return the verb with its rate: grows 4.7× a year; shrinks to 0.8× a year."""
    if yearly_growth < 0.9995:
        return f"shrinks to {wording.times(yearly_growth)} a year"
    return f"grows {wording.times(yearly_growth)} a year"


def figures(found: Growth, *, to: int, unit: str, value_label: str) -> tuple[Figure, ...]:
    """Return the four figures of a trend: growth, doubling time, number of points, value at ``to``."""
    trend, level = found.trend, found.level
    projected = found.project(np.array([float(to)]))
    value, low, high = (
        float(part[0]) for part in (projected.value, projected.confidence_low, projected.confidence_high)
    )
    prediction_low, prediction_high = float(projected.prediction_low[0]), float(projected.prediction_high[0])

    return (
        Figure(
            name="yearly_growth",
            label="Growth a year",
            value=trend.yearly_growth,
            unit="x/year",
            text=f"{wording.times(trend.yearly_growth)} a year",
            low=found.growth_low,
            high=found.growth_high,
            level=level,
            interval_text=wording.at_level(
                level, wording.times(found.growth_low), wording.times(found.growth_high)
            ),
            method=found.method,
            n=found.n,
        ),
        Figure(
            name="doubling_time_years",
            label="Halving time" if trend.doubling_time_years < 0 else "Doubling time",
            value=trend.doubling_time_years,
            unit="year",
            text=wording.duration(abs(trend.doubling_time_years)),
            low=found.doubling_low,
            high=found.doubling_high,
            level=level,
            interval_text=wording.at_level(
                level, wording.duration(found.doubling_low), wording.duration(found.doubling_high)
            ),
            method=found.method,
            n=found.n,
        ),
        Figure(
            name="value",
            label=f"{value_label} on the trend, {to}",
            value=value,
            unit=unit,
            text=wording.quantity(value, unit),
            low=low,
            high=high,
            level=level,
            interval_text=wording.at_level(level, wording.quantity(low, unit), wording.quantity(high, unit)),
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
            interval_text=f"{trend.first_year:.0f}–{trend.last_year:.0f}",
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

    The line is solid over the fitted span and dotted beyond it; past the reach (half the fitted span beyond the last
    point) line and bands fade. Values are divided by ``divisor``, as for an index.
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
    """Return the other shape of the trend, where BIC prefers or the reader chose a kink, and the note that says so."""
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


def spread_exhibit(found: Growth, cases: Sequence[Case], *, role: Role, source: str) -> Exhibit | None:
    """Return the strip of rates under all sensible rules below the view's own rate; None if none other can be had."""
    others = [row for row in spread(cases, interval=found.interval, level=found.level) if not row.problem]
    if not others:
        return None
    own = own_row(found, label="This view")
    rows = [own, *sorted(others, key=lambda row: -row.yearly_growth)]
    rates = [row.yearly_growth for row in rows]
    lowest, highest = wording.times(min(rates)), wording.times(max(rates))
    return rates_exhibit(
        rows,
        title=f"The choice of rule moves the rate between {lowest} and {highest} a year",
        subtitle=(
            f"Growth a year with its {wording.percent(found.level)} interval: this view, then the same view with one "
            "choice changed."
        ),
        emphasised=own,
        roles={row.label: role for row in rows},
        source=source,
        first_column="Rule",
    )


def own_row(found: Growth, *, label: str) -> SpreadRow:
    """Return a view's own rate as a row among others."""
    return SpreadRow(
        label=label,
        yearly_growth=found.trend.yearly_growth,
        low=found.growth_low,
        high=found.growth_high,
        n=found.n,
    )


def rates_exhibit(
    rows: Sequence[SpreadRow],
    *,
    title: str,
    subtitle: str,
    emphasised: SpreadRow,
    roles: Mapping[str, Role],
    source: str,
    first_column: str,
) -> Exhibit:
    """Return growth rates side by side as bars from no growth, with their intervals, and the table of them."""
    ends = [1.0, *(end for row in rows for end in (row.yearly_growth, row.low, row.high))]
    return Exhibit(
        chart=BarChart(
            title=title,
            subtitle=subtitle,
            alt=f"{title}; {emphasised.label}: {wording.times(emphasised.yearly_growth)} a year.",
            source=source,
            x=linear_axis("Growth a year", ends, wording.times),
            base=1.0,
            bars=tuple(
                Bar(
                    label=row.label,
                    value=row.yearly_growth,
                    low=row.low,
                    high=row.high,
                    text=f"{wording.times(row.yearly_growth)}, n = {row.n}",
                    role=roles[row.label],
                    emphasised=row is emphasised,
                )
                for row in rows
            ),
        ),
        table=Table(
            columns=(
                Column(name=first_column.lower(), label=first_column, kind="text"),
                Column(name="yearly_growth", label="Growth", unit="x/year"),
                Column(name="low", label="Low", unit="x/year"),
                Column(name="high", label="High", unit="x/year"),
                Column(name="n", label="Points"),
            ),
            rows=tuple((row.label, row.yearly_growth, row.low, row.high, row.n) for row in rows),
        ),
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
        f"The fit spans {wording.significant(span)} years; beyond {reach_year(found.trend):.0f}, half that span after the "
        "last point, the line fades: read it as arithmetic, not as a forecast.",
    )


def fit_words(settings: FitSettings, found: Growth) -> str:
    """Return estimator, interval and level in words."""
    estimator = {
        "least-squares": "least squares on log10",
        "theil-sen": "Theil-Sen on log10",
        "quantile": f"quantile {settings.tau:g} on log10",
        "kinked": "kinked least squares on log10",
    }[settings.estimator]
    sentence = f"{estimator}; {wording.percent(found.level)} interval: {found.method}."
    return wording.sentence_case(sentence)


def window_words(since: str, until: str) -> str:
    """Return the window in words: since 2012; 2017-06 to 2024-05."""
    return f"since {since}" if until == END else f"{since} to {until}"
