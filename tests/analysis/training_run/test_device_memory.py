from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.model.training_states import GRADIENT_BYTE, OPTIMIZER_BYTE, WEIGHT_BYTE
from analysis.training_run.device_memory import USABLE_SHARE, device_memory, fits
from analysis.training_run.plans import Plans
from tests.analysis.training_run.runs import GPT_3, H100, MIXTURE, MODEL, plans


@given(plan=plans, expert=st.sampled_from([1, 2, 8, 64]), dense=st.sampled_from([0, 3, 24]))
def test_all_devices_together_hold_at_least_one_copy_of_the_states(*, plan, expert, dense):
    model = replace(MIXTURE, n_dense_layers=dense)
    memory = device_memory(model, H100, plans=replace(plan, expert_parallel=expert), global_batch=512)
    devices = float(plan.accelerators)
    for name, byte in (("weight", WEIGHT_BYTE), ("gradient", GRADIENT_BYTE), ("optimizer", OPTIMIZER_BYTE)):
        assert float(getattr(memory, f"{name}_byte")) * devices >= byte * model.n_parameters * (1 - 1e-9)


@given(plans)
def test_two_layers_on_the_fullest_stage_take_as_much_memory_however_many_stages_have_them(plan):
    """96 and 128 layers on 64 stages; of 96 the first is left one short, with its embedding."""
    deep = replace(plan, pipeline_parallel=64, interleave=1)
    totals = [
        float(device_memory(replace(GPT_3, n_layers=n), H100, plans=deep, global_batch=512 * 64).total_byte)
        for n in (96, 127, 128)
    ]
    assert totals[1] == pytest.approx(totals[2])
    assert 0.8 < totals[0] / totals[2] <= 1


def test_a_plan_fits_where_its_need_is_the_usable_share_of_the_memory_and_not_where_it_is_more():
    plan = Plans(tensor_parallel=8, data_parallel=8)
    need = float(device_memory(MODEL, H100, plans=plan, global_batch=512).total_byte)
    for capacity, held in ((1.001 * need / USABLE_SHARE, True), (0.999 * need / USABLE_SHARE, False)):
        machine = H100.with_chip(memory_capacity_byte=capacity)
        assert bool(fits(device_memory(MODEL, machine, plans=plan, global_batch=512), machine)) is held


def test_a_layer_keeps_what_is_published_without_fused_attention():
    """Korthikanti et al., arXiv:2205.05198, equation 4, for one more layer: s·b·h·(34/t + 5·a·s/(h·t)). [byte]"""
    plan, old = Plans(tensor_parallel=8, data_parallel=8), replace(H100, fused_attention=False)
    models = (replace(GPT_3, n_layers=n) for n in (2, 3))
    kept = [float(device_memory(one, old, plans=plan, global_batch=64).activation_byte) for one in models]
    s, h, a = GPT_3.sequence_length, GPT_3.hidden_size, GPT_3.n_heads
    assert kept[1] - kept[0] == pytest.approx(s * h * (34 + 5 * a * s / h) / 8)
