"""Figures of a fitted trend, and text for headlines, subtitles and notes."""

from analysis.trend.growth import Growth
from analysis.trend.projection import reach_year
from views import wording
from views.exhibits import count_figure, growth_figure
from views.result import Figure
from views.trend import words


def is_clear(growth: Growth) -> bool:
    """Return whether the interval of the growth rate excludes 1 (no growth)."""
    return not growth.growth_low <= 1 <= growth.growth_high


def growth_headline(subject: str, growth: Growth) -> str:
    """Return a headline on growth, such as "Power per chip grows 1.11× a year"."""
    rate = wording.times(growth.trend.yearly_growth)
    if not is_clear(growth):
        return f"{subject}: no clear trend ({rate} a year)"
    return f"{subject} {wording.grows(growth.trend.yearly_growth)} a year"


def interval_words(growth: Growth) -> str:
    """Return the interval of the growth rate as text: 90% interval 4.3–5.1× a year."""
    ends = wording.factors(growth.growth_low, growth.growth_high)
    return f"{wording.percent(growth.level)} interval {ends} a year"


def subtitle(growth: Growth) -> str:
    """Return a sentence with the rate's interval, and the doubling time if growth is clear."""
    if not is_clear(growth):
        return f"The {interval_words(growth)}, includes no growth.".replace("interval", "interval,", 1)
    years = growth.trend.doubling_time_years
    time = f"the {'halving' if years < 0 else 'doubling'} time is {wording.duration(abs(years))}"
    return f"The {interval_words(growth)}; {time}.".replace("interval", "interval is", 1)


def reach_notes(growth: Growth, *, to: int) -> tuple[str, ...]:
    """Return a warning if the projection extends past the data by more than half the fitted span, otherwise nothing."""
    if to <= reach_year(growth.trend):
        return ()
    span = growth.trend.last_year - growth.trend.first_year
    return (
        f"The fit spans {wording.significant(span)} years. Beyond {reach_year(growth.trend):.0f} the faded line "
        "extends the fit by more than half that span, which is arithmetic, not a forecast.",
    )


def rate_figure(growth: Growth, *, name: str, label: str, key: bool = True) -> Figure:
    """Return the yearly growth and its interval as a figure."""
    return growth_figure(
        name,
        growth.yearly,
        label=label,
        level=growth.level,
        method=words.method(growth),
        n=growth.n,
        key=key,
        resamples=growth.resamples,
    )


def _doubling_words(growth: Growth) -> str:
    if not is_clear(growth):
        return f"{wording.percent(growth.level)}: no clear growth"
    ends = sorted((abs(growth.doubling_low), abs(growth.doubling_high)))
    low, high = map(wording.duration, ends)
    return wording.at_level(growth.level, low=low, high=high)


def figures(growth: Growth, *, to: int, unit: str) -> tuple[Figure, ...]:
    """Return figures for a trend: its growth, doubling time, value at ``to``, and number of points."""
    trend, level = growth.trend, growth.level
    doubling, projected = trend.doubling_time_years, growth.project([float(to)])
    value, low, high, prediction_low, prediction_high = (
        float(part[0])
        for part in (
            projected.value,
            projected.confidence_low,
            projected.confidence_high,
            projected.prediction_low,
            projected.prediction_high,
        )
    )
    return (
        rate_figure(growth, name="yearly_growth", label="Growth a year"),
        Figure(
            name="doubling_time_years",
            label="Halving time" if doubling < 0 else "Doubling time",
            value=doubling,
            unit="year",
            text=wording.duration(abs(doubling)),
            low=growth.doubling_low,
            high=growth.doubling_high,
            level=level,
            interval_text=_doubling_words(growth),
            method=words.method(growth),
            n=growth.n,
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
            interval_text=f"{wording.percent(level)}: {wording.quantity_interval(low, high, unit=unit)}",
            method=words.method(growth),
            n=growth.n,
            prediction_low=prediction_low,
            prediction_high=prediction_high,
        ),
        count_figure(
            "n_points",
            growth.n,
            label="Rows in the fit",
            interval_text=f"{int(trend.first_year)}–{int(trend.last_year)}",
            n=growth.n,
        ),
    )
