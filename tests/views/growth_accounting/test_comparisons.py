"""Growth taken apart, beside what else grows, and under other choices."""

import math
from typing import Any

import numpy as np
import pytest

from analysis.growth_accounting import PartGrowth
from charts.chart import Points
from views.growth_accounting.comparisons import beside, sensitivity
from views.growth_accounting.settings import GrowthAccountingSettings
from views.growth_accounting.view import VIEW
from views.runs.parts import FACTORS
from views.view import answer


def ask(**settings) -> Any:
    return answer(VIEW, GrowthAccountingSettings(**settings))


def part(yearly_growth: float) -> PartGrowth:
    """Return a part that grows so fast, known on 12 rows."""
    return PartGrowth(
        yearly_growth=yearly_growth,
        low=0.9 * yearly_growth,
        high=1.1 * yearly_growth,
        level=0.9,
        n=12,
        rows=np.ones(12, dtype=bool),
        slope_per_year=math.log10(yearly_growth),
        reference_year=2020.0,
        intercept_log10=24.0,
        draw_slope=np.zeros(2),
    )


def test_every_choice_is_named_once_and_its_factors_multiply_to_its_growth():
    result = ask()
    labels = [row[0] for row in result.exhibits[3].table.rows]
    assert labels[0] == "This view"
    assert len(labels) == len(set(labels)) > 5
    for _, total, *factors, _n in result.exhibits[3].table.rows:
        assert math.prod(factors[::3]) == pytest.approx(total)


def test_what_grows_beside_compute_stands_from_the_fastest_with_compute_emphasised():
    exhibit: Any = beside(
        {"all": part(4.0), "cost": part(3.0), "power": part(2.0), "data": part(5.0)}, source="s"
    )
    rates = [row[1] for row in exhibit.table.rows]
    assert rates == sorted(rates, reverse=True) and len(rates) >= 3
    (own,) = (bar for bar in exhibit.chart.bars if bar.emphasised)
    assert (own.label, own.role) == ("Training compute", "compute")
    assert (
        exhibit.chart.title
        == "Growth beside compute: training data 5.0×, cost 3.0× and power drawn 2.0× a year"
    )


def test_with_too_little_known_beside_compute_the_title_says_so():
    exhibit = beside({"all": part(4.0)}, source="s")
    assert exhibit.chart.title == "What grows beside compute is known for too few runs"
    assert [row[0] for row in exhibit.table.rows] == ["Training compute"]


def test_the_title_spans_the_choices_and_each_factor_has_a_point_for_each():
    first, second = ({name: part(growth) for name in (*FACTORS, "total")} for growth in (1.5, 2.5))
    exhibit: Any = sensitivity((("This view", first), ("Top 5", second)), source="s", level=0.9)
    assert "chips 1.50–2.5× a year" in exhibit.chart.title
    points = [mark for mark in exhibit.chart.marks if isinstance(mark, Points)]
    assert [mark.x for mark in points] == [(1.5, 2.5)] * len(FACTORS)
    assert [mark.y for mark in points] == [(2.0, 1.0)] * len(FACTORS)
    ticks = sorted(exhibit.chart.y.ticks, key=lambda tick: -tick.value)
    assert [tick.label for tick in ticks] == ["This view", "Top 5"]
    assert len(exhibit.table.columns) == 2 + 3 * len(FACTORS) + 1
