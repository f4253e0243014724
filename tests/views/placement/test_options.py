"""What the choices offer is what the question can be asked with."""

import re

import pytest

from analysis.model.formats import SERVED_BITS_PER_WEIGHT
from data import standing
from views.placement.inputs import ON_ACCELERATORS, ON_DEVICES
from views.placement.options import FORMATS, TUNINGS, devices
from views.placement.tuning import METHODS


def test_every_format_offered_says_the_bits_of_its_row():
    table = standing.table("quantisation")
    bits = dict(zip(table["name"], map(float, table["bits_per_weight"]), strict=True))
    for word, words in FORMATS.items():
        for size in re.findall(r"([0-9.]+) bits a weight", words):
            assert float(size) == pytest.approx(bits[ON_DEVICES[word]], abs=0.01)
        assert word == "fp16" or words.startswith(f"{ON_DEVICES[word]} on devices")
        assert SERVED_BITS_PER_WEIGHT[ON_ACCELERATORS[word]] == bits[ON_ACCELERATORS[word]]


def test_every_way_of_tuning_offered_has_its_method():
    assert set(TUNINGS) == set(METHODS)


def test_every_device_with_memory_and_bandwidth_can_be_chosen_by_a_word_of_its_own():
    table = standing.table("edge_devices")
    known = table.loc[table["memory_bandwidth_byte_per_s"].notna() & table["memory_capacity_byte"].notna()]
    assert sorted(devices().values()) == sorted(known["name"])
    assert len(devices()) > 50
    assert all(re.fullmatch(r"[a-z0-9.-]+", word) for word in devices())
