"""All chips as estimates: parts add up, chips retire, and any one vendor's chips are answered in their own words."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from data.releases import load
from views.chips.shipments import MAKER_ROLES, shipment_estimates
from views.fleet.answer import FleetAnswer
from views.fleet.settings import OFFERS, FleetSettings
from views.fleet.view import finding

RELEASE = load("2026-07")


def asked(**settings) -> FleetAnswer:
    return FleetAnswer(settings=FleetSettings(**settings), release=RELEASE)


def about(vendor: str) -> type[FleetAnswer]:
    """Return answers about the chips of one vendor, as a filter of vendors would make them."""

    class OfVendor(FleetAnswer):
        def estimates_of(self, offers):
            return super().estimates_of(offers).of_makers({vendor})

    return OfVendor


@pytest.mark.parametrize("vendor", MAKER_ROLES)
@pytest.mark.parametrize("count", ["in-use", "shipped"])
def test_one_vendors_chips_have_their_pictures_and_no_word_of_others(*, vendor, count):
    for offers, since, retire in (("bandwidth", 2022, "never"), ("units", 2023, "3"), ("power", 2024, "3")):
        settings = FleetSettings(offers=offers, count=count, since=since, retire=retire)
        result = finding(about(vendor)(settings=settings, release=RELEASE))
        exhibits = list(filter(None, result.exhibits))
        if not result.figures:
            assert "too few" in result.headline
            continue
        charts = [exhibit.chart for exhibit in exhibits]
        texts = (result.headline, result.subtitle, *result.notes, *(f.label for f in result.figures))
        titles = [text for chart in charts for text in (chart.title, chart.subtitle)]
        for text in (*texts, *titles):
            assert not re.search(r"four makers|all makers|All four|all (AI )?chips|All chips", text), text
        assert vendor in result.headline
        assert vendor in result.subtitle
        assert len(exhibits) >= 3
        others = "|".join(set(MAKER_ROLES) - {vendor})
        assert not re.search(others, " ".join((result.headline, result.subtitle, *result.notes)))


@pytest.mark.parametrize("offers", OFFERS)
def test_makers_add_up_to_all_and_kinds_too(offers):
    answer = asked(offers=offers)
    series, estimates = answer.total.total, answer.estimates
    makers = sum(answer.series(estimates, makers={name}).total for name in estimates.makers)
    kinds = sum(answer.series(estimates, kinds={name}).total for name in estimates.maker_of)
    assert makers == pytest.approx(series)
    assert kinds == pytest.approx(series)
    assert sum(answer.by_kind.values()) == pytest.approx(series[0, -1])
    assert sum(part.middle()[-1] for part in answer.by_maker.values()) == pytest.approx(series[0, -1])
    assert list(answer.by_maker) == list(MAKER_ROLES)


def test_retired_chips_are_no_longer_in_use():
    stays, leaves = (asked(offers="units", retire=retire).total.middle() for retire in ("never", "3"))
    assert np.all(leaves <= stays)
    assert leaves[-1] < stays[-1]


def test_a_maker_without_a_colour_of_its_own_is_drawn_as_context():
    of_amd = shipment_estimates(RELEASE, "units").of_makers({"AMD"})
    renamed = replace(
        of_amd, shipments=replace(of_amd.shipments, maker=("Newcomer",) * len(of_amd.shipments))
    )
    answer = asked(offers="units", since=2024)
    answer.__dict__["estimates"] = renamed
    result: Any = finding(answer)
    assert "Newcomer chips are in use" in result.headline
    assert {bar.role for bar in list(result.exhibits)[2].chart.bars} == {"context"}
