"""What surrounds the steps of a run."""

import pytest

from analysis.training_run.critical_batch import critical_batch_token, loss_estimate
from analysis.training_run.run import Circumstances
from tests.analysis.refusals import refusals
from tests.analysis.training_run.runs import MODEL, run_of


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
