import math

import pytest

from analysis.model.formats import SERVED_BITS_PER_WEIGHT, bits_of_name, format_family
from data import standing


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("F16", "16-bit"),
        ("Q8_0", "8-bit"),
        ("FP8", "8-bit"),
        ("Q4_K_M (Ollama default tag)", "block 4-bit"),
        ("IQ4_XS", "block 4-bit"),
        ("Q4_0", "flat block 4-bit"),
        ("Q5_1", "flat block 4-bit"),
        ("INT4 (MLC)", "4-bit"),
        ("MXFP4", "4-bit"),
        ("", ""),
    ],
)
def test_formats_fall_into_families_by_how_they_are_unpacked(name, family):
    assert format_family(name) == family


def test_the_bits_of_formats_served_are_those_of_the_table():
    table = standing.table("quantisation").set_index("name")["bits_per_weight"].to_dict()
    known = {name: bits for name, bits in SERVED_BITS_PER_WEIGHT.items() if name in table}
    assert len(known) >= 4
    assert known == {name: table[name] for name in known}


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("Q4_K_XL", 4.5),
        ("UD-Q4_K_XL", 4.5),
        ("IQ3_XXS", 3.5),
        ("4-bit groupwise g32", 4.5),
        ("w4a16", 4.5),
        ("w8a8", 8.0),
        ("BF16", 16.0),
        ("FP8 dynamic", 8.0),
        ("NVFP4", 4.5),
    ],
)
def test_a_formats_name_tells_its_bits(*, name, bits):
    assert bits_of_name(name) == bits


@pytest.mark.parametrize("name", ["", "AWQ", "EXL", "odd"])
def test_a_name_without_bits_tells_none(name):
    assert math.isnan(bits_of_name(name))
