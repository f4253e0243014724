import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.training_run.run import (
    Circumstances,
    Ramp,
    checkpoint_s,
    critical_batch_token,
    goodput,
    loss_estimate,
    time_between_failures_s,
    young_interval_s,
)
from tests.analysis.refusals import refusals
from tests.analysis.training_run.runs import MODEL, run_of


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
    times = {"checkpoint_s": saving, "restart_s": restart, "hours_per_failure": 50677}
    behind = goodput(number, **times, asynchronous=True, spare_share=0.02)
    assert 0 <= float(behind.work) <= 1


@pytest.mark.parametrize(
    ("loss", "million"),
    [(3.5, 0.513), (3.0, 1.069), (2.5, 2.547), (2.2, 4.682), (2.0, 7.371), (1.9, 9.411), (1.7, 15.983)],
)
def test_critical_batch(loss, million):
    """Kaplan et al., arXiv:2001.08361, equation 1.4."""
    assert float(critical_batch_token(loss)) / 1e6 == pytest.approx(million, abs=6e-4)


def test_gpt_3_ramps_its_batch_in_few_steps():
    """Brown et al., arXiv:2005.14165, appendix B: 32 k to 3.2 M tokens over 4 to 12 billion tokens."""
    ramp = Ramp(first=32e3, full=3.2e6, tokens=12e9)
    assert ramp.steps(300e9) == pytest.approx(12e9 / 3.168e6 * math.log(100) + 288e9 / 3.2e6, rel=1e-9)
    assert Ramp(first=4e6, full=4e6, tokens=0).steps(2e12) == 5e5


def test_chinchilla_reaches_the_loss_of_its_papers_fit():
    """Hoffmann et al., arXiv:2203.15556, appendix D.3: 70 billion parameters on 1.4 trillion tokens: 1.937."""
    assert loss_estimate(n_parameters=70e9, tokens=1.4e12) == pytest.approx(1.937, abs=5e-4)
    assert loss_estimate(n_parameters=1e30, tokens=1e30) == pytest.approx(1.69, abs=1e-3)


def test_the_critical_batch_is_that_of_the_loss_at_the_end():
    loss = loss_estimate(n_parameters=MODEL.counted.active, tokens=1e12)
    assert run_of().critical_token == pytest.approx(float(critical_batch_token(loss)))
    assert run_of(tokens=2e12).critical_token > run_of().critical_token


def test_sites_average_16_bit_weights_over_a_ring():
    four = Circumstances(tokens=1.0, sites=4, wide_area_byte_per_s=12.5e9)
    assert four.averaging_s(MODEL) == pytest.approx(2 * 3 / 4 * 2 * MODEL.counted.total / 12.5e9)


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "accelerators is a positive number; got 0.": lambda: time_between_failures_s(0, hours_per_failure=5e4),
        "restart_s is zero or more, in seconds; got -1.":
            lambda: goodput(8, hours_per_failure=5e4, checkpoint_s=10, restart_s=-1),
        "storage_byte_per_s is the write bandwidth of all storage, positive; got 0.":
            lambda: checkpoint_s(1e9, storage_byte_per_s=0),
        "loss is positive, in nats per token; got 0.": lambda: critical_batch_token(0),
        "parameters and tokens are positive; got 0 and 1.": lambda: loss_estimate(n_parameters=0, tokens=1),
        "a ramp grows from a positive batch over a positive span; got 4 to 2": lambda: Ramp(first=4, full=2, tokens=1),
        "wide_area_byte_per_s is positive, per direction and site; got 0.":
            lambda: Circumstances(tokens=1.0, wide_area_byte_per_s=0),
    }
)  # fmt: skip
