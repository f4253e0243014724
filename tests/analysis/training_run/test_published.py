"""Published training speeds beside predictions: kinds of run, and errors by kind."""

from typing import Any

import numpy as np
import pytest

from analysis.model.flop import training_flop_per_token
from analysis.training_run.published import (
    KINDS,
    PublishedRun,
    error_of_all,
    errors_by_kind,
    kind_of,
    predicted_run,
)
from tests.analysis.training_run.runs import H100, MODEL

ROW: dict[str, Any] = {
    "run": "a run of 64",
    "accelerator": "H100 SXM",
    "n_accelerators": 64,
    "global_batch": 64,
    "micro_batch": 1,
    "tensor_parallel": 8,
    "pipeline_parallel": 1,
    "context_parallel": 1,
    "expert_parallel": 1,
    "interleave": 1,
    "zero_stage": 1,
    "recompute": "full",
    "precision": "fp16",
    "counts_recompute": False,
    "counts_full_attention": True,
    "step_s": np.nan,
    "achieved_tokens_per_s_per_accelerator": np.nan,
    "achieved_flop_per_s_per_accelerator": np.nan,
    "mfu_percent": np.nan,
    "held_out": True,
}


def predicted(**reported: float) -> PublishedRun:
    return predicted_run({**ROW, **reported}, model=MODEL, machine=H100, chip_kind="H100")


def with_error(error: float, *, kind: str = "TPU", held_out: bool = True) -> PublishedRun:
    return PublishedRun(
        run="", kind=kind, held_out=held_out, measured=100, predicted=100 * (1 + error), flop_per_token=1
    )


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, "A100 up to 8,192 tokens"),
        ({"chip_kind": "H100", "sequence_token": 8193}, "longer sequences on H100"),
        ({"accelerators": 2048, "sequence_token": 8193}, "thousands of A100 or H100"),
        ({"precision": "fp8", "accelerators": 2048}, "8-bit products or Blackwell"),
        ({"chip_kind": "Blackwell"}, "8-bit products or Blackwell"),
        ({"experts": 8, "precision": "fp8", "chip_kind": "Blackwell"}, "mixtures of experts"),
        ({"chip_kind": "TPU", "experts": 8}, "TPU"),
        ({"chip_kind": ""}, None),
    ],
)
def test_a_run_is_of_the_last_kind_that_fits_it(changes, kind):
    run = {"chip_kind": "A100", "precision": "fp16", "sequence_token": 8192, "accelerators": 8, "experts": 1}
    assert kind_of(**{**run, **changes}) == kind
    assert kind is None or kind in KINDS


def test_a_speed_is_the_same_however_it_is_reported():
    """64 sequences of 4,096 tokens in 20 s on 64 accelerators are 204.8 tokens a second and accelerator."""
    by_step = predicted(step_s=20.0)
    by_tokens = predicted(achieved_tokens_per_s_per_accelerator=204.8)
    assert by_step.measured == pytest.approx(204.8)
    assert by_tokens == by_step
    assert by_step.kind == "H100 up to 8,192 tokens"
    flop = 204.8 * training_flop_per_token(MODEL)
    by_flop = predicted(achieved_flop_per_s_per_accelerator=flop)
    assert by_flop.measured == pytest.approx(204.8, rel=1e-6)
    by_utilization = predicted(mfu_percent=100 * flop / H100.peak_flop_per_s)
    assert by_utilization.measured == pytest.approx(204.8, rel=1e-6)


def test_errors_are_those_of_held_out_runs_by_kind_and_together():
    runs = [with_error(error) for error in (-0.3, -0.1, 0.2)]
    runs += [with_error(0.5, kind="mixtures of experts"), with_error(9.0, held_out=False)]
    by_kind = errors_by_kind(runs)
    assert list(by_kind) == ["mixtures of experts", "TPU"]
    tpu = by_kind["TPU"]
    assert (tpu.runs, tpu.size, tpu.middle, tpu.low, tpu.high, tpu.worst) == pytest.approx(
        (3, 0.2, -0.1, -0.3, 0.2, -0.3)
    )
    assert error_of_all(runs).runs == 4
    assert error_of_all(runs).worst == pytest.approx(0.5)


def test_of_ten_runs_and_more_the_interval_leaves_out_the_outermost():
    error = error_of_all([with_error(k / 10) for k in range(11)])
    assert (error.low, error.high) == pytest.approx((0.1, 0.9))
