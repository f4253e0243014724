"""Chips with their links, as the latency floor and techniques name them."""

import pytest

from data.releases import latest, load
from views.chips.linked import CHIPS, DDR5_SERVER, NAMES, SHORT_NAMES, linked_chip, machine_of_row

RELEASE = load(latest())


@pytest.mark.parametrize("word", CHIPS)
def test_every_chip_a_link_can_name_is_in_the_newest_release_with_memory_and_links(word):
    chip = linked_chip(word, RELEASE)
    assert chip is not None
    assert chip.memory_bandwidth_byte_per_s > 0 and chip.memory_capacity_byte > 0
    assert chip.link_bandwidth_byte_per_s > 0 and chip.domain_size >= 1


def test_numbers_are_the_release_s_where_it_has_them():
    row = RELEASE.accelerators.query("product == 'H100 SXM' and representative").iloc[0]
    chip = linked_chip("h100", RELEASE)
    assert chip is not None
    assert chip.memory_bandwidth_byte_per_s == row["memory_bandwidth_byte_per_s"]
    assert chip.domain_size == 8


def test_the_server_is_of_no_release_and_has_twelve_channels():
    server = linked_chip(DDR5_SERVER, RELEASE)
    assert server is not None
    assert server.memory_bandwidth_byte_per_s == pytest.approx(12 * 8 * 6.4e9)
    assert CHIPS[DDR5_SERVER] == "a server socket with twelve channels of DDR5-6400"


def test_a_short_name_stands_only_where_the_product_s_own_is_long():
    shorter = {word for word, name in SHORT_NAMES.items() if name != NAMES[word]}
    assert shorter == {"groq-lpu", "ddr5-server"}
    assert all(len(SHORT_NAMES[word]) < len(NAMES[word]) for word in shorter)


def test_a_chip_without_a_rate_at_the_precision_is_refused_by_name():
    row = RELEASE.accelerators.query("product == 'A100 80 GB' and representative").iloc[0].to_dict()
    with pytest.raises(ValueError, match="A100 80 GB has no FP8 rate"):
        machine_of_row(row, released_year=2020.4, precision="fp8")
