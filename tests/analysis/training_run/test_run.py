"""What surrounds the steps of a run."""

import math

import numpy as np
import pytest

from analysis.training_run.run import Circumstances, Ramp, critical_batch_token, loss_estimate, token_overhead
from tests.analysis.refusals import refusals
from tests.analysis.training_run.runs import MODEL, run_of


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


def test_at_the_critical_batch_a_run_takes_twice_the_fewest_tokens():
    np.testing.assert_array_equal(token_overhead([0, 1e6, 3e6], critical_token=1e6), [1, 2, 4])


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "loss is positive, in nats per token; got 0.": lambda: critical_batch_token(0),
        "parameters and tokens are positive; got 0 and 1.": lambda: loss_estimate(n_parameters=0, tokens=1),
        "a ramp grows from a positive batch over a positive span; got 4 to 2": lambda: Ramp(first=4, full=2, tokens=1),
    }
)  # fmt: skip


def test_the_critical_batch_is_that_of_the_loss_at_the_end():
    loss = loss_estimate(n_parameters=MODEL.counted.active, tokens=1e12)
    assert run_of().critical_token == pytest.approx(float(critical_batch_token(loss)))
    assert run_of(tokens=2e12).critical_token > run_of().critical_token


def test_sites_average_16_bit_weights_over_a_ring():
    four = Circumstances(tokens=1.0, sites=4, wide_area_byte_per_s=12.5e9)
    assert four.averaging_s(MODEL) == pytest.approx(2 * 3 / 4 * 2 * MODEL.counted.total / 12.5e9)


test_a_refusal_says_what_it_is_what_came_and_what_to_do = refusals(
    {
        "wide_area_byte_per_s is positive, per direction and site; got 0.":
            lambda: Circumstances(tokens=1.0, wide_area_byte_per_s=0),
    }
)  # fmt: skip
