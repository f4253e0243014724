"""The rate of a quantity of chips under every sensible rule."""

from dataclasses import replace

import pytest

from data.releases import latest, load
from views.accelerators import VIEW
from views.chips.choice import AcceleratorSettings
from views.chips.rows import candidates, fitted
from views.chips.spread import SENSIBLE, spread_exhibit
from views.view import answer

RELEASE = load(latest())


def strip(settings: AcceleratorSettings):
    """Return the rows of the strip of rates of some settings, by label."""
    own = fitted(candidates(RELEASE, settings), settings)
    exhibit = spread_exhibit(RELEASE, settings, growth=own, source="d")
    assert exhibit is not None and exhibit.chart.title.startswith("Bandwidth per chip grows ")
    assert exhibit.chart.title.endswith("× a year, depending on the rule")
    assert len({row[0] for row in exhibit.table.rows}) == len(exhibit.table.rows)
    return {row[0]: row for row in exhibit.table.rows}


def test_the_strip_of_rates_starts_with_this_view_and_names_no_rule_twice():
    labels = list(strip(AcceleratorSettings()))
    assert labels[0] == "This view"
    assert set(labels[1:]) <= {label for label, _ in SENSIBLE}
    assert len(labels) >= 7


def test_the_strip_holds_each_rate_as_its_own_view_gives_it():
    settings = AcceleratorSettings()
    rates = strip(settings)
    tried = [(label, change) for label, change in SENSIBLE if label in rates]
    for label, change in tried[:3]:
        own = answer(VIEW, replace(settings, **change)).figure("yearly_growth")
        assert rates[label][1] == pytest.approx(own.value)
        assert rates[label][4] == own.n


def test_the_rule_in_use_is_not_told_a_second_time():
    assert "Since 2018" in strip(AcceleratorSettings())
    assert "Since 2018" not in strip(AcceleratorSettings(since="2018"))
