import numpy as np

from analysis.trend.growth import Window, growth
from analysis.trend.selection import Rule, select
from tests.analysis.trend.histories import series

ALL, TOP = Rule(kind="all"), Rule(kind="frontier", top=10)
SINCE = Window(since=2014)


def runs(generator):
    """Return 150 runs from 2012 to 2025, more in later years, whose compute grows 4.5x a year."""
    year = 2012 + 13 * generator.random(150) ** 0.6
    return year, 0.65 * (year - 2012) + 1.3 * generator.normal(size=150)


def true_rate(made, *, times: int) -> float:
    """Return the mean rate of the leading rows since 2014 over so many histories."""
    slopes = []
    for _ in range(times):
        year, log10, *_ = made()
        leads = select(year, log10, rule=TOP) & (year >= 2014)
        slopes.append(np.polyfit(year[leads] - 2018, log10[leads], 1)[0])
    return float(10 ** np.mean(slopes))


def test_re_selecting_holds_the_true_rate_of_a_frontier_and_resampling_the_selected_does_not():
    generator = np.random.default_rng(11)
    truth = true_rate(lambda: runs(generator), times=400)
    held = np.zeros(2)
    for seed in range(150):
        year, log10 = runs(generator)
        rate = growth(series(year, 10**log10), rule=TOP, window=SINCE, draws=300, seed=seed)
        chosen = rate.selected
        only = series(year[chosen], 10 ** log10[chosen])
        naive = growth(only, rule=ALL, window=SINCE, draws=300, seed=seed)
        held += [r.growth_low <= truth <= r.growth_high for r in (rate, naive)]
    again, plain = held / 150
    assert again > 0.85
    assert plain < 0.8


def test_few_points_do_not_make_the_interval_too_narrow():
    generator = np.random.default_rng(12)
    held = np.zeros(3)
    for seed in range(200):
        year = 2012 + 12 * generator.random(8)
        log10 = 0.12 * (year - 2012) + 0.25 * generator.normal(size=8)
        rate = growth(series(year, 10**log10), rule=ALL, window=Window(), draws=300, seed=seed)
        low, high = np.quantile(rate.draw_slope, [0.05, 0.95])
        ahead, new = rate.project([2026.0]), 10 ** (0.12 * 14 + 0.25 * generator.normal())
        held += [
            rate.growth_low <= 10**0.12 <= rate.growth_high,
            low <= 0.12 <= high,
            ahead.prediction_low[0] <= new <= ahead.prediction_high[0],
        ]
    expanded, percentile, prediction = held / 200
    assert expanded > 0.88
    assert percentile < 0.88
    assert prediction > 0.86


def organised(generator, *, effect, scatter):
    """Return 300 runs by 60 organisations, each at work for two years and larger or smaller than the trend."""
    organisation = generator.integers(0, 60, 300)
    start = 2011 + 13 * generator.random(60) ** 0.6
    year = start[organisation] + 2 * generator.random(300)
    above = effect * generator.normal(size=60)[organisation]
    return year, 0.65 * (year - 2012) + above + scatter * generator.normal(size=300), organisation


def test_organisations_that_stay_above_or_below_the_trend_are_carried_by_drawing_them_whole():
    """By rows the interval is too narrow where organisations have effects; by organisations it holds its level."""
    generator = np.random.default_rng(21)
    ask = {"effect": 1.2, "scatter": 1.0}
    truth = true_rate(lambda: organised(generator, **ask), times=600)
    held = np.zeros(2)
    for seed in range(200):
        year, log10, organisation = organised(generator, **ask)
        labs = np.array([f"lab {one}" for one in organisation], dtype=object)
        history = series(year, 10**log10, cluster=labs)
        held += [
            rate.growth_low <= truth <= rate.growth_high
            for interval in ("bootstrap", "clustered")
            for rate in [growth(history, rule=TOP, window=SINCE, interval=interval, draws=300, seed=seed)]
        ]
    by_rows, by_organisations = held / 200
    assert by_rows < 0.75
    assert by_organisations > 0.85
