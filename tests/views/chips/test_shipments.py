from dataclasses import replace

import pytest

from data.releases import load
from views.chips.shipments import bandwidth_growth, shipment_estimates

RELEASE = load("2026-07")


def test_chips_whose_data_sheet_does_not_say_it_are_left_out_and_named():
    assert shipment_estimates(RELEASE, "power").without == ("Trainium1",)
    assert (
        shipment_estimates(RELEASE, "units").without == shipment_estimates(RELEASE, "bandwidth").without == ()
    )


def test_where_a_chip_has_no_fp8_its_sixteen_bits_count():
    def a100(offers):
        found = shipment_estimates(RELEASE, offers)
        return float(found.shipments.offered[found.shipments.kind.index("A100")])

    assert a100("fp8") == a100("fp16") == pytest.approx(312e12, rel=0.01)


def test_a_release_without_a_part_leaves_it_out():
    fewer = RELEASE.accelerators.loc[RELEASE.accelerators["name"] != "NVIDIA B200"]
    assert shipment_estimates(replace(RELEASE, accelerators=fewer), "bandwidth").without == ("B200",)


def test_bandwidth_grows_as_by_hand_and_not_at_all_without_parts():
    """By hand from units and paper bandwidths: NVIDIA's 3.197x a year, 2023 to 2025; all in the last year 2.4947x."""
    found = bandwidth_growth(RELEASE, level=0.9)
    assert found and found.makers == ("NVIDIA",)
    assert found.growth.factor == pytest.approx(3.197, rel=0.003)
    assert found.last_year and found.last_year.factor == pytest.approx(2.4947, rel=1e-4)
    assert bandwidth_growth(replace(RELEASE, accelerators=RELEASE.accelerators.iloc[:0]), level=0.9) is None
