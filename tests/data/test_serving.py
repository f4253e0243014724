"""Speeds under load have the prompt of their source, and that of their task only where there is none."""

import numpy as np

from data import standing
from data.serving import serving_speeds


def test_a_prompt_that_a_source_states_stays_and_one_it_does_not_is_that_of_the_task():
    measured, filled = standing.table("measured_serving"), serving_speeds()
    stated = measured["prompt_tokens"].notna()
    assert np.array_equal(filled.loc[stated, "prompt_tokens"], measured.loc[stated, "prompt_tokens"])
    tasks = standing.rows("serving_tasks", "architecture")
    for row in filled.loc[~stated].to_dict("records"):
        task = tasks.get(row["architecture"])
        assert (
            np.isnan(row["prompt_tokens"]) if task is None else row["prompt_tokens"] == task["prompt_tokens"]
        )


def test_nothing_else_is_touched():
    assert (
        serving_speeds()
        .drop(columns="prompt_tokens")
        .equals(standing.table("measured_serving").drop(columns="prompt_tokens"))
    )
    assert serving_speeds() is serving_speeds()
