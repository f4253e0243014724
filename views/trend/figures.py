"""A fitted trend in figures, and in the words of a headline, a subtitle and a note."""

import numpy as np

from analysis.trend.growth import Growth
from analysis.trend.projection import reach_year
from views import wording
from views.result import Figure
from views.trend import words


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
        method=words.method(found),
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
            method=words.method(found),
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
            method=words.method(found),
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
