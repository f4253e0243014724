"""The expected record (the largest value so far), predicted by a trend and its pace."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import FloatArray
from analysis.intervals import SEED
from analysis.track_record.backtest import HORIZONS_YEARS, Backtest
from analysis.track_record.past_forecasts import History, Origin, forecasts
from analysis.trend.bootstrap import expanded_tail
from analysis.trend.estimators import Recipe
from analysis.trend.growth import Series, Window
from analysis.trend.selection import Rule

MOST_CELLS = 30_000
MOST_DRAWS = 400
FEWER = 0.75
"""Share of expected points below which the wait is also judged by the actual number. [1]"""
LONG_YEARS = 0.5


@dataclass(frozen=True, kw_only=True)
class RecordCheck:
    """Forecasts of the record ``horizon`` years ahead from ``n`` past origins, compared with the actual records.

    ``share`` is the share of records inside their interval of ``level``; the error is a median absolute one. [log10]
    """

    horizon: int
    level: float
    share: float
    median_error_log10: float
    n: int


@dataclass(frozen=True, kw_only=True)
class Silence:
    """Time since the last record, and the probability of so long a wait.

    ``likely_at_pace`` is the probability that no point beats the record if points continue at the pace of the two years
    before; ``likely_as_came`` uses the number of points observed. ``years`` is from the record to the newest row,
    whatever its size; ``expected`` and ``came`` count points. [year]
    """

    record_year: float
    years: float
    expected: float
    came: int
    likely_at_pace: float
    likely_as_came: float

    @property
    def fewer_came(self) -> bool:
        """Return whether clearly fewer points came than the earlier pace implied."""
        return self.came < FEWER * self.expected

    @property
    def long(self) -> bool:
        """Return whether the record has lasted long enough to be worth mentioning."""
        return self.years >= LONG_YEARS


def record_checks(tested: Backtest, series: Series, *, level: float) -> tuple[RecordCheck, ...]:
    """Return the accuracy of forecasts of the record one to four years ahead."""
    log10 = np.log10(series.value)
    newest = float(series.year.max())
    checked: dict[int, list[tuple[bool, float]]] = {horizon: [] for horizon in HORIZONS_YEARS}
    for origin in tested.origins:
        futures = _records(origin, years=HORIZONS_YEARS[-1], seed=7)
        tail = expanded_tail(level=level, degrees_of_freedom=origin.n - 2)
        for horizon in HORIZONS_YEARS:
            if origin.year + horizon > newest:
                continue
            actual = float(log10[series.year < origin.year + horizon].max())
            low, median, high = np.quantile(futures[:, horizon - 1], [tail, 0.5, 1 - tail])
            checked[horizon].append((bool(low <= actual <= high), abs(actual - float(median))))
    return tuple(
        RecordCheck(
            horizon=horizon,
            level=level,
            share=float(np.mean([inside for inside, _ in records])),
            median_error_log10=float(np.median([error for _, error in records])),
            n=len(records),
        )
        for horizon, records in checked.items()
        if records
    )


def _records(origin: Origin, *, years: int, seed: int) -> FloatArray:
    """Return draws of the record after each whole year, shape (draws, years). [log10]"""
    most = int(np.ceil(origin.pace * years * 1.3 + 6))
    draws = min(MOST_DRAWS, len(origin.draws.slope), max(MOST_CELLS // most, 60))
    generator = np.random.default_rng([seed, origin.n])
    gone = np.cumsum(generator.exponential(1 / max(origin.pace, 1e-9), (draws, most)), axis=1)
    points = _points(origin, gone, generator=generator)
    record = np.empty((draws, years))
    for year in range(1, years + 1):
        record[:, year - 1] = np.where(gone <= year, points, -np.inf).max(axis=1)
    return np.maximum(record, origin.record_log10)


def _points(origin: Origin, gone: FloatArray, *, generator: np.random.Generator) -> FloatArray:
    """Return drawn points at times since the origin, shape (draws, m). Row i scatters around draw i's line. [log10]"""
    lines = origin.draws
    some = slice(0, len(gone))
    away = origin.year + gone - lines.anchor[some, None]
    height = lines.level[some, None] + away * np.where(
        away >= 0, lines.slope[some, None], lines.before[some, None]
    )
    return height + generator.choice(origin.residuals, gone.shape)


def silence(series: Series, *, rule: Rule, window: Window, recipe: Recipe | None = None) -> Silence:
    """Return how long the record has lasted, and how likely so long a wait was under the trend up to the record.

    The fit includes the record itself, and the newest row may be of any size.

    Raises ValueError if fewer than ten selected points, the record included, were released by its day.
    """
    history = History.of(series, rule=rule, window=window)
    set_on = float(history.year[int(np.argmax(history.log10))])
    when = np.array([np.nextafter(set_on, np.inf)])
    known = int((history.year[history.chosen] < when[0]).sum())
    if known < 10:
        raise ValueError(
            f"the wait for a record is judged by at least 10 points out by then; got {known}. Widen the window "
            "of years or take more rows (a larger top, or all)."
        )
    origin = forecasts(history, when=when, recipe=recipe or Recipe(), draws=1000, seed=SEED)[0]
    years = max(float(history.year.max()) - set_on, 0.0)
    came = int((history.year[history.chosen] > set_on).sum())
    generator = np.random.default_rng([SEED, 3])
    draws = len(origin.draws.slope)
    counts = generator.poisson(origin.pace * years, draws)
    likely = []
    for arrivals in (counts, np.full(draws, came)):
        most = max(int(arrivals.max()), 1)
        points = _points(origin, years * generator.random((draws, most)), generator=generator)
        coming = np.arange(most)[None, :] < arrivals[:, None]
        likely.append(float((np.where(coming, points, -np.inf).max(axis=1) <= origin.record_log10).mean()))
    return Silence(
        record_year=set_on,
        years=years,
        expected=origin.pace * years,
        came=came,
        likely_at_pace=likely[0],
        likely_as_came=likely[1],
    )
