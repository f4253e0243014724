import math

import pytest

from analysis.model.formats import SERVED_BITS_PER_WEIGHT, bits_of_name, format_family
from data import standing
from tests.cases import cases

CASES = cases(__file__)


@pytest.mark.parametrize(("name", "family"), CASES["families"])
def test_formats_fall_into_families_by_how_they_are_unpacked(name, family):
    assert format_family(name) == family


def test_the_bits_of_formats_served_are_those_of_the_table():
    table = standing.table("quantisation").set_index("name")["bits_per_weight"].to_dict()
    known = {name: bits for name, bits in SERVED_BITS_PER_WEIGHT.items() if name in table}
    assert len(known) >= 4
    assert known == {name: table[name] for name in known}


@pytest.mark.parametrize(("name", "bits"), CASES["bits"])
def test_a_formats_name_tells_its_bits(*, name, bits):
    assert bits_of_name(name) == bits


@pytest.mark.parametrize("name", ["", "AWQ", "EXL", "odd"])
def test_a_name_without_bits_tells_none(name):
    assert math.isnan(bits_of_name(name))
