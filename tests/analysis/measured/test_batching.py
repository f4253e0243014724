import numpy as np
import pandas as pd
import pytest

from analysis.measured.batching import SHARING_POWER, batched_tokens_per_s, shared_step_s, sharing_loss
from analysis.measured.decode import TokenTime
from data import standing

ROW = {"device": "a", "model": "m", "format": "Q4_0", "software": "s", "backend": "GPU", "n_devices": 1}
ROW |= {"n_parameters": 8e9, "n_active_parameters": 8e9, "batch": 1, "decode_tokens_per_s": 100.0}
ONE = TokenTime(overhead_s=np.array([0.001]), weights_s=np.array([0.008]), cache_s=np.array([0.001]))
DENSE = {"touched_over_active": np.ones(1), "prefill_tokens_per_s": np.array([5000.0])}


def measured(*changes):
    """Return rows of measured speeds, each with some columns changed."""
    return pd.DataFrame([{**ROW, **change} for change in changes])


def test_the_loss_is_what_each_further_request_adds_to_one_users_step():
    # Eight at once write 400 tokens a second: a step of 20 ms instead of 10, so seven further ones add one.
    pairs = measured({}, {"batch": 8, "decode_tokens_per_s": 400.0})
    assert sharing_loss(pairs) == pytest.approx(7**-SHARING_POWER)


@pytest.mark.parametrize("model", ["Qwen2.5-Coder-7B", "gemma-3-4b-it"])
def test_the_power_is_how_measured_steps_grow_from_two_to_thirty_two(model):
    rows = standing.table("measured_decode")
    rows = rows.loc[rows["software"].str.contains("b6918") & (rows["model"] == model)]
    rows = rows.dropna(subset=["decode_tokens_per_s"]).drop_duplicates("batch")
    speed = rows.set_index("batch")["decode_tokens_per_s"]
    longer = speed.index * speed[1.0] / speed - 1
    power = np.log(longer[32.0] / longer[2.0]) / np.log(31)
    assert power == pytest.approx(SHARING_POWER, abs=0.05)


@pytest.mark.parametrize(
    "other",
    [
        {"device": "b"},
        {"n_active_parameters": 1e9},
        {"n_devices": 2},
        {"decode_tokens_per_s": np.nan},
        {"batch": 1},
    ],
    ids=str,
)
def test_rows_that_differ_in_more_than_their_batch_tell_nothing_of_sharing(other):
    assert sharing_loss(measured({}, {"batch": 8, "decode_tokens_per_s": 400.0, **other})) == 0.0


def test_alone_a_step_is_that_of_one_user():
    memory, compute = shared_step_s(ONE, batch=np.ones(1), **DENSE)
    assert memory == pytest.approx(ONE.weights_s + ONE.cache_s)
    assert compute == pytest.approx(1 / 5000)
    assert batched_tokens_per_s(ONE, batch=np.ones(1), **DENSE) == pytest.approx(1 / 0.010)


def test_weights_are_read_once_and_caches_of_every_request():
    memory, compute = shared_step_s(ONE, batch=np.full(1, 32.0), **DENSE)
    assert memory == pytest.approx(0.008 + 32 * 0.001)
    assert compute == pytest.approx(32 / 5000)
