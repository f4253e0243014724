from collections import Counter

import pytest

from data.releases import latest, load, names
from views.chips.choice import MEMORY_KINDS, SEGMENTS, VENDORS

RELEASES = pytest.mark.parametrize("release", names())


def values(release, column):
    return set(load(release).accelerators[column])


@RELEASES
def test_every_vendor_memory_kind_and_market_of_the_settings_is_in_the_data(release):
    assert set(VENDORS.values()) <= values(release, "vendor")
    assert set(MEMORY_KINDS.values()) <= values(release, "memory_kind")
    assert set(SEGMENTS.values()) <= values(release, "segment")


def test_every_vendor_with_four_chips_or_more_can_be_chosen():
    counts = Counter(load(latest()).accelerators["vendor"])
    assert {vendor for vendor, count in counts.items() if count >= 4} == set(VENDORS.values())


def test_every_memory_kind_of_the_data_can_be_chosen():
    assert values(latest(), "memory_kind") - {""} == set(MEMORY_KINDS.values())
