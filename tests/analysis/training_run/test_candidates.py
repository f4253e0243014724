from dataclasses import fields, replace

import numpy as np
import pytest

from analysis.training_run.candidates import NoPlanFits, candidates, zero_stages
from analysis.training_run.device_memory import device_memory, fits
from analysis.training_run.plan_search import fastest_of_at_most
from analysis.training_run.plans import Plans
from analysis.training_run.step_time import step_time
from tests.analysis.training_run.runs import GPT_3, H100, MIXTURE, MODEL, SMALL, one_by_one, run_of

NAMES = [item.name for item in fields(Plans) if item.init]


def test_every_candidate_uses_all_accelerators_and_splits_the_batch():
    many = one_by_one(candidates(run_of(accelerators=96, global_batch=384)))
    np.testing.assert_array_equal(many.accelerators, 96)
    per_rank = 384 / (np.asarray(many.data_parallel) * np.asarray(many.micro_batch))
    np.testing.assert_array_equal(per_rank, np.round(per_rank))
    rows = {tuple(np.ravel(getattr(many, name))[i] for name in NAMES) for i in range(many.shape[0])}
    assert len(rows) == many.shape[0]


def test_experts_are_spread_over_ranks_they_divide_and_plans_are_counted_so():
    grid = candidates(run_of(MIXTURE, accelerators=96, global_batch=384))
    many = one_by_one(grid)
    assert many.shape == (grid.number,)
    assert grid.number < np.prod(grid.plans().shape)
    np.testing.assert_array_equal(np.asarray(many.data_parallel) % np.asarray(many.expert_parallel), 0)


def with_all_stages_and_recomputation(plans):
    """Return each split of the plans at every ZeRO stage that its pipeline allows and every kind of recomputation."""
    split = [name for name in NAMES if name not in ("zero_stage", "recompute")]
    columns = [np.ravel(getattr(plans, name)).tolist() for name in split]
    every = [
        {**dict(zip(split, row, strict=True)), "zero_stage": zero, "recompute": recompute}
        for row in sorted(set(zip(*columns, strict=True)))
        for zero in zero_stages(int(row[split.index("pipeline_parallel")]))
        for recompute in (0, 1, 2)
    ]
    return Plans(**{name: [each[name] for each in every] for name in NAMES})


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("capacity_byte", [8e9, 20e9, 80e9, 400e9])
@pytest.mark.parametrize(
    ("model", "accelerators", "global_batch"),
    [(SMALL, 8, 64), (SMALL, 1, 16), (MODEL, 64, 256), (MIXTURE, 96, 768), (GPT_3, 256, 512)],
)
def test_no_plan_left_out_is_faster_or_leaner(*, model, accelerators, global_batch, fused, capacity_byte):
    """A search finds what trying every plan one by one does, those it never computes among them."""
    machine = replace(H100.with_chip(memory_capacity_byte=capacity_byte), fused_attention=fused)
    run = run_of(model, machine, accelerators=accelerators, global_batch=global_batch)
    few = one_by_one(candidates(run))
    every = with_all_stages_and_recomputation(few)
    assert every.shape[0] > few.shape[0]
    memory = device_memory(model, machine, plans=every, global_batch=global_batch)
    step_s = np.asarray(step_time(model, machine, plans=every, global_batch=global_batch).total_s)
    fitting = fits(memory, machine)
    try:
        best = fastest_of_at_most(run)
    except NoPlanFits as problem:
        assert problem.leanest is not None and not fitting.any()
        assert float(problem.leanest.total_byte) == pytest.approx(float(memory.total_byte.min()), rel=1e-12)
    else:
        assert best.step_s == pytest.approx(float(step_s[fitting].min()), rel=1e-12)
        assert best.tried == few.shape[0]
