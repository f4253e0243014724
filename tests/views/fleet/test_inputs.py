from dataclasses import replace

import numpy as np
import pytest

from data.releases import load
from views.fleet.inputs import counted, fleet
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


def test_chips_whose_data_sheet_does_not_say_it_are_left_out_and_named():
    assert counted(RELEASE, "power").without == ("Trainium1",)
    assert counted(RELEASE, "units").without == counted(RELEASE, "bandwidth").without == ()


def test_where_a_chip_has_no_fp8_its_sixteen_bits_count():
    def a100(offers):
        found = counted(RELEASE, offers)
        return float(found.shipments.offered[found.shipments.kind.index("A100")])

    assert a100("fp8") == a100("fp16") == pytest.approx(312e12, rel=0.01)


def test_a_release_without_a_part_leaves_it_out():
    fewer = RELEASE.accelerators.loc[RELEASE.accelerators["name"] != "NVIDIA B200"]
    assert counted(replace(RELEASE, accelerators=fewer), "bandwidth").without == ("B200",)


def test_retired_chips_are_no_longer_in_use():
    found = counted(RELEASE, "units")
    kept = fleet(found, FleetSettings(offers="units")).middle()
    fewer = fleet(found, FleetSettings(offers="units", retire="3")).middle()
    assert np.all(fewer <= kept)
    assert fewer[-1] < kept[-1]
