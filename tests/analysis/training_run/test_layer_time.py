from dataclasses import replace

import pytest

from analysis.training_run.layer_time import SUSTAINED, layer_time
from analysis.training_run.plans import Plans
from tests.analysis.training_run.runs import A100, H100, LONG, MIXTURE


def test_fused_attention_on_an_a100_stays_within_what_its_first_kernels_reached():
    """Dao, "FlashAttention-2", arXiv:2307.08691, abstract: 25 to 40 % of the peak of an A100."""
    plan = Plans(data_parallel=8, zero_stage=3)
    seconds = float(layer_time(LONG, A100, plans=plan).attention_s)
    rate = 3.5 * 4 * 32768 * 32768 * 4096 / 2 / seconds
    assert 0.25 < rate / A100.peak_flop_per_s < 0.40
    newer = replace(A100, before_hopper=False)
    assert float(layer_time(LONG, newer, plans=plan).attention_s) == pytest.approx(
        seconds * SUSTAINED.fused_attention_before_hopper / SUSTAINED.fused_attention
    )


def test_later_chips_with_software_from_before_their_kernels_have_slower_attention_alone():
    plan = Plans(data_parallel=8, zero_stage=3)
    chips = (replace(H100, early_kernels=early) for early in (False, True))
    usual, early = (layer_time(LONG, chip, plans=plan) for chip in chips)
    ratio = SUSTAINED.fused_attention / SUSTAINED.fused_attention_early
    assert float(early.attention_s) == pytest.approx(ratio * float(usual.attention_s))
    assert float(early.matrix_s) == float(usual.matrix_s)


def test_every_expert_that_a_device_holds_has_launches_of_its_own():
    """128 experts over 8 and over 64 devices: 14 fewer on each, a quarter of a millisecond every one."""
    plans = (Plans(data_parallel=64, expert_parallel=e) for e in (64, 8))
    few, many = (float(layer_time(MIXTURE, H100, plans=plan).memory_bound_s) for plan in plans)
    assert many - few == pytest.approx(14 * 0.25e-3)


@pytest.mark.parametrize("recompute", [0, 2])
def test_tensor_parallelism_splits_norms_but_those_of_early_software_that_recomputes_all(recompute):
    early, late = (
        layer_time(
            LONG,
            replace(A100, fused_attention=fused),
            plans=Plans(tensor_parallel=10**9, recompute=recompute),
        )
        for fused in (False, True)
    )
    assert (early.memory_bound_s > 2 * late.memory_bound_s) == (recompute == 2)
