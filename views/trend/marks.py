"""A fitted trend as marks of a chart."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from analysis.trend.growth import Growth, Series
from analysis.trend.projection import Projection, reach_year
from analysis.trend.trend import Trend, fit
from charts.chart import Axis, Band, Line, Mark, Points, Role
from data import standing
from data.by_release import kept_by_release
from views import wording
from views.axes import log_axis
from views.exhibits import Word

CURVE_POINTS = 13
"""Number of points per section of a band, enough for an edge within about a pixel."""
MOST_WIDENED = 1e3
POSITIVE_EVIDENCE_BIC = 2.0
"""Difference in BIC from which evidence is positive: Kass and Raftery, J. Am. Stat. Assoc. 90, 1995, sec. 3.2."""


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
    growth: Growth, *, series: str, role: Role, to: int, end_label: tuple[str, ...], divisor: float = 1.0
) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """Return the bands to draw under the points, and the lines to draw over them.

    The line is solid over the fitted span and dotted beyond it; past the reach (half the fitted span beyond the last
    point) line and bands fade. Values are divided by ``divisor``, as for an index.
    """
    trend = growth.trend
    first, last, end = trend.first_year, trend.last_year, max(float(to), trend.last_year)
    reach = min(max(reach_year(trend), last), end)
    breaks = [trend.break_year] if trend.break_year is not None else []
    pieces = ((first, last, False, False), (last, reach, True, False), (reach, end, True, True))
    pieces = [piece for piece in pieces if piece[0] < piece[1]]
    bands: list[Mark] = []
    lines: list[Mark] = []
    for index, (left, right, dotted, faded) in enumerate(pieces):
        inner = [year for year in breaks if left < year < right]
        years = np.unique(np.concatenate([np.linspace(left, right, CURVE_POINTS), inner]))
        shown = growth.project(years)
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


def rate_label(trend: Trend) -> str:
    """Return a trend's rate with the years for which it applies, as text: 1.26× a year, 2008–2026."""
    first = trend.first_year if trend.break_year is None else trend.break_year
    return f"{wording.times(trend.yearly_growth)} a year, {int(first)}–{int(trend.last_year)}"


def rival_line(series: Series, growth: Growth, *, to: int) -> tuple[tuple[Mark, ...], tuple[str, ...], str]:
    """Return the rival shape as marks, with a note on the shape, if a kink is preferred or chosen, otherwise nothing.

    A kinked line ends at its reach: half the distance from the kink to the last point, beyond the last point.
    """
    year, value = series.year[growth.selected], series.value[growth.selected]
    try:
        straight: Trend = fit(year, value, estimator="least-squares")
        kinked: Trend = fit(year, value, estimator="kinked")
    except ValueError:
        return (), (), ""
    chosen_kinked, gain = growth.trend.break_year is not None, straight.bic - kinked.bic
    weak = not chosen_kinked and gain < POSITIVE_EVIDENCE_BIC
    if weak or kinked.break_year is None or kinked.slope_before_per_year is None:
        return (), (), ""
    other = straight if chosen_kinked else kinked
    end = max(float(to), growth.trend.last_year)
    if not chosen_kinked:
        end = min(end, reach_year(kinked))
    knots = [straight.first_year, end] if chosen_kinked else [kinked.first_year, kinked.break_year, end]
    line = Line(
        series="Straight trend" if chosen_kinked else "Kinked trend",
        role="context",
        x=tuple(knots),
        y=_floats(other.at(np.array(knots))),
        dash="dotted",
        end_label=("Straight fit" if chosen_kinked else "Fit with a break", rate_label(other)),
    )
    note = (
        f"A trend with a break in {int(kinked.break_year)} fits {'better' if gain > 0 else 'worse'} than a straight "
        f"line, by {wording.significant(abs(gain))} in the Bayesian information criterion (BIC). Growth was "
        f"{wording.times(10**kinked.slope_before_per_year)} a year before the break and has been "
        f"{wording.times(kinked.yearly_growth)} since."
    )
    later = "" if chosen_kinked else f", {wording.times(kinked.yearly_growth)} since {int(kinked.break_year)}"
    return (line,), (note,), later


def value_axis(
    title: str, marks: Sequence[Mark], *, unit: str, bands: str = "", word: Word | None = None
) -> Axis:
    """Return a log axis that covers a trend's points, lines and bands. ``word`` formats its ticks.

    ``bands`` is their level. A very uncertain band widens the axis by a factor of at most a thousand.
    """
    values = [value for mark in marks if isinstance(mark, Points | Line) for value in mark.y]
    lowest = min(values, default=1.0) / MOST_WIDENED
    highest = max(values, default=1.0) * MOST_WIDENED
    for mark in marks:
        if isinstance(mark, Band) and not mark.faded:
            values.extend(min(max(value, lowest), highest) for value in (*mark.low, *mark.high))
    with_unit = wording.power_of_ten if unit == "FLOP" else lambda value: wording.quantity(value, unit)
    return log_axis(title, values, word=word or with_unit, bands=bands)


Kind = Literal["training_runs", "accelerators"]


@kept_by_release()
def landmark_labels(kind: Kind) -> Mapping[str, str]:
    """Return chart labels of well-known runs or chips, keyed by name, best known first."""
    rows = standing.table("landmarks")
    known = rows.loc[rows["table"] == kind]
    return dict(zip(known["name"], known["label"], strict=True))


def landmarks_among(names: Sequence[str], *, kind: Kind) -> tuple[tuple[int, str], ...]:
    """Return the index and label of each well-known run or chip in ``names``, best known first."""
    places = {name: index for index, name in enumerate(names)}
    return tuple((places[name], label) for name, label in landmark_labels(kind).items() if name in places)
