from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.hardware.collectives import (
    all_to_all_s,
    dispatch_s,
    group_bandwidth,
    reduce_scatter_s,
    ring_all_reduce_s,
    tree_all_reduce_s,
)
from tests.analysis.refusals import refusals
from tests.cases import cases


@pytest.mark.parametrize(("size", "ranks", "rate", "all_reduce", "half"), cases(__file__)["ring"])
def test_ring_all_reduce(*, size, ranks, rate, all_reduce, half):
    assert float(ring_all_reduce_s(size, ranks=ranks, bandwidth=rate)) == pytest.approx(all_reduce, rel=1e-5)
    assert float(reduce_scatter_s(size, ranks=ranks, bandwidth=rate)) == pytest.approx(half, rel=1e-5)


@pytest.mark.parametrize(
    ("copies", "ranks", "domains", "seconds"),
    [
        # On one domain every copy but the device's own goes over the chip link: 8 x 7/8 x 1 GB at 100 GB/s.
        (8, 8, 1, 0.07),
        # Four domains of eight: 4 (1 - (3/4)^8) x 3/4 = 2.7 times over the network at 10 GB/s, 8 x 7/8 over the link.
        (8, 32, 4, 0.2699662 + 0.07),
        # One copy on two domains: half of them cross, as in any all-to-all.
        (1, 2, 2, 0.05),
        (4, 1, 1, 0.0),
    ],
)
def test_a_token_crosses_the_network_once_for_each_domain_that_wants_it(*, copies, ranks, domains, seconds):
    rates = {"link_byte_per_s": 100e9, "network_byte_per_s": 10e9}
    took = dispatch_s(1e9, copies=copies, ranks=ranks, domains=domains, latency_s=1e-3, **rates)
    assert float(took) == pytest.approx(seconds + (ranks - 1) * 1e-3, rel=1e-6)


@given(st.integers(2, 100_000), st.floats(1e3, 1e11))
def test_a_ring_is_no_slower_than_a_tree_and_all_to_all_moves_less_than_the_message(ranks, size):
    ring = float(ring_all_reduce_s(size, ranks=ranks, bandwidth=1e9))
    assert ring < float(tree_all_reduce_s(size, ranks=ranks, bandwidth=1e9)) * (1 + 1e-9)
    assert float(all_to_all_s(size, ranks=ranks, bandwidth=1e9)) < size / 1e9


def test_one_device_exchanges_nothing():
    for function in (ring_all_reduce_s, tree_all_reduce_s, all_to_all_s):
        assert float(function(1e9, ranks=1, bandwidth=1e9, latency_s=1e-5)) == 0


def test_a_ring_out_of_the_domain_has_the_ports_of_all_its_members_in_it():
    """Eight chips of 450 GB/s a domain, ports of 50 GB/s: all eight of a ring go out at 400, one of each at 50."""
    domain: Any = {"domain_size": 8, "link_byte_per_s": 450e9, "network_byte_per_s": 50e9}
    rates = group_bandwidth(ranks=[8, 16, 16, 8], stride=[1, 1, 8, 8], **domain)
    np.testing.assert_allclose(rates, [450e9, 400e9, 50e9, 50e9])


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "ranks counts devices, at least 1; got 0.": lambda: ring_all_reduce_s(1e9, ranks=0, bandwidth=1e9),
        "bandwidth is positive, in byte/s per direction and device; got 0.":
            lambda: ring_all_reduce_s(1e9, ranks=2, bandwidth=0),
    }
)  # fmt: skip
