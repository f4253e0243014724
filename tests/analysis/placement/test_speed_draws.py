import numpy as np
import pandas as pd
import pytest

from analysis.placement.speed_draws import draw_speeds, sustained_ratios
from tests.analysis.placement.questions import (
    CLOUD,
    DESKTOP,
    FIXED,
    LAPTOP,
    MEASURED,
    PHONE,
    PLACES,
    SERVER,
    SUSTAINED,
    a_question,
    draws,
    fits,
    residuals,
)


@pytest.mark.parametrize("keep", [[PHONE], [CLOUD], [LAPTOP, SERVER], [FIXED, DESKTOP]])
def test_draws_of_a_place_do_not_depend_on_its_neighbours(keep):
    marked = np.isin(np.arange(len(PLACES)), keep)
    off = residuals().at(marked)
    alone = draw_speeds(PLACES.at(marked), fits=fits(), residuals=off, sustained=SUSTAINED, draws=200)
    together = draws().of(np.flatnonzero(marked))
    for name in ("step", "prompt", "sustained"):
        assert np.array_equal(getattr(alone, name), getattr(together, name))


def test_draws_are_factors_about_one_with_steps_and_prompts_apart():
    drawn = draws()
    assert np.all(drawn.step > 0)
    assert np.allclose(np.median(drawn.step, axis=1), 1.0, atol=0.1)
    logs = np.log(drawn.step), np.log(drawn.prompt)
    together = [abs(np.corrcoef(step, prompt)[0, 1]) for step, prompt in zip(*logs, strict=True)]
    assert max(together) < 0.3
    for sure, slower in ((0.8, 0.1), (0.5, 0.25), (0.98, 0.01)):
        promised = a_question(speed_draws=drawn, required_probability=sure).promised
        assert np.all((drawn.step < promised.step[:, None]).mean(axis=1) <= slower + 1e-9)
        assert np.all((drawn.prompt < promised.prompt[:, None]).mean(axis=1) <= slower + 1e-9)


def test_a_table_without_sustained_speeds_is_refused():
    words = r"^no phone's row states a sustained speed and its first; got none in the table\."
    with pytest.raises(ValueError, match=words) as refused:
        sustained_ratios(MEASURED.loc[MEASURED["device_class"] != "phone"])
    assert "'burst was ... tok/s'" in str(refused.value)


def test_a_sustained_ratio_is_the_row_over_the_first_speed_of_its_note():
    rows = pd.DataFrame(
        {
            "software": ["engine, sustained", "engine", "engine, sustained"],
            "device_class": ["phone", "phone", "laptop"],
            "decode_tokens_per_s": [8.0, 9.0, 10.0],
            "note": ["burst was 20 tok/s"] * 3,
        }
    )
    assert sustained_ratios(rows) == pytest.approx([0.4])
    assert np.all((SUSTAINED > 0) & (SUSTAINED <= 1))
