"""Ways to a cloud: which are slower, dearer or farther."""

import pytest

from views.placement.networks import HOUSE_BYTE_PER_S, house_round_trip_s, network
from views.placement.options import NETWORKS


@pytest.mark.parametrize("word", NETWORKS)
def test_every_way_offered_has_a_round_trip_a_rate_and_its_energy(word):
    way = network(word)
    assert 0.001 < way.round_trip_s < 0.5
    assert 1e5 < way.uplink_byte_per_s < 1e9
    assert 0 < way.energy_j_per_byte < 1e-3
    assert way.usd_per_byte >= 0


def test_the_house_lies_before_the_wired_line_and_another_continent_beyond_it():
    office, fixed, far = network("office"), network("fixed"), network("far")
    assert office.round_trip_s == pytest.approx(fixed.round_trip_s + house_round_trip_s())
    assert far.round_trip_s > 2 * fixed.round_trip_s
    assert office.uplink_byte_per_s == fixed.uplink_byte_per_s == far.uplink_byte_per_s
    assert far.usd_per_byte > 0 == fixed.usd_per_byte


def test_the_older_mobile_network_uploads_at_half_the_rate_for_more_energy():
    assert network("4g").uplink_byte_per_s == network("5g").uplink_byte_per_s / 2
    assert network("4g").round_trip_s > network("5g").round_trip_s
    assert network("4g").energy_j_per_byte > network("5g").energy_j_per_byte


def test_the_house_is_nearer_and_faster_than_any_cloud():
    assert house_round_trip_s() < min(network(word).round_trip_s for word in NETWORKS)
    assert max(network(word).uplink_byte_per_s for word in NETWORKS) <= HOUSE_BYTE_PER_S


def test_a_way_nobody_knows_is_refused():
    with pytest.raises(KeyError, match="pigeon"):
        network("pigeon")
