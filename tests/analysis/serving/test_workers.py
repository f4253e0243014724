"""How many workers read and write where a case does not say."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.serving.tables import measured_points
from analysis.serving.workers import (
    FEWEST_READERS,
    FEWEST_WRITERS,
    MOST_READERS,
    MOST_WRITERS,
    READERS,
    WRITERS,
    disaggregated_workers,
)

COUNT = st.one_of(st.just(math.nan), st.integers(1, 20).map(float))


def test_what_stands_for_none_is_the_middle_of_the_measured_deployments_and_their_range():
    rows: Any = measured_points().rows
    apart = rows[rows["mode"] == "disaggregated"]
    writers, readers = (np.array(apart[name], dtype=float) for name in ("decode_workers", "prefill_workers"))
    assert np.median(writers) == WRITERS
    assert np.mean(readers) == pytest.approx(READERS, abs=0.25)
    for values, low, high in (
        (writers, FEWEST_WRITERS, MOST_WRITERS),
        (readers, FEWEST_READERS, MOST_READERS),
    ):
        assert np.quantile(values, (0.05, 0.95)) == pytest.approx([low, high], abs=0.2)


@given(
    writers=COUNT,
    readers=COUNT,
    accelerators=COUNT,
    writer_chips=st.integers(1, 8),
    reader_chips=st.integers(1, 8),
)
def test_what_is_stated_is_kept_and_the_rest_is_told(
    *, writers, readers, accelerators, writer_chips, reader_chips
):
    found = disaggregated_workers(
        writers=writers,
        readers=readers,
        accelerators=accelerators,
        writer_chips=writer_chips,
        reader_chips=reader_chips,
    )
    pairs = [(found.writers, found.readers), *found.others]
    assert math.isnan(writers) or all(pair[0] == writers for pair in pairs)
    assert math.isnan(readers) or all(pair[1] == readers for pair in pairs)
    assert all(min(pair) >= 1 for pair in pairs) and len(set(pairs)) == len(pairs)
    assert bool(found.note) == (math.isnan(writers) or math.isnan(readers))


def test_a_number_of_accelerators_is_shared_among_those_that_read_and_those_that_write():
    found = disaggregated_workers(
        writers=math.nan, readers=math.nan, accelerators=36, writer_chips=8, reader_chips=4
    )
    assert (found.writers, found.readers) == (3.5, 2)
    assert all(8 * writers + 4 * readers == 36 for writers, readers in found.others)
    one = disaggregated_workers(
        writers=math.nan, readers=1.0, accelerators=36, writer_chips=8, reader_chips=4
    )
    assert (one.writers, one.others, one.note) == (
        4,
        (),
        "prompts read apart: 1 workers for them and 4 for answers",
    )
