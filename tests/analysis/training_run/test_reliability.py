"""Failures and checkpoints: published figures, laws, and what bad input gets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.training_run.reliability import (
    checkpoint_s,
    goodput,
    time_between_failures_s,
    young_interval_s,
)
from analysis.training_run.run import Circumstances
from tests.analysis.refusals import refusals


def test_llama_3_reliability():
    """Llama Team, arXiv:2407.21783, section 3.3.4 and table 5: one interruption in 3.1 h on 16,384."""
    per_failure = 16384 * 54 * 24 / 419
    assert per_failure == pytest.approx(Circumstances(tokens=1.0).hours_per_failure, rel=1e-4)
    hours = time_between_failures_s([8192, 16384, 100000], hours_per_failure=per_failure) / 3600
    np.testing.assert_allclose(hours, [6.19, 3.093, 0.507], rtol=2e-3)
    m = float(hours[1]) * 3600
    assert float(young_interval_s(checkpoint_s=60, between_failures_s=m)) == pytest.approx(1156, abs=1)
    assert float(young_interval_s(checkpoint_s=40, between_failures_s=m)) == pytest.approx(944, abs=1)


def test_checkpoint_sizes():
    """Megatron-LM 1T 13.8 TB (arXiv:2104.04473, section 5.10), BLOOM 2.3 TB, within 8 %."""
    assert checkpoint_s(1.008e12, storage_byte_per_s=1e12) == pytest.approx(13.8, rel=0.03)
    assert checkpoint_s(176.247e9, storage_byte_per_s=1e12) == pytest.approx(2.3, rel=0.08)


@given(st.floats(1, 600), st.floats(3e3, 1e7))
def test_youngs_interval_wastes_least_among_its_neighbours(saving, between):
    best = float(young_interval_s(checkpoint_s=saving, between_failures_s=between))
    waste = {k: saving / (k * best) + k * best / (2 * between) for k in (0.8, 1.0, 1.25)}
    assert waste[1.0] == min(waste.values())


@given(number=st.integers(8, 100_000), saving=st.floats(1, 300), restart=st.floats(0, 1800))
def test_goodput_falls_with_more_accelerators_and_shares_add_up(*, number, saving, restart):
    both = goodput([number, number * 2], hours_per_failure=50677, checkpoint_s=saving, restart_s=restart)
    assert both.work[0] >= both.work[1] - 1e-12
    np.testing.assert_allclose(both.work + both.checkpoint + both.failure, 1.0, atol=1e-9)
    behind = goodput(
        number,
        hours_per_failure=50677,
        checkpoint_s=saving,
        restart_s=restart,
        asynchronous=True,
        spare_share=0.02,
    )
    assert 0 <= float(behind.work) <= 1


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "accelerators is a positive number; got 0.": lambda: time_between_failures_s(0, hours_per_failure=5e4),
        "restart_s is zero or more, in seconds; got -1.":
            lambda: goodput(8, hours_per_failure=5e4, checkpoint_s=10, restart_s=-1),
        "storage_byte_per_s is the write bandwidth of all storage, positive; got 0.":
            lambda: checkpoint_s(1e9, storage_byte_per_s=0),
    }
)  # fmt: skip
