from dataclasses import replace
from statistics import median

import pytest

from analysis.hardware.names import find_accelerator
from analysis.training_run.pace import NINE_IN_TEN
from analysis.training_run.plans import Plans
from analysis.training_run.published import KINDS, error_sizes, left_out, model_on_chip
from analysis.training_run.step_time import step_time
from analysis.training_run.tables import machine_of_part, published_runs, tables, unpaced_runs
from data.releases import latest
from tests.cases import cases

# What held-out runs stay within, kind by kind, as measured when the table was made and a little room.
WITHIN = cases(__file__)["within"]


def test_held_out_runs_stay_within_what_the_page_says_of_their_kind():
    runs = published_runs(latest())
    assert {run.kind for run in runs if run.held_out} == set(KINDS)
    for kind in KINDS:
        assert median(error_sizes(runs, kind=kind)) < WITHIN[kind], kind
    assert median(error_sizes(runs)) < 0.07


def test_deepseek_v3_on_h800_is_as_fast_as_measured_once_its_exchange_is_overlapped():
    """Its report, section 3.2.1: computing and exchange take about as long, and DualPipe hides the exchange."""
    (run,) = [run for run in unpaced_runs(latest()) if run.run.startswith("DeepSeek-V3, H800")]
    assert not run.held_out and abs(run.error) < 0.05
    known = tables(latest())
    h800 = machine_of_part(find_accelerator("H800", rows=known.accelerators), precision="fp8")
    deepseek = replace(known.models["deepseekv3"], sequence_length=8192)
    plan = Plans(tensor_parallel=1, pipeline_parallel=16, data_parallel=128, expert_parallel=64, zero_stage=1)
    step = step_time(deepseek, h800, plans=plan, global_batch=15360)
    computing = step.matrix_s + step.attention_s + step.memory_bound_s
    assert 0.5 < float(computing / step.expert_s) < 1.5


def test_ranges_made_for_eight_in_ten_hold_them_and_those_for_nine_in_ten_nearly():
    """Also where all runs on a chip, or of a model, are left out; counted on runs that set no constant."""
    runs = unpaced_runs(latest())
    for groups in (model_on_chip, lambda run: (run.chip,), lambda run: (run.shape,)):
        judged = [run for run in left_out(runs, groups=groups) if run.held_out]
        assert sum(run.within for run in judged) > 0.8 * len(judged)
        nine = [run.bounds(NINE_IN_TEN) for run in judged]
        inside = [low <= run.measured <= high for run, (low, high) in zip(judged, nine, strict=True)]
        assert sum(inside) > 0.9 * len(inside)


def test_a_chip_without_a_rate_at_the_precision_is_refused_by_name():
    part = find_accelerator("A100 80 GB", rows=tables(latest()).accelerators)
    with pytest.raises(ValueError, match="A100 80 GB has no FP8 rate"):
        machine_of_part(part, precision="fp8")
