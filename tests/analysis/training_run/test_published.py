from dataclasses import astuple, replace
from typing import Any

import numpy as np
import pytest

from analysis.model.flop import training_flop_per_token
from analysis.training_run import published
from analysis.training_run.pace import EIGHT_IN_TEN, NINE_IN_TEN
from tests.analysis.training_run.runs import H100, MODEL, TRAITS
from tests.cases import cases

ROW: dict[str, Any] = {
    **cases(__file__)["row"],
    **dict.fromkeys(("expert_overlap", "step_s", "mfu_percent"), np.nan),
    **dict.fromkeys((f"achieved_{unit}_per_s_per_accelerator" for unit in ("tokens", "flop")), np.nan),
}
STACKS = {name: {"stack": stack} for name, stack in cases(__file__)["names"].items()}
KINDS_OF_CHIPS = {"H100": {"kind": "H100", "maker": "NVIDIA"}}


def predicted(**reported: float) -> published.PublishedRun:
    machine = H100.with_chip(name="H100 SXM")
    known: Any = {"kinds": KINDS_OF_CHIPS, "stacks": STACKS}
    return published.predicted_run({**ROW, **reported}, model=MODEL, machine=machine, **known)


def run(
    *, measured: float, kind: str = "TPU", held_out: bool = True, source_id: str = "one", chip: str = "H100"
) -> published.PublishedRun:
    """Return a run whose parts add up to a speed of 100."""
    return published.PublishedRun(
        run="",
        kind=kind,
        held_out=held_out,
        measured=measured,
        unpaced=100.0,
        traits=replace(TRAITS, chip=chip),
        source_id=source_id,
    )


def with_error(error: float, **more: Any) -> published.PublishedRun:
    return run(measured=100 / (1 + error), **more)


@pytest.mark.parametrize(("changes", "kind"), [*cases(__file__)["kinds"], ({"chip_kind": ""}, None)])
def test_a_run_is_of_the_last_kind_that_fits_it(changes, kind):
    run = {"chip_kind": "A100", "precision": "fp16", "sequence_token": 8192, "accelerators": 8, "experts": 1}
    assert published.kind_of(**{**run, **changes}) == kind
    assert kind is None or kind in published.KINDS


def test_a_speed_is_the_same_however_it_is_reported():
    """64 sequences of 4,096 tokens in 20 s on 64 accelerators are 204.8 tokens a second and accelerator."""
    by_step = predicted(step_s=20.0)
    by_tokens = predicted(achieved_tokens_per_s_per_accelerator=204.8)
    assert by_step.measured == pytest.approx(204.8)
    assert astuple(by_tokens) == astuple(by_step)
    assert by_step.kind == "H100 up to 8,192 tokens"
    flop = 204.8 * training_flop_per_token(MODEL)
    by_flop = predicted(achieved_flop_per_s_per_accelerator=flop)
    assert by_flop.measured == pytest.approx(204.8, rel=1e-6)
    by_utilization = predicted(mfu_percent=100 * flop / H100.peak_flop_per_s)
    assert by_utilization.measured == pytest.approx(204.8, rel=1e-6)


@pytest.mark.parametrize(("software", "stack"), cases(__file__)["stacks"])
def test_a_stack_is_that_of_the_longest_name_in_a_software(*, software, stack):
    assert published.stack_of(software, stacks=STACKS) == stack
    assert predicted(step_s=20.0).traits.stack == "Megatron"


def test_errors_are_those_of_held_out_runs_of_a_kind_or_of_all():
    runs = [with_error(error) for error in (-0.3, -0.1, 0.2)]
    runs += [with_error(0.5, kind="mixtures of experts"), with_error(9.0, held_out=False)]
    assert published.error_sizes(runs, kind="TPU") == pytest.approx([0.3, 0.1, 0.2])
    assert published.error_sizes(runs) == pytest.approx([0.3, 0.1, 0.2, 0.5])
    assert not len(published.error_sizes(runs, kind="AMD Instinct"))


def test_a_run_has_no_part_in_its_own_prediction_nor_have_those_of_its_model_on_its_chip():
    """Whatever the H100's own runs were measured at, they are predicted the same from the others."""
    others = [run(chip="H200", measured=120.0), run(chip="GH200", measured=125.0, source_id="two")]
    slow, *_ = published.left_out([run(measured=50.0), run(measured=60.0), *others])
    fast, *_ = published.left_out([run(measured=150.0), run(measured=170.0), *others])
    assert slow.predicted == pytest.approx(fast.predicted)
    assert 100 < slow.predicted < 125
    (low, high), (lowest, highest) = slow.bounds(EIGHT_IN_TEN), slow.bounds(NINE_IN_TEN)
    assert lowest < low < slow.predicted < high < highest
    assert not slow.within and replace(slow, measured=low * 1.001).within
    assert slow.unpaced == 100.0
