from dataclasses import replace

import numpy as np
import pytest

from analysis.placement.places import Conditions
from analysis.placement.served import deployments_of
from analysis.placement.speeds import accelerator_speeds, device_speeds
from analysis.serving.times import by_name, serving_times
from tests.analysis.placement.questions import ONE_CHIP, a_question


@pytest.mark.parametrize("requests", [1.0, 16.0, 256.0])
def test_accelerators_are_as_fast_as_the_model_of_serving_says(requests):
    """The times of the command ``analysis.serving predict`` and of /placement are the same, corrections too."""
    question, chips = a_question(keep=~ONE_CHIP), np.array([2.0, 8.0, 16.0])
    fit = question.fits.serving
    timed = accelerator_speeds(question, chips=chips)(np.full((1, 3), requests))
    d = replace(deployments_of(question, chips=chips), concurrency=np.full(3, requests))
    times = serving_times(d, by_name(fit.factors))
    off, overlap = question.residuals, np.zeros(3, dtype=bool)
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
