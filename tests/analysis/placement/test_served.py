from dataclasses import replace

import numpy as np
import pytest

from analysis.placement.places import HardwareGrowth
from analysis.placement.served import deployments_of
from tests.analysis.placement.questions import PLACES, a_question, a_work

SERVED = PLACES.accelerator


def test_a_copy_shares_layers_on_eight_chips_or_spreads_experts_and_further_ones_hold_further_layers():
    chips, eight, one = np.array([1.0, 8.0, 32.0]), [1.0, 8.0, 8.0], np.ones(3)
    shared, spread = (deployments_of(a_question(keep=SERVED), chips=chips, spread=of) for of in (False, True))
    for d, tensor, data in ((shared, eight, one), (spread, one, eight)):
        assert np.array_equal(d.tensor, tensor) and np.array_equal(d.data, data)
        assert np.array_equal(d.expert, d.data)
        assert np.array_equal(d.pipeline, [1.0, 1.0, 4.0]) and np.array_equal(d.all_chips, chips)
    assert np.array_equal(shared.cache_shards, eight)


GROWING = {"bandwidth": "memory_bandwidth_byte_per_s", "flop": "common_peak_flop_per_s"}
GROWING |= {"capacity": "memory_capacity_byte", "link": "link_bandwidth_byte_per_s"}


@pytest.mark.parametrize(("name", "of"), GROWING.items())
def test_growth_reaches_the_part_it_is_of_and_no_other(name, of):
    chips = np.full(3, 8.0)
    today = deployments_of(a_question(keep=SERVED), chips=chips)
    grown = deployments_of(a_question(keep=SERVED, growth=HardwareGrowth(**{name: 3.0})), chips=chips)
    assert getattr(grown, of) == pytest.approx(3.0 * getattr(today, of))
    for other in set(GROWING.values()) - {of}:
        assert np.array_equal(getattr(grown, other), getattr(today, other)), other


def test_the_cache_is_narrow_where_the_engines_recipe_keeps_it_so():
    work = a_work()
    wide = deployments_of(a_question(work, SERVED), chips=np.ones(3))
    trtllm = replace(a_question().conditions, serving_engine="trtllm")
    narrow = deployments_of(a_question(work, SERVED, conditions=trtllm), chips=np.ones(3))
    assert wide.cache_read_byte == pytest.approx(2 * narrow.cache_read_byte)
    fp4 = replace(PLACES, peak_fp4_flop_per_s=2 * PLACES.peak_fp8_flop_per_s)
    newer = deployments_of(replace(a_question(work), places=fp4).at(SERVED), chips=np.ones(3))
    assert newer.cache_read_byte == pytest.approx(narrow.cache_read_byte)
