"""A trend in figures: what is clear, what is not, and how far it reaches."""

from typing import Any

import numpy as np
import pytest

from analysis.trend.growth import Series, Window, growth
from analysis.trend.projection import reach_year
from analysis.trend.selection import Rule
from tests.analysis.trend.histories import scattered, series
from views.registry import VIEWS
from views.trend.figures import figures, growth_headline, is_clear, rate_figure, reach_notes, subtitle
from views.view import answer, read

YEAR = np.arange(2010.0, 2021.0)
DOUBLING = growth(
    series(YEAR, 2.0 ** (YEAR - 2010)), rule=Rule(kind="all"), window=Window(), interval="classical"
)


def result(path, query="") -> Any:
    chosen, ignored = read(VIEWS[path], query)
    assert not ignored
    return answer(VIEWS[path], chosen)


def test_an_interval_around_no_growth_is_no_trend():
    found = result("/accelerators", "metric=fp4&interval=classical")
    assert found.headline.startswith("FP4 throughput per chip: no clear trend (")
    assert "it includes no growth at all" in found.subtitle
    assert found.figure("yearly_growth").low < 1 < found.figure("yearly_growth").high
    assert found.figure("doubling_time_years").interval_text == "90 %: no clear growth"


def test_a_clear_shrinking_is_called_so_and_halves():
    year = np.arange(2010.0, 2026.0)
    names = np.array([f"chip {number}" for number in range(16)], dtype=object)
    shrinking = Series(
        year=year, value=0.8 ** (year - 2010) * (1 + 0.01 * (year % 2)), cluster=names, name=names
    )
    found = growth(
        shrinking, rule=Rule(kind="all", top=10), window=Window(since=2010, until=None), interval="classical"
    )
    assert growth_headline("Price", found) == "Price falls 20 % a year"
    assert subtitle(found) == "Halves every 3.1 years; 90 % interval 0.80–0.80× a year."
    rate, doubling, *_ = figures(found, to=2030, unit="W")
    assert (rate.text, doubling.label, doubling.text) == ("0.80× a year", "Halving time", "3.1 years")
    assert doubling.interval_text == "90 %: 3.1–3.1 years"


def test_the_years_of_a_fit_are_those_of_its_points():
    found = result("/training-compute", "rule=notable")
    newest = found.table.rows[0][2]
    oldest = found.table.rows[-1][2]
    assert found.figure("n_points").interval_text == f"{oldest[:4]}–{newest[:4]}"


def test_what_doubles_each_year_says_so_in_every_way():
    assert is_clear(DOUBLING)
    assert growth_headline("Power", DOUBLING) == "Power grows 2.0× a year"
    assert subtitle(DOUBLING).startswith("Doubles every ")
    rate, doubling, value, points = figures(DOUBLING, to=2020, unit="W")
    assert rate.value == pytest.approx(2.0)
    assert (doubling.label, doubling.value) == ("Doubling time", pytest.approx(1.0))
    assert value.value == pytest.approx(1024.0)
    assert (points.value, points.interval_text) == (11.0, "2010–2020")


def test_a_rate_has_the_name_it_is_given_and_the_interval_of_its_fit():
    figure = rate_figure(DOUBLING, name="power_growth", label="Power")
    assert (figure.name, figure.label, figure.unit) == ("power_growth", "Power", "x/year")
    assert (figure.low, figure.high, figure.n) == (DOUBLING.growth_low, DOUBLING.growth_high, 11)


def test_a_trend_reaches_half_its_span_beyond_its_last_point():
    reach = reach_year(DOUBLING.trend)
    assert reach == pytest.approx(2025.0)
    assert reach_notes(DOUBLING, to=2025) == ()
    (note,) = reach_notes(DOUBLING, to=2026)
    assert note.startswith("The fit spans 10 years; beyond 2025, half that span after the last point")


def test_a_rate_whose_interval_holds_no_growth_is_called_unclear():
    flat = growth(scattered(12, growth=1.0), rule=Rule(kind="all"), window=Window(), interval="classical")
    assert not is_clear(flat)
    assert "Price: no clear trend (" in growth_headline("Price", flat)
    assert subtitle(flat).startswith("90 % interval ")
    assert figures(flat, to=2030, unit="W")[1].interval_text == "90 %: no clear growth"
