import numpy as np
import pytest

from data.releases import load
from views.chips.shipments import counted
from views.fleet.inputs import fleet
from views.fleet.settings import OFFERS, FleetSettings

RELEASE = load("2026-07")


@pytest.mark.parametrize("offers", OFFERS)
def test_makers_add_up_to_all_and_kinds_too(offers):
    found, settings = counted(RELEASE, offers), FleetSettings(offers=offers)
    total = fleet(found, settings).total
    makers = sum(fleet(found, settings, maker=name).total for name in set(found.shipments.maker))
    kinds = sum(fleet(found, settings, kind=name).total for name in set(found.shipments.kind))
    assert makers == pytest.approx(total)
    assert kinds == pytest.approx(total)


def test_retired_chips_are_no_longer_in_use():
    found = counted(RELEASE, "units")
    kept = fleet(found, FleetSettings(offers="units")).middle()
    fewer = fleet(found, FleetSettings(offers="units", retire="3")).middle()
    assert np.all(fewer <= kept)
    assert fewer[-1] < kept[-1]
