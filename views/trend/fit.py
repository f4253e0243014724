"""Fit settings of all trend views, their labels, and the fit itself."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.track_record.backtest import backtest
from analysis.track_record.calibration import calibrate, calibrated
from analysis.trend.calendar_year import decimal_year
from analysis.trend.estimators import Estimator, Recipe
from analysis.trend.growth import Growth, Interval, Series, Window
from analysis.trend.rule_spread import RuleCase
from analysis.trend.selection import Rule
from views import wording, written
from views.settings import Conflict, choice, decimal, month, whole_number
from views.view import ReleaseSettings

WORDS = written.settings(__file__)
END = "end"
FIRST_YEAR, LAST_YEAR = 1950, 2030
FEWEST_OF_OWN = 10
"""Minimum number of a reader's own points for a growth rate."""
INTERVAL_WORDS = {name: name for name in WORDS["interval"]["options"]} | {"clustered": "clustered bootstrap"}
"""Name of each kind of interval in the settings line, keyed by option."""


@dataclass(frozen=True, kw_only=True)
class FitSettings(ReleaseSettings):
    """Settings of a trend's fit, interval and projection.

    By default the interval resamples whole organizations or vendors, because their models or chips are correlated. With
    fewer than five, it resamples rows, and a note states so.
    """

    until: str = month(END, low=FIRST_YEAR, high=LAST_YEAR, unbounded=END, **WORDS["until"])
    estimator: Estimator = choice("least-squares", **WORDS["estimator"])  # noqa: RUF009 - it makes a field
    tau: float = decimal(0.5, low=0.05, high=0.95, step=0.05, **WORDS["tau"])
    interval: Interval | Literal["calibrated"] = choice("clustered", **WORDS["interval"])  # noqa: RUF009
    level: str = choice("90", **WORDS["level"])
    to: int = whole_number(2030, low=2015, high=2050, **WORDS["to"])

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return a conflict if the window ends before it starts."""
        return until_before_since(getattr(self, "since", str(FIRST_YEAR)), self.until)


def until_before_since(since: str, until: str) -> tuple[Conflict, ...]:
    """Return a conflict if the window from ``since`` to ``until`` ends before it starts."""
    if until != END and start(since) >= after(until):
        allowed = f"a year or month no earlier than since ({since})"
        return (Conflict(names=("until", "since"), allowed=allowed),)
    return ()


def start(text: str) -> float:
    """Return the start of a year or month as a decimal year. [year]"""
    month_text = text if "-" in text else f"{text}-01"
    return float(decimal_year(np.array([f"{month_text}-01"], dtype="datetime64[D]"))[0])


def after(text: str) -> float:
    """Return the end of a year or month as a decimal year. [year]"""
    if "-" not in text:
        return float(int(text) + 1)
    following = np.datetime64(text, "M") + np.timedelta64(1, "M")
    return float(decimal_year(np.array([following], dtype="datetime64[D]"))[0])


def window(since: str, until: str) -> Window:
    """Return a fit's window in decimal years. It lasts until the end of the month or year ``until``."""
    return Window(since=start(since), until=None if until == END else after(until))


def check_own(*, n: int) -> None:
    """Raise ValueError if a reader's own data have too few points for a growth rate."""
    if n < FEWEST_OF_OWN:
        raise ValueError(
            f"a rate from your own data needs at least {FEWEST_OF_OWN} points; got {n}. "
            "Widen the window of years, take more rows, or add rows to your file."
        )


def fitted(series: Series, settings: FitSettings, *, rule: Rule, since: str) -> Growth:
    """Return the growth of a series under a view's settings.

    Raises ValueError if the window has too few points for the estimator or the interval.
    """
    level = int(settings.level) / 100
    whole = case(series, settings, rule=rule, since=since)
    rate = whole.growth(
        interval="bootstrap" if settings.interval == "calibrated" else settings.interval,
        few_clusters="rows",
        level=level,
    )
    if settings.interval != "calibrated":
        return rate
    recipe = Recipe(estimator=settings.estimator, quantile=settings.tau)
    tested = backtest(series, rule=rule, window=whole.window, recipe=recipe)
    return calibrated(rate, calibrate(tested, level=level))


def case(series: Series, settings: FitSettings, *, label: str = "", rule: Rule, since: str) -> RuleCase:
    """Return a series under a view's settings, as one case of a comparison."""
    return RuleCase(
        label=label,
        series=series,
        rule=rule,
        window=window(since, settings.until),
        estimator=settings.estimator,
        quantile=settings.tau,
    )


def fit_words(settings: FitSettings, rate: Growth) -> str:
    """Return a short description of the estimator, level and interval: Least squares, 90% bootstrap interval."""
    estimator = {
        "least-squares": "Least squares",
        "theil-sen": "Theil-Sen",
        "quantile": f"Quantile {settings.tau:g}",
        "kinked": "Kinked least squares",
    }[settings.estimator]
    interval = "calibrated" if settings.interval == "calibrated" else rate.interval
    return f"{estimator}, {wording.percent(rate.level)} {INTERVAL_WORDS[interval]} interval."


def window_words(since: str, until: str) -> str:
    """Return a fit's window as text: since 2012; 2017-06 to 2024-05."""
    return f"since {since}" if until == END else f"{since} to {until}"
