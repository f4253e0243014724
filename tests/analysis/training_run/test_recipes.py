from dataclasses import replace

import pytest

from analysis.training_run.recipes import degrees_of, published_plan, published_s
from analysis.training_run.tables import known
from data import standing
from data.releases import latest
from tests.analysis.training_run.runs import H100, run_of
from tests.cases import cases

ROWS = standing.rows("training_recipes", "run")
WITHIN_A_FIFTH = cases(__file__)["within_a_fifth"]
"""Known runs that come out within a fifth of what was published, each with the place of that number."""
FURTHER_OFF = set(cases(__file__)["further_off"])
"""Those that do not; the note of each row says what is known of why."""


def test_twenty_three_known_runs_come_out_within_a_fifth_and_the_others_are_named():
    runs = {run.run: run for run in known(latest())}
    near = {name for name, run in runs.items() if abs(run.predicted / run.measured - 1) <= 0.2}
    assert near == set(WITHIN_A_FIFTH) and runs.keys() - near == FURTHER_OFF
    assert all(ROWS[name]["note"] for name in FURTHER_OFF)
    assert {"Kimi K2", "GLM-4.5"} <= set(ROWS) - set(runs), "their papers give no speed"


def test_a_published_time_is_that_of_its_hours_or_of_its_speed():
    """Touvron et al.: 65B, 380 tokens a second on each of 2,048, 1.4T tokens in 21 days."""
    assert published_s(ROWS["LLaMA 65B"]) / 86400 == pytest.approx(20.8, abs=0.1)
    assert published_s(ROWS["DeepSeek-V3"]) / 86400 == pytest.approx(54.2, abs=0.1)
    assert published_s(ROWS["BLOOM 176B"]) != published_s(ROWS["BLOOM 176B"])


def test_a_published_plan_keeps_its_degrees_and_one_that_does_not_split_the_run_is_none():
    row = {**ROWS["Llama 3.1 405B"], "tensor_parallel": 4.0, "pipeline_parallel": 2.0}
    run = run_of(machine=H100.with_chip(memory_capacity_byte=1e12), accelerators=64, global_batch=64)
    plan = published_plan(row, run=run)
    assert plan is not None and (plan.one("tensor_parallel"), plan.one("pipeline_parallel")) == (4, 2)
    assert (plan.one("data_parallel"), plan.one("recompute"), plan.one("zero_stage")) == (8, 0, 1)
    assert published_plan(row, run=replace(run, accelerators=36)) is None
    assert published_plan({**row, "tensor_parallel": float("nan")}, run=run) is None
    tiny = run.machine.with_chip(memory_capacity_byte=1e9)
    assert published_plan(row, run=replace(run, machine=tiny)) is None
    assert degrees_of(ROWS["DeepSeek 67B"]) == {}
