"""Draws of speed for each place."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.placement.luck import luck
from tests.analysis.placement.questions import (
    CLOUD,
    DESKTOP,
    FIXED,
    LAPTOP,
    PHONE,
    PLACES,
    SERVER,
    SUSTAINED,
    draws,
    fits,
)


@pytest.mark.parametrize("keep", [[PHONE], [CLOUD], [LAPTOP, SERVER], [FIXED, DESKTOP]])
def test_draws_of_a_place_do_not_depend_on_its_neighbours(keep):
    marked = np.isin(np.arange(len(PLACES)), keep)
    alone = luck(PLACES.at(marked), fits=fits(), sustained=SUSTAINED, draws=200)
    together = draws().of(np.flatnonzero(marked))
    for name in ("step", "prompt", "sustained"):
        assert np.array_equal(getattr(alone, name), getattr(together, name))


def test_draws_are_factors_about_one_and_only_devices_part_steps_from_prompts():
    drawn = draws()
    assert np.all(drawn.step > 0)
    assert np.allclose(np.median(drawn.step, axis=1), 1.0, atol=0.1)
    assert np.array_equal(drawn.step[PLACES.accelerator], drawn.prompt[PLACES.accelerator])
    assert not np.array_equal(drawn.step[PHONE], drawn.prompt[PHONE])
    assert np.all((drawn.step < drawn.slowest[:, None]).mean(axis=1) <= 0.1)


def test_an_accelerator_that_nobody_measured_scatters_more():
    unknown = tuple(
        "AMD Instinct MI300X" if accelerator else device
        for device, accelerator in zip(PLACES.device, PLACES.accelerator, strict=True)
    )
    drawn = luck(replace(PLACES, device=unknown), fits=fits(), sustained=SUSTAINED, draws=200)
    at = PLACES.accelerator
    assert np.all(drawn.slowest[at] < draws().slowest[at])
    assert np.array_equal(drawn.step[~at], draws().step[~at])
