"""What kernels reach: measured shares as published, and a balance that grows less than on paper."""

from dataclasses import replace

import pytest

from data.releases import load
from views.in_practice.reached import balance_exhibit, balance_figures, met

RELEASE = load("2026-07")
CHIPS = {one.reached.chip: one for one in met(RELEASE)}


def test_large_products_reach_what_was_published():
    """Bekman's best shapes reach more than the 80, 75 and 61-65 % of other kernel timings, and fall alike."""
    shares = {name: CHIPS[name].reached.flop_share for name in ("A100 80 GB", "H100 SXM", "B200", "GB200")}
    assert shares == {
        "A100 80 GB": pytest.approx(0.869, abs=0.002),
        "H100 SXM": pytest.approx(0.803, abs=0.002),
        "B200": pytest.approx(0.776, abs=0.002),
        "GB200": pytest.approx(0.729, abs=0.002),
    }
    assert list(shares.values()) == sorted(shares.values(), reverse=True)


def test_streams_reach_most_of_the_bandwidth():
    shares = [one.reached.byte_share for one in CHIPS.values() if one.reached.byte_share]
    assert min(shares) == pytest.approx(0.804, abs=0.002)
    assert max(shares) == pytest.approx(0.949, abs=0.002)


def test_the_measured_balance_grows_less_than_that_on_paper():
    figures = {figure.name: figure for figure in balance_figures(met(RELEASE))}
    assert figures["balance_growth_on_paper"].value == pytest.approx(1.145, abs=0.005)
    measured = figures["balance_growth_measured"]
    assert measured.value == pytest.approx(1.11, abs=0.01)
    assert (measured.high or 9) < (figures["balance_growth_on_paper"].value or 0)


def test_a_bandwidth_nobody_measured_has_a_range():
    assert CHIPS["B200"].balance.low < CHIPS["B200"].balance.value < CHIPS["B200"].balance.high
    assert CHIPS["H100 SXM"].balance.low == pytest.approx(CHIPS["H100 SXM"].balance.high)


def test_a_release_without_the_chips_has_no_exhibit():
    parts = RELEASE.accelerators
    none = replace(RELEASE, accelerators=parts.loc[parts["vendor"] == "Google"])
    assert balance_exhibit(none, source="2026-07") is None
    assert balance_figures(met(none)) == ()
    first = replace(RELEASE, accelerators=parts.loc[parts["name"] == "NVIDIA A100 SXM4 80 GB"])
    exhibit = balance_exhibit(first, source="2026-07")
    assert exhibit is not None
    assert exhibit.chart.title == "FLOP per byte on the data sheet and as kernels reach it"
