import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.serving.tables import measured_points
from analysis.serving.workers import (
    DECODE_WORKERS,
    FEWEST_DECODE,
    FEWEST_PREFILL,
    MOST_DECODE,
    MOST_PREFILL,
    PREFILL_WORKERS,
    disaggregated_workers,
)

COUNT = st.one_of(st.just(math.nan), st.integers(1, 20).map(float))


def test_what_stands_for_none_is_the_middle_of_the_measured_deployments_and_their_range():
    rows: Any = measured_points().rows
    apart = rows[rows["mode"] == "disaggregated"]
    decode, prefill = (np.array(apart[f"{work}_workers"], dtype=float) for work in ("decode", "prefill"))
    assert np.median(decode) == DECODE_WORKERS
    assert np.mean(prefill) == pytest.approx(PREFILL_WORKERS, abs=0.25)
    for values, low, high in ((decode, FEWEST_DECODE, MOST_DECODE), (prefill, FEWEST_PREFILL, MOST_PREFILL)):
        assert np.quantile(values, (0.05, 0.95)) == pytest.approx([low, high], abs=0.2)


@given(
    decode_workers=COUNT,
    prefill_workers=COUNT,
    accelerators=COUNT,
    decode_chips=st.integers(1, 8),
    prefill_chips=st.integers(1, 8),
)
def test_what_is_stated_is_kept_and_the_rest_told(*, decode_workers, prefill_workers, **chips):
    stated = {"decode_workers": decode_workers, "prefill_workers": prefill_workers}
    workers = disaggregated_workers(**stated, **chips)
    pairs = [(workers.decode_workers, workers.prefill_workers), *workers.others]
    assert math.isnan(decode_workers) or all(pair[0] == decode_workers for pair in pairs)
    assert math.isnan(prefill_workers) or all(pair[1] == prefill_workers for pair in pairs)
    assert all(min(pair) >= 1 for pair in pairs) and len(set(pairs)) == len(pairs)
    assert bool(workers.note) == (math.isnan(decode_workers) or math.isnan(prefill_workers))


def test_a_number_of_accelerators_is_shared_among_those_that_read_and_those_that_write():
    chips: Any = {"accelerators": 36, "decode_chips": 8, "prefill_chips": 4}
    workers = disaggregated_workers(decode_workers=math.nan, prefill_workers=math.nan, **chips)
    assert (workers.decode_workers, workers.prefill_workers) == (3.5, 2)
    assert all(8 * decode + 4 * prefill == 36 for decode, prefill in workers.others)
    one = disaggregated_workers(decode_workers=math.nan, prefill_workers=1.0, **chips)
    assert (one.decode_workers, one.others) == (4, ())
    assert one.note == "prompts read apart: 1 workers for them and 4 for answers"
