import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.measured.fitted_times import Columns, Part, fit


def made(overhead_s, efficiency, *, wild=0):
    """Return measured times of a device with a known overhead and efficiency, some of them wild."""
    size = np.geomspace(0.5e9, 50e9, 40)
    time = overhead_s + size / (efficiency * 400e9)
    time[:wild] *= 4.0
    columns = Columns()
    columns.add("overhead", mean=np.log(2e-3), spread=3.0)
    columns.add("loss", mean=0.25, spread=3.0)
    parts = (
        Part(size=np.ones(40), design=columns.design(40, overhead=1.0)),
        Part(size=size / 400e9, design=columns.design(40, loss=1.0)),
    )
    return parts, time, columns.prior()


@settings(max_examples=25, deadline=None)
@given(overhead=st.floats(5e-4, 2e-2), efficiency=st.floats(0.3, 0.95))
def test_a_known_overhead_and_efficiency_are_recovered(overhead, efficiency):
    parts, time, prior = made(overhead, efficiency)
    result = fit(parts, time, prior=prior, noise=0.02, degrees=4.0)
    assert np.exp(result[0]) == pytest.approx(overhead, rel=0.01)
    assert np.exp(-result[1]) == pytest.approx(efficiency, rel=0.01)


def test_a_few_wild_rows_move_the_fit_little():
    parts, time, prior = made(3e-3, 0.8, wild=4)
    result = fit(parts, time, prior=prior, noise=0.05, degrees=2.0)
    assert np.exp(-result[1]) == pytest.approx(0.8, rel=0.05)


def test_a_level_without_rows_stays_at_its_prior():
    columns = Columns()
    columns.add("level", ("seen", "unseen"), mean=0.5, spread=0.3)
    part = Part(size=np.ones(10), design=columns.design(10, level=["seen"] * 10))
    result = fit([part], np.full(10, np.exp(1.0)), prior=columns.prior(), noise=0.05, degrees=4.0)
    effect = columns.factors("level", result)
    assert effect["unseen"] == pytest.approx(0.5)
    assert effect["seen"] == pytest.approx(1.0, abs=0.02)
