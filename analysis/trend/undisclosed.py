"""Growth rates with imputed values: one rate per assumed value, or the envelope of several fits."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import ArrayLike

from analysis.arrays import BoolArray, FloatArray
from analysis.trend.estimators import Estimator
from analysis.trend.growth import Growth, Series, Window, doubling_interval
from analysis.trend.projection import Projection
from analysis.trend.selection import Rule, select
from analysis.trend.trend import fit

ENDS = ("confidence_low", "confidence_high", "prediction_low", "prediction_high")


@dataclass(frozen=True, kw_only=True, eq=False)
class BoundedGrowth(Growth):
    """A growth rate whose intervals are the envelope of several ``fits``. The plain fit is the first.

    The rate, its points and its caveats are those of the plain fit, in which no value is assumed.
    """

    fits: tuple[Growth, ...]

    def project(self, year: ArrayLike) -> Projection:
        """Return the plain trend in each year, shape (m,), with the envelope of all fits' intervals."""
        plain, *others = (one.project(year) for one in self.fits)
        widest = {
            end: (np.min if end.endswith("low") else np.max)(
                [getattr(one, end) for one in (plain, *others)], axis=0
            )
            for end in ENDS
        }
        return replace(plain, **widest)


def bounded(plain: Growth, others: Sequence[Growth]) -> BoundedGrowth:
    """Return the growth of the plain fit, with an interval that spans those of all fits."""
    fits = (plain, *others)
    low, high = min(one.growth_low for one in fits), max(one.growth_high for one in fits)
    shortest, longest = doubling_interval(float(np.log10(low)), float(np.log10(high)))
    known = {item.name: getattr(plain, item.name) for item in fields(Growth)}
    known |= {"growth_low": low, "growth_high": high, "doubling_low": shortest, "doubling_high": longest}
    return BoundedGrowth(**known, fits=fits)


def joined(series: Series, further: Series) -> Series:
    """Return a history followed by the rows of another one."""
    return Series(
        **{
            item.name: np.concatenate([getattr(series, item.name), getattr(further, item.name)])
            for item in fields(Series)
        }
    )


@dataclass(frozen=True, kw_only=True)
class AssumedRate:
    """Yearly growth of ``n`` points since a year, with missing values set to ``value`` (None omits them)."""

    since: float
    value: float | None
    yearly_growth: float
    n: int


def assumed_rates(
    series: Series,
    *,
    further: Callable[[float], Series],
    values: Sequence[float],
    windows: Iterable[Window],
    rule: Rule,
    estimator: Estimator = "least-squares",
    quantile: float = 0.5,
) -> Iterator[AssumedRate]:
    """Yield the rate in each window without extra rows, and then with the extra rows at each assumed value.

    A window with too few points for the estimator is skipped.
    """
    histories = [(None, series), *((value, joined(series, further(value))) for value in values)]
    leading = [
        (value, history, select(history.year, history.value, rule=rule)) for value, history in histories
    ]
    for window in windows:
        for value, history, selected in leading:
            inside = selected & window.holds(history.year)
            try:
                trend = fit(
                    history.year[inside], history.value[inside], estimator=estimator, quantile=quantile
                )
            except ValueError:
                break
            yield AssumedRate(
                since=-np.inf if window.since is None else window.since,
                value=value,
                yearly_growth=trend.yearly_growth,
                n=trend.n,
            )


@dataclass(frozen=True, kw_only=True)
class YearShare:
    """Number of rows in a calendar year, and how many of them have a value."""

    year: int
    listed: int
    known: int

    @property
    def share(self) -> float:
        """Return the share of the rows that have a value. [1]"""
        return self.known / self.listed


def shares(year: FloatArray, known: BoolArray) -> tuple[YearShare, ...]:
    """Return the number of rows and of known values in each calendar year, earliest first.

    ``year`` is decimal [year] and ``known`` is true for rows with a value, both of shape (n,).
    """
    calendar = np.floor(np.asarray(year, dtype=np.float64)).astype(int)
    has_value = np.asarray(known, dtype=bool)
    if calendar.shape != has_value.shape:
        raise ValueError(
            f"year and known are of equal length; got {len(calendar)} and {len(has_value)}. Pass one of each per row."
        )
    return tuple(
        YearShare(year=int(one), listed=int(inside.sum()), known=int((inside & has_value).sum()))
        for one in np.unique(calendar)
        for inside in (calendar == one,)
    )
