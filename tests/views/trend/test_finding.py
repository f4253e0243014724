"""The interval that trend views calibrate on past forecasts."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from analysis.trend.growth import Series, Window, growth
from analysis.trend.projection import reach_year
from analysis.trend.selection import Rule
from charts.chart import Band, Line, Points
from data.releases import latest, load
from tests.analysis.trend.histories import scattered, series
from tests.views.reading import answer_to
from views import accelerators, training_compute
from views.chips import rows as chip_rows
from views.compute_to_memory import view as compute_to_memory
from views.registry import VIEWS
from views.runs import rows as run_rows
from views.trend.figures import figures, growth_headline, is_clear, reach_notes, subtitle
from views.trend.marks import landmark_labels, landmarks_among, rival_line, trend_marks, value_axis
from views.view import answer, read

TRENDS = pytest.mark.parametrize("path", ["/training-compute", "/accelerators"])
YEAR = np.arange(2010.0, 2021.0)
DOUBLING = growth(
    series(YEAR, 2.0 ** (YEAR - 2010)), rule=Rule(kind="all"), window=Window(), interval="classical"
)
HISTORY = scattered(60)
TREND = growth(HISTORY, rule=Rule(kind="all"), window=Window(), interval="classical")


def result(path, query="") -> Any:
    return answer_to(VIEWS[path], query, holds=True)


@TRENDS
@pytest.mark.parametrize("estimator", ["least-squares", "theil-sen", "quantile", "kinked"])
@pytest.mark.parametrize("interval", ["bootstrap", "classical", "clustered"])
def test_a_trend_view_carries_growth_doubling_time_points_and_a_value_with_both_intervals(
    *, path, estimator, interval
):
    outcome = result(path, f"estimator={estimator}&interval={interval}&to=2030")
    growth, doubling, value, points = (
        outcome.figure(name) for name in ("yearly_growth", "doubling_time_years", "value", "n_points")
    )
    assert growth.low < growth.value < growth.high
    assert doubling.low < doubling.value < doubling.high
    assert value.low < value.value < value.high
    assert value.prediction_low < value.low and value.high < value.prediction_high
    assert points.value == growth.n == len(outcome.table.rows)
    assert {figure.level for figure in (growth, doubling, value)} == {0.9}
    assert value.label == "Trend on 1 Jan 2030"
    assert 2 ** (1 / doubling.value) == pytest.approx(growth.value)


@TRENDS
def test_too_few_points_are_told_with_what_to_widen(path):
    outcome = result(path, "since=2029&until=2030")
    assert outcome.headline.endswith("no trend can be fitted")
    assert "Widen the window of years, take more rows (a larger top, or all), or drop" in outcome.notes[0]
    assert [(figure.name, figure.text) for figure in outcome.figures] == [("n_points", "0")]
    assert outcome.table.rows == ()
    one = result("/training-compute", "since=1957&until=1957")
    assert one.headline == "These choices leave 1 run, so no trend can be fitted"
    assert len(one.exhibits[0].chart.marks) == len(one.table.rows) == 1


def test_a_clustered_interval_of_one_vendor_draws_its_chips_and_says_so():
    intervals = ("clustered", "bootstrap")
    outcome, rows = (result("/accelerators", f"vendor=nvidia&interval={how}") for how in intervals)
    assert outcome.figure("yearly_growth").interval_text == rows.figure("yearly_growth").interval_text
    assert any(text.startswith("The rows come from only 1 vendor, so") for text in outcome.sure)
    assert "90% bootstrap interval" in outcome.settings_line
    assert not any("single rows are resampled" in text for text in rows.sure)


def test_a_projection_past_its_reach_says_so_and_one_within_does_not():
    far = result("/accelerators", "since=2020&to=2050")
    assert any("Beyond" in note and "arithmetic, not a forecast" in note for note in far.notes)
    assert any(getattr(mark, "faded", False) for mark in far.exhibits[0].chart.marks)
    near = result("/accelerators", "since=2010&to=2028")
    assert not any("arithmetic" in note for note in near.notes)
    assert not any(getattr(mark, "faded", False) for mark in near.exhibits[0].chart.marks)


@pytest.mark.parametrize("view", [training_compute.VIEW, accelerators.VIEW, compute_to_memory.VIEW])
def test_trend_views_offer_a_calibrated_interval_that_widens_new_points_and_keeps_the_rate(view):
    plain, wide = (result(view.path, f"interval={interval}") for interval in ("bootstrap", "calibrated"))
    for name in ("yearly_growth", "value"):
        before, after = plain.figure(name), wide.figure(name)
        assert (after.value, after.low, after.high) == (before.value, before.low, before.high)
    assert after.prediction_low <= before.prediction_low
    assert after.prediction_high >= before.prediction_high
    assert "new points are calibrated" in wide.figure("yearly_growth").method
    assert any("ast forecasts" in note for note in wide.sure)


@pytest.mark.parametrize(
    ("view", "spread"), [(training_compute.VIEW, run_rows), (accelerators.VIEW, chip_rows)]
)
def test_the_strip_holds_each_rate_as_its_own_view_gives_it(view, spread):
    settings, own = view.settings(), growth(scattered(9), rule=Rule(kind="all"), window=Window(), draws=20)
    strip = spread.spread_exhibit(load(latest()), settings, growth=own, source="")
    rates = {row[0]: row for row in strip.table.rows}
    own_bars = [bar.label for bar in strip.chart.bars if bar.emphasised]
    assert (strip.chart.base, own_bars) == (1.0, ["This view"])
    tried = [(label, change) for label, change in spread.SENSIBLE if label in rates]
    assert len(tried) >= 7
    assert all({*re.findall(r"\d+", label)} <= {*map(str, change.values())} for label, change in tried)
    for label, change in tried[::3]:
        alone = answer(view, replace(settings, **change)).figure("yearly_growth")
        assert (rates[label][1], rates[label][4]) == (pytest.approx(alone.value), alone.n)


def test_a_window_too_short_to_calibrate_says_so():
    outcome = result("/accelerators", "interval=calibrated&since=2024")
    assert "no trend can be fitted" in outcome.headline
    assert "past origins" in outcome.subtitle


def test_an_interval_around_no_growth_is_no_trend():
    outcome = result("/accelerators", "metric=fp4&interval=classical&release=2026-07")
    assert outcome.headline.startswith("FP4 throughput of all products: no clear trend (")
    assert "includes no growth" in outcome.subtitle
    assert outcome.figure("yearly_growth").low < 1 < outcome.figure("yearly_growth").high
    assert outcome.figure("doubling_time_years").interval_text == "90%: no clear growth"


def test_a_clear_shrinking_is_called_so_and_halves():
    year = np.arange(2010.0, 2026.0)
    names = np.array([f"chip {number}" for number in range(16)], dtype=object)
    value = 0.8 ** (year - 2010) * (1 + 0.01 * (year % 2))
    shrinking = Series(year=year, value=value, cluster=names, name=names)
    outcome = growth(shrinking, rule=Rule(kind="all"), window=Window(), interval="classical")
    assert growth_headline("Price", outcome) == "Price falls 20% a year"
    assert subtitle(outcome) == "The 90% interval is 0.80–0.80× a year; the halving time is 3.1 years."
    rate, doubling, *_ = figures(outcome, to=2030, unit="W")
    assert (rate.text, doubling.label, doubling.text) == ("0.80× a year", "Halving time", "3.1 years")
    assert doubling.interval_text == "90%: 3.1–3.1 years"


def test_what_doubles_each_year_says_so_in_every_way():
    assert is_clear(DOUBLING)
    assert growth_headline("Power", DOUBLING) == "Power grows 2.0× a year"
    assert "; the doubling time is " in subtitle(DOUBLING)
    rate, doubling, value, points = figures(DOUBLING, to=2020, unit="W")
    assert rate.value == pytest.approx(2.0)
    assert (doubling.label, doubling.value) == ("Doubling time", pytest.approx(1.0))
    assert value.value == pytest.approx(1024.0)
    assert (points.value, points.interval_text) == (11.0, "2010–2020")


def test_a_trend_reaches_half_its_span_beyond_its_last_point():
    assert reach_year(DOUBLING.trend) == pytest.approx(2025.0)
    assert reach_notes(DOUBLING, to=2025) == ()
    (note,) = reach_notes(DOUBLING, to=2026)
    assert note.startswith("The fit spans 10 years. Beyond 2025 the faded line")


def marks(to: int, divisor: float = 1.0) -> tuple[list[Band], list[Line]]:
    labels: Any = {"series": "Runs", "role": "compute", "end_label": ("Runs", "4× a year")}
    bands, lines = trend_marks(TREND, to=to, divisor=divisor, **labels)
    return [one for one in bands if isinstance(one, Band)], [one for one in lines if isinstance(one, Line)]


def test_a_kink_that_bic_prefers_is_drawn_and_told():
    for estimator, other, first in (("least-squares", "Kinked", 2011), ("kinked", "Straight", 1950)):
        outcome = result("/training-compute", f"rule=notable&since=1950&estimator={estimator}")
        lines = {mark.series: mark for mark in outcome.exhibits[0].chart.marks if isinstance(mark, Line)}
        assert f" a year, {first}–20" in lines[f"{other} trend"].end_label[1]
        assert any("A trend with a break in" in note for note in outcome.notes)


@pytest.mark.parametrize(
    ("to", "drawn"),
    [
        (2020, [("solid", False)]),
        (2030, [("solid", False), ("dotted", False)]),
        (2050, [("solid", False), ("dotted", False), ("dotted", True)]),
    ],
)
def test_a_line_is_solid_over_its_points_dotted_beyond_and_faded_past_its_reach(to, drawn):
    bands, lines = marks(to)
    assert [(line.dash, line.faded) for line in lines] == drawn
    assert [line.end_label for line in lines] == [()] * (len(drawn) - 1) + [("Runs", "4× a year")]
    assert [band.strength for band in bands] == ["prediction"] * len(drawn) + ["confidence"] * len(drawn)
    for before, after in pairwise(lines):
        assert (before.x[-1], before.y[-1]) == pytest.approx((after.x[0], after.y[0]))
    assert lines[-1].x[-1] == pytest.approx(max(to, TREND.trend.last_year))


def test_where_new_points_fall_is_wider_than_where_the_line_may_lie():
    bands, _ = marks(2030)
    predicted, confident = bands[:2], bands[2:]
    for wide, narrow in zip(predicted, confident, strict=True):
        assert wide.x == narrow.x
        assert np.all(np.array(wide.low) < narrow.low) and np.all(np.array(wide.high) > narrow.high)


def test_an_index_divides_lines_and_bands_alike():
    (bands, lines), (halved_bands, halved_lines) = marks(2030), marks(2030, divisor=2.0)
    assert [y / 2 for y in lines[0].y] == pytest.approx(halved_lines[0].y)
    assert [y / 2 for y in bands[0].low] == pytest.approx(halved_bands[0].low)


def test_a_history_without_a_kink_has_no_rival():
    straight = scattered(80)
    fit = growth(straight, rule=Rule(kind="all"), window=Window(), interval="classical")
    assert rival_line(straight, fit, to=2030) == ((), (), "")


def test_the_axis_holds_points_lines_and_bands_but_not_the_faded_ones():
    bands, lines = marks(2050)
    dot = Points(series="p", role="compute", x=(2020.0,), y=(1e3,), names=("p",), details=((),))
    axis = value_axis("Compute [FLOP]", [*bands, *lines, dot], unit="FLOP")
    clear = [band for band in bands if not band.faded]
    assert axis.low < 1e3 and axis.high > max(y for mark in lines for y in mark.y)
    assert axis.high > max(y for band in clear for y in band.high)
    assert axis.high < max(y for band in bands if band.faded for y in band.high)
    assert axis.scale == "log" and all(tick.label.startswith("10") for tick in axis.ticks)
    wild = replace(clear[0], high=tuple(1e30 * y for y in clear[0].high))
    assert value_axis("", [wild, *lines], unit="").high < 1e6 * max(y for mark in lines for y in mark.y)


def test_a_line_turns_at_its_kink():
    bent = replace(HISTORY, value=HISTORY.value * 10 ** (-0.5 * np.maximum(HISTORY.year - 2018, 0)))
    fit = growth(bent, rule=Rule(kind="all"), window=Window(), estimator="kinked", draws=20)
    assert fit.trend.break_year is not None
    _, (line, *_) = trend_marks(fit, series="Runs", role="compute", to=2020, end_label=())
    assert isinstance(line, Line) and fit.trend.break_year in line.x and len(line.x) == 3


def test_a_rival_with_a_kink_ends_at_its_reach_and_does_not_squeeze_the_chart():
    """FLOP per byte kinks half a year before its last chip: drawn to 2030 it left the points a third of the height."""
    view = VIEWS["/compute-to-memory"]
    settings = read(view, "rule=flagships&since=2020&release=2026-07")[0]
    chart: Any = answer(view, settings).exhibits[0].chart
    (rival,) = (mark for mark in chart.marks if getattr(mark, "series", "") == "Kinked trend")
    points = next(mark for mark in chart.marks if isinstance(mark, Points))
    kink, end = rival.x[1:]
    assert end == pytest.approx(max(points.x) + (max(points.x) - kink) / 2)
    assert np.log10(chart.y.high / chart.y.low) < 1.5


def test_landmarks_are_in_the_data_and_marked_best_known_first():
    release = load(latest())
    assert set(landmark_labels("training_runs")) <= set(release.training_runs["name"])
    chips = release.accelerators
    assert set(landmark_labels("accelerators")) <= {*chips["product"], *chips["name"]}
    marked = landmarks_among(["BERT-Large", "x", "GPT-4 (Mar 2023)"], kind="training_runs")
    assert marked == ((2, "GPT-4"), (0, "BERT"))
