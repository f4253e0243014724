from dataclasses import replace

import numpy as np
import pytest

from data.releases import load
from views.cost_of_bandwidth.inputs import (
    PARTS,
    cost,
    makers_known,
    memory_supply,
    parts_of,
    quarter_end,
    unit_cost,
)
from views.cost_of_bandwidth.settings import MAKERS, CostOfBandwidthSettings

RELEASE = load("2026-07")
EVERYONE = frozenset(MAKERS.values())


@pytest.mark.parametrize(("word", "end"), [("2024-Q1", 2024.25), ("2025-Q4", 2026.0)])
def test_a_quarter_is_known_by_its_end(word, end):
    assert quarter_end(word) == end


def test_parts_and_makers_add_up():
    whole = cost(frozenset(PARTS), EVERYONE).total
    assert sum(cost(frozenset({part}), EVERYONE).total for part in PARTS) == pytest.approx(whole)
    assert sum(cost(frozenset(PARTS), frozenset({name})).total for name in EVERYONE) == pytest.approx(whole)


def test_the_four_makers_buy_no_more_memory_than_there_is():
    bought, supply = cost(frozenset({"memory"}), EVERYONE), memory_supply()
    assert bought.end_year.tolist() == supply.end_year.tolist()
    assert np.all(bought.middle() < supply.middle())


def test_which_parts_count_for_what():
    own, packaged, whole = (CostOfBandwidthSettings(cost=word) for word in ("own", "packaged", "whole"))
    assert parts_of(own, "bandwidth") == parts_of(own, "memory") == {"memory"}
    assert parts_of(packaged, "bandwidth") == {"memory", "packaging"}
    assert parts_of(own, "compute") == parts_of(packaged, "compute") == {"logic"}
    assert parts_of(whole, "compute") == parts_of(whole, "bandwidth") == set(PARTS)


def test_a_maker_with_a_chip_that_is_not_known_is_left_out_on_both_sides():
    fewer = RELEASE.accelerators.loc[RELEASE.accelerators["name"] != "NVIDIA B300 (Blackwell Ultra)"]
    without = replace(RELEASE, accelerators=fewer)
    assert makers_known(without, "bandwidth") == EVERYONE - {"NVIDIA"}
    every = unit_cost(without, CostOfBandwidthSettings(maker="all"), per="bandwidth").middle()
    assert np.all(every < 1000e-12)
    assert not len(unit_cost(without, CostOfBandwidthSettings(), per="bandwidth").end_year)


def test_chips_from_before_the_first_costs_need_not_be_known():
    fewer = RELEASE.accelerators.loc[RELEASE.accelerators["name"] != "NVIDIA A800 SXM"]
    assert "NVIDIA" in makers_known(replace(RELEASE, accelerators=fewer), "bandwidth")


def test_fp8_makes_compute_cheaper_and_leaves_bandwidth_alone():
    half, eight = CostOfBandwidthSettings(), CostOfBandwidthSettings(precision="fp8")
    assert np.all(
        unit_cost(RELEASE, eight, per="compute").middle() < unit_cost(RELEASE, half, per="compute").middle()
    )
    assert unit_cost(RELEASE, eight, per="bandwidth").middle() == pytest.approx(
        unit_cost(RELEASE, half, per="bandwidth").middle()
    )
