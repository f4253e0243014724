"""Times of a step on devices and on accelerators."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.placement.places import Conditions
from analysis.placement.served import deployments_of
from analysis.placement.speeds import accelerator_speeds, device_speeds
from analysis.serving.times import by_name, serving_times
from tests.analysis.placement.questions import ONE_CHIP, SOME, a_question, a_work, never_less


@SOME
@given(parameters=st.floats(5e8, 7e10), batch=st.floats(1.0, 100.0), more=st.floats(1.0, 10.0))
def test_a_step_that_more_requests_share_is_never_shorter_and_serves_no_fewer(*, parameters, batch, more):
    work = a_work(n_parameters=parameters)
    speeds = (
        device_speeds(a_question(work, ONE_CHIP)),
        accelerator_speeds(a_question(work, ~ONE_CHIP), chips=np.full(3, 8.0)),
    )
    for of_side, overlap in zip(speeds, (True, False), strict=True):
        few, many = (of_side(np.full((1, 3), size)) for size in (batch, batch * more))
        for name in ("step", "prompt"):
            now, then = (getattr(timed, name).total_s(overlap=np.full(3, overlap)) for timed in (few, many))
            # An answer that more share is a little less of what the first token waits for.
            assert never_less(then, now * (1.0 if name == "step" else 0.9))


@pytest.mark.parametrize("requests", [1.0, 16.0, 256.0])
def test_accelerators_are_as_fast_as_the_model_of_serving_says(requests):
    """The times of the command ``analysis.serving predict`` and of /placement are the same, corrections too."""
    question, chips = a_question(keep=~ONE_CHIP), np.array([2.0, 8.0, 16.0])
    fit = question.fits.serving
    timed = accelerator_speeds(question, chips=chips)(np.full((1, 3), requests))
    d = replace(deployments_of(question, chips=chips), concurrency=np.full(3, requests))
    times = serving_times(d, by_name(fit.factors))
    off, overlap = question.unexplained, np.zeros(3, dtype=bool)
    held = times.decoding_requests > 0.9999 * requests  # beyond that, what memory does not hold waits
    assert held.any()
    token = times.time_per_output_token_s * np.exp(off.step)
    first = times.time_to_first_token_s * np.exp(off.first)
    assert timed.step.total_s(overlap=overlap)[0, held] == pytest.approx(token[held], rel=0.01)
    assert timed.prompt.total_s(overlap=overlap)[0, held] == pytest.approx(first[held], rel=0.01)


def test_an_engine_makes_devices_faster_or_slower_by_its_factor():
    question = a_question(keep=ONE_CHIP)
    usual = device_speeds(question)(np.ones((1, 3)))
    other = device_speeds(replace(question, conditions=Conditions(engine="ExecuTorch")))(np.ones((1, 3)))
    slower = other.step.memory_s / usual.step.memory_s
    assert slower == pytest.approx(slower.flat[0]) and slower.flat[0] > 1.5
