"""What the throughput model promises on models it has not seen, on the rows of data/standing/measured_serving.csv."""

import numpy as np
import pytest

from analysis.placement.fits import fit_full_load
from analysis.placement.tables import tables
from analysis.serving import cases as serving_rows
from analysis.serving.model import (
    bandwidth_only_tokens_per_s,
    concurrent_requests,
    fit_serving,
    link_byte_per_token,
)
from data.serving import full_load_points, serving_speeds

TABLES = tables()
FULL_LOAD = fit_full_load(
    serving_speeds(),
    checked=full_load_points(),
    architectures=TABLES.architectures,
    accelerators=TABLES.accelerators,
)
MODEL, ROWS = FULL_LOAD.model, FULL_LOAD.rows
CASES = serving_rows.serving_cases(ROWS, architectures=TABLES.architectures, accelerators=TABLES.accelerators)
MEASURED = ROWS["output_tokens_per_s_per_accelerator"].to_numpy(dtype=float)


def test_full_load_is_within_a_factor_of_one_and_a_half_for_most_rows_of_models_left_out():
    assert len(ROWS) >= 250
    assert np.mean(np.abs(MODEL.residual) < np.log(1.5)) > 0.75


def test_full_load_is_within_a_factor_of_one_and_a_half_for_most_rows_of_accelerators_left_out():
    left_out = fit_serving(CASES, MEASURED, held_out=CASES.accelerator)
    assert np.mean(np.abs(left_out.residual) < np.log(1.5)) > 0.8


def test_it_beats_bandwidth_alone_even_though_that_rule_saw_every_row():
    rule = np.abs(np.log(bandwidth_only_tokens_per_s(CASES, MEASURED) / MEASURED))
    assert np.median(np.abs(MODEL.residual)) < 0.6 * np.median(rule)
    assert np.mean(np.abs(MODEL.residual) < np.log(1.5)) > np.mean(rule < np.log(1.5)) + 0.2


def test_at_full_load_compute_binds_long_prompts_with_short_answers():
    binding = np.array(MODEL.binding(CASES))
    rows = (ROWS["prompt_tokens"] >= 2048).to_numpy() & (ROWS["output_tokens"] <= 128).to_numpy()
    assert rows.sum() >= 10
    assert np.mean(binding[rows] == "compute") > 0.9


def test_requests_are_limited_by_memory_and_one_chip_sends_nothing():
    assert np.all(concurrent_requests(CASES) >= 1)
    alone = CASES.tensor_parallel == 1
    assert np.all(link_byte_per_token(CASES)[alone] == 0)
    assert np.all(link_byte_per_token(CASES)[~alone] > 0)


def test_a_fit_without_enough_rows_says_how_many_came():
    none = np.array([])
    numbers = {name: none for name in serving_rows.ServingCases.__dataclass_fields__}
    serving = serving_rows.ServingCases(**{**numbers, "accelerator": (), "model": (), "precision": ()})
    with pytest.raises(ValueError, match="serving fit needs ten rows or more; got 0"):
        fit_serving(serving, none)
