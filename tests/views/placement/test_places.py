"""The places compared: typical devices, machines in the house, accelerators for rent."""

from dataclasses import replace

import numpy as np
import pytest

from data import standing
from data.releases import latest, load
from views.chips.rents import rent
from views.placement.options import NETWORKS, devices
from views.placement.places import (
    HOUSE_BYTE_PER_S,
    SERVER_ROOM,
    PlaceLabel,
    compared,
    house_round_trip_s,
    network,
    plain_name,
)
from views.placement.settings import PlacementSettings

RELEASE = load("2026-07")


def places(**changed):
    compares = compared(PlacementSettings(**changed), RELEASE)
    return {word: i for i, word in enumerate(compares.words)}, compares.places


def test_every_place_has_a_word_of_its_own_and_personal_ones_come_first():
    at, found = places()
    assert len(at) == len(found) == len(set(found.name)) == 16
    kinds = list(dict.fromkeys(found.kind))
    assert kinds == ["personal", "owned", "rented"]


def test_a_place_has_the_numbers_of_its_device():
    at, found = places()
    i = at["desktop-gpu"]
    row = standing.rows("edge_devices", "name")["NVIDIA RTX 5090"]
    assert "RTX 5090" in found.name[i] and found.kind[i] == "owned" and not found.accelerator[i]
    assert found.memory_bandwidth_byte_per_s[i] == row["memory_bandwidth_byte_per_s"]
    assert (found.price_usd[i], found.price_usd_per_hour[i]) == (row["price_usd"], 0)


def test_what_is_rented_has_the_listed_rent_and_the_chips_asked_for():
    at, found = places(chips=4)
    i = at["cloud-h100"]
    listed = rent(latest(), "NVIDIA H100 SXM5 80GB")
    assert listed is not None and found.price_usd_per_hour[i] == listed.middle
    assert (found.price_usd[i], found.chips[i], found.accelerator[i]) == (0, 4, True)
    assert found.chips[at[SERVER_ROOM]] == 8 == found.most_chips[at[SERVER_ROOM]]
    assert places()[1].chips[i] == 0


def test_an_accelerator_has_its_peak_in_every_format_its_links_and_its_maker():
    at, found = places()
    i, newer = at["cloud-h100"], at["cloud-b200"]
    assert (found.peak_flop_per_s[i], found.peak_fp8_flop_per_s[i]) == pytest.approx(
        (989.4e12, 1.979e15), rel=1e-3
    )
    assert found.peak_fp4_flop_per_s[i] == found.peak_fp8_flop_per_s[i]  # computes no narrower
    assert found.peak_fp4_flop_per_s[newer] > 1.9 * found.peak_fp8_flop_per_s[newer]
    assert (found.maker[i], found.domain_size[i], found.link_bandwidth_byte_per_s[i]) == ("NVIDIA", 8, 450e9)
    assert np.isnan(found.peak_fp4_flop_per_s[~found.accelerator]).all()


def test_people_reach_a_cloud_over_their_network_and_the_house_over_a_wire():
    _, found = places(network="far")
    rented, owned, own = (found.is_kind(kind) for kind in ("rented", "owned", "personal"))
    assert set(found.round_trip_s[rented]) == {network("far").round_trip_s}
    assert set(found.round_trip_s[owned]) == {house_round_trip_s()}
    assert set(found.uplink_byte_per_s[owned]) == {HOUSE_BYTE_PER_S}
    assert not found.round_trip_s[own].any() and np.isinf(found.uplink_byte_per_s[own]).all()
    assert not found.network_usd_per_byte[~rented].any()


def test_a_device_of_ones_own_stands_beside_the_typical_ones():
    word = next(word for word, name in devices().items() if name == "NVIDIA RTX 4090")
    at, found = places(device=word)
    assert len(at) == 17 and found.name[at[word]] == "desktop with a GPU (RTX 4090)"


def test_an_accelerator_that_the_release_does_not_know_is_left_out():
    kept = RELEASE.accelerators.loc[RELEASE.accelerators["name"] != "NVIDIA H100 SXM5 80GB"]
    own = replace(RELEASE, name="your export", origin="own hardware", accelerators=kept)
    compares = compared(PlacementSettings(), own)
    assert set(places()[0]) - set(compares.words) == {"cloud-h100"}
    assert len(compares.places) == len(compares.labels) == 15


def test_a_device_goes_by_its_name_without_vendor_and_brackets():
    assert plain_name("NVIDIA RTX 5090") == "RTX 5090"
    assert plain_name("Apple M5 Max (40-core GPU)") == "Apple M5 Max"


def test_a_place_of_a_later_year_says_so():
    laptop, cloud = (
        PlaceLabel(kind="laptop", device="Apple M5"),
        PlaceLabel(kind="cloud", device="H100", rented=True),
    )
    assert (laptop.text, laptop.brief, cloud.text, cloud.brief) == (
        "laptop (Apple M5)",
        "laptop",
        *["cloud H100"] * 2,
    )
    assert replace(laptop, year=2030).text == "laptop (Apple M5 of 2030)"
    assert replace(cloud, year=2030).brief == "cloud H100 of 2030"
    later = compared(PlacementSettings(year=2030), RELEASE)
    assert all(label.year == 2030 for label in later.labels) and not any(
        "2030" in name for name in later.places.name
    )


@pytest.mark.parametrize("word", NETWORKS)
def test_every_way_offered_has_a_round_trip_a_rate_and_its_energy_and_the_house_is_nearer(word):
    way = network(word)
    assert house_round_trip_s() < way.round_trip_s < 0.5
    assert 1e5 < way.uplink_byte_per_s <= HOUSE_BYTE_PER_S
    assert 0 < way.energy_j_per_byte < 1e-3
    assert (way.usd_per_byte > 0) == (word == "far")


def test_the_house_lies_before_the_wired_line_and_another_continent_beyond_it():
    office, fixed, far = network("office"), network("fixed"), network("far")
    assert office.round_trip_s == pytest.approx(fixed.round_trip_s + house_round_trip_s())
    assert far.round_trip_s > 2 * fixed.round_trip_s
    assert office.uplink_byte_per_s == fixed.uplink_byte_per_s == far.uplink_byte_per_s
    assert network("4g").uplink_byte_per_s == network("5g").uplink_byte_per_s / 2
    assert network("4g").round_trip_s > network("5g").round_trip_s
    assert network("4g").energy_j_per_byte > network("5g").energy_j_per_byte
    with pytest.raises(KeyError, match="pigeon"):
        network("pigeon")
