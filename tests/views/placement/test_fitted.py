"""What is fitted once for a release: trends of devices and chips, rents, and the models of speed."""

from typing import Any

import numpy as np
import pytest

from analysis.placement.years import ACCELERATOR, drawn_growth, groups, middle_growth
from analysis.serving.tables import model as serving_fitted
from data.releases import load
from views.chips.rents import AS_LAST_YEAR, NEXT_GENERATION, RENTS, STEADY, newer, rate
from views.placement import fitted
from views.placement.inputs import inputs_of
from views.placement.settings import PlacementSettings


def test_along_the_fitted_trends_nothing_has_moved_today_and_draws_spread_more_the_further_ahead():
    question = inputs_of(PlacementSettings(work="laptop-coding"), load("2026-07")).question
    places, draws = question.places, question.luck.step.shape[1]
    slopes, names = fitted.slopes("2026-07", STEADY), groups(places)
    today = middle_growth(slopes, names, ahead=0.0)
    off: dict[int, Any] = {
        year: drawn_growth(slopes, names, ahead=float(year - 2026), draws=draws).bandwidth
        for year in (2026, 2030, 2040)
    }
    assert all(np.all(value == 1) for value in vars(today).values())
    assert off[2026].shape == question.luck.step.shape
    assert np.all(off[2026] == 1)
    assert np.all(off[2040].std(axis=1) > off[2030].std(axis=1))


def test_a_class_known_from_few_devices_follows_the_trend_of_all():
    slopes = fitted.slopes_of_devices()
    assert slopes["workstation"]["bandwidth"] is slopes["edge_server"]["bandwidth"]
    assert slopes["workstation"]["bandwidth"].pooled
    assert not slopes["phone"]["bandwidth"].pooled


def test_chips_rent_for_more_as_they_are_newer_and_as_lists_move():
    chips = {word: fitted.slopes_of_chips("2026-07", word)["price"] for word in RENTS}
    newest = newer("2026-07")
    for word, slope in chips.items():
        assert slope.middle == pytest.approx(np.log10(newest.factor * rate("2026-07", word).factor))
        assert slope.n == newest.n and len(slope.draws) == len(newest.draws)
    assert chips[STEADY].middle > 0 == pytest.approx(chips[NEXT_GENERATION].middle, abs=1e-9)
    assert (
        np.std(chips[AS_LAST_YEAR].draws) > np.std(chips[STEADY].draws) > np.std(chips[NEXT_GENERATION].draws)
    )


def test_each_class_of_device_and_the_accelerators_have_a_trend():
    slopes = fitted.slopes("2026-07", STEADY)
    assert slopes[ACCELERATOR] == fitted.slopes_of_chips("2026-07", STEADY)
    assert set(fitted.slopes_of_devices()) == set(slopes) - {ACCELERATOR}
    assert slopes[ACCELERATOR]["bandwidth"].middle > slopes["phone"]["bandwidth"].middle > 0


def test_speeds_are_fitted_once():
    assert fitted.fitted() is fitted.fitted()
    assert fitted.fitted().devices is fitted.devices_fitted()
    assert fitted.fitted().serving is serving_fitted()
    assert np.all((fitted.sustained() > 0) & (fitted.sustained() <= 1))
