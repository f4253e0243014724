"""What the choices offer is what the question can be asked with."""

import re
from typing import get_args

import pytest

from analysis.fine_tuning.memory import Method
from analysis.model.formats import SERVED_BITS_PER_WEIGHT
from data import standing
from views.placement.options import FORMATS, TUNINGS, devices


def test_every_format_offered_says_the_bits_of_its_row():
    table = standing.table("quantisation")
    bits = dict(zip(table["name"], map(float, table["bits_per_weight"]), strict=True))
    for word, weights in FORMATS.items():
        for size in re.findall(r"([0-9.]+) bits a weight", weights.meaning):
            assert float(size) == pytest.approx(bits[weights.on_devices], abs=0.01)
        assert word == "fp16" or weights.meaning.startswith(f"{weights.on_devices} on devices")
        assert SERVED_BITS_PER_WEIGHT[weights.on_accelerators] == bits[weights.on_accelerators]


def test_every_way_of_tuning_offered_has_its_method():
    assert set(TUNINGS) == set(get_args(Method))


def test_every_device_with_memory_and_bandwidth_can_be_chosen_by_a_word_of_its_own():
    table = standing.table("edge_devices")
    known = table.loc[table["memory_bandwidth_byte_per_s"].notna() & table["memory_capacity_byte"].notna()]
    assert sorted(devices().values()) == sorted(known["name"])
    assert len(devices()) > 50
    assert all(re.fullmatch(r"[a-z0-9.-]+", word) for word in devices())
