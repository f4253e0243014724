"""Chips with their links, as the latency floor and techniques name them."""

import pytest

from data.releases import latest, load
from views.chips.linked import (
    CHIPS,
    DDR5_SERVER,
    NAMES,
    SHORT_NAMES,
    latencies,
    linked_chip,
    machine_of_row,
    today,
    unseen,
)

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


def test_wafers_are_meshes_and_groq_chips_are_linked_in_pairs():
    wafer, groq, gpu = (linked_chip(word, RELEASE) for word in ("wse-3", "groq-lpu", "h100"))
    assert wafer is not None and wafer.mesh is not None and groq is not None and gpu is not None
    assert (wafer.mesh.cores, wafer.mesh.reductions_per_layer) == (900_000, 8)
    assert wafer.mesh.hop_s == pytest.approx(1 / 1.1e9, rel=1e-4)
    assert (groq.direct_links, groq.domain_size, groq.link_latency_s) == (True, 8, 0.72e-6)
    assert groq.network_latency_s == pytest.approx(3 * 0.72e-6)
    assert groq.link_bandwidth_byte_per_s == pytest.approx(512e9 / 2)
    assert gpu.mesh is None and not gpu.direct_links


@pytest.mark.parametrize("word", CHIPS)
def test_latencies_of_today_are_known_of_all_but_the_server_and_not_below_the_least(word):
    met, chip = today(word), linked_chip(word, RELEASE)
    assert chip is not None and (met is None) is (word == DDR5_SERVER)
    if met is not None and met.link_hop_s is not None:
        assert met.link_hop_s >= chip.link_latency_s
    if met is not None and met.core_hop_s is not None:
        assert chip.mesh is not None and met.core_hop_s >= chip.mesh.hop_s


def test_what_was_not_seen_in_its_source_is_known():
    assert unseen("groq-lpu") == ("link_latency_s",) and unseen("h100") == () and "launch_s" in unseen("b200")
    assert latencies("h100", line="today")["launch_s"] == 1.3e-6 and latencies("h100", line="floor") == {}


def test_a_short_name_stands_only_where_the_product_s_own_is_long():
    shorter = {word for word, name in SHORT_NAMES.items() if name != NAMES[word]}
    assert shorter == {"groq-lpu", "ddr5-server"}
    assert all(len(SHORT_NAMES[word]) < len(NAMES[word]) for word in shorter)


def test_a_chip_without_a_rate_at_the_precision_is_refused_by_name():
    row = RELEASE.accelerators.query("product == 'A100 80 GB' and representative").iloc[0].to_dict()
    with pytest.raises(ValueError, match="A100 80 GB has no FP8 rate"):
        machine_of_row(row, released_year=2020.4, precision="fp8")
