from dataclasses import replace
from statistics import median

import pytest

from analysis.training_run.cases import parse
from analysis.training_run.predict import predict
from tests.analysis.training_run import runs
from tests.cases import cases

A100 = replace(runs.A100.with_chip(name="A100 80 GB"), fused_attention=False, before_hopper=False)
H100 = runs.H100.with_chip(name="H100 SXM", peak_fp16_flop_per_s=989.4e12, peak_fp8_flop_per_s=1979e12)
SHAPE = ("layers", "hidden", "heads")


def case_of(shape, **cells):
    """Return a case of a model by layers, hidden size and heads."""
    usual = {"vocabulary": 51200, "sequence_length": 2048, "accelerator": "A100"}
    row = {**dict(zip(SHAPE, shape, strict=True)), **usual, **cells}
    return parse({name: str(cell) for name, cell in row.items()})


def llama_3(**cells):
    plan = {"tensor_parallel": 8, "pipeline_parallel": 16, "accelerator": "H100"}
    return case_of((126, 16384, 128), vocabulary=128256, **plan, **cells)


@pytest.mark.parametrize(
    ("layers", "hidden", "heads", "pipeline", "interleave", "batch", "micro", "mfu"),
    cases(__file__)["korthikanti"],
)
def test_korthikanti_table_5(*, layers, hidden, heads, pipeline, interleave, batch, micro, mfu):
    """These rows were looked at while constants were chosen, though not fitted row by row."""
    case = case_of(
        (layers, hidden, heads),
        global_batch=batch,
        micro_batch=micro,
        tensor_parallel=8,
        pipeline_parallel=pipeline,
        interleave=interleave,
        recompute="selective",
        zero_stage=0,
    )
    assert predict(case, machine=A100).mfu == pytest.approx(mfu, rel=0.15)


# NVIDIA NeMo Framework 24.09, performance summary, pre-training in FP8 on DGX H100: layers, hidden, heads,
# key-value heads, feed-forward, gated, vocabulary, sequence, batch, micro, tensor, pipeline, context,
# interleave, accelerators, model TFLOP/s.
NEMO_FP8 = cases(__file__)["nemo_fp8"]
NEMO_COLUMNS = (
    *SHAPE, "key_value_heads", "feed_forward", "gated", "vocabulary", "sequence_length", "global_batch", "micro_batch",
    "tensor_parallel", "pipeline_parallel", "context_parallel", "interleave", "accelerators",
)  # fmt: skip


def test_fp8_runs_on_h100_within_ten_percent_median_and_twenty_worst():
    """No constant has moved for these rows, but they are no blind test.

    That attention and the output layer stay at the rate of 16 bits came into the model together with them.
    """
    machine = replace(H100, matmul_flop_per_s=1402.6e12, precision="fp8")
    errors = []
    for *cells, measured in NEMO_FP8:
        row = {name: str(cell) for name, cell in zip(NEMO_COLUMNS, cells, strict=True)}
        counted = {"recompute": "none", "attention_counted": "full"}
        case = parse({**row, **counted, "precision": "fp8", "accelerator": "H100"})
        errors.append(abs(predict(case, machine=machine).flop_per_s_per_accelerator / 1e12 / measured - 1))
    assert median(errors) < 0.10
    assert max(errors) < 0.20


def test_what_is_left_open_is_the_fastest_plan_and_not_the_lightest_recomputation():
    """A mixture gathered whole for every micro-batch: a large one, recomputed in full, is several times faster."""
    mixture = dict(experts=256, active_experts=8, feed_forward=2048, gated="true", vocabulary=129280)
    load = {"sequence_length": 4096, "global_batch": 2048, "accelerators": 128, "accelerator": "H100"}
    row = {**mixture, **load}
    roomy = H100.with_chip(memory_capacity_byte=192e9)
    chosen = predict(case_of((61, 7168, 128), **row), machine=roomy)
    others = [
        predict(case_of((61, 7168, 128), **row, micro_batch=b, zero_stage=z, recompute=kind), machine=roomy)
        for b in (1, 2, 4, 8, 16)
        for z in (1, 3)
        for kind in ("none", "selective", "full")
    ]
    assert chosen.step_s <= min(other.step_s for other in others if other.fits) + 1e-9


def test_a_recomputation_that_is_not_named_has_the_benefit_of_the_doubt_where_another_fits():
    """Llama 3's plan seems to need a little more than there is without recomputation, and ran without."""
    case = llama_3(sequence_length=8192, global_batch=2048, data_parallel=64)
    assert predict(case, machine=H100).recompute == "none"
    assert predict(case, machine=H100.with_chip(memory_capacity_byte=30e9)).recompute == "full"


def test_a_paced_prediction_is_as_much_faster_in_all_its_numbers():
    case = case_of((24, 2304, 24), global_batch=512, accelerators=32, tokens="300e9")
    alone = predict(case, machine=A100)
    paced, at_once = alone.paced(1.25), predict(case, machine=replace(A100, pace=1.25))
    assert paced.step_s == pytest.approx(alone.step_s / 1.25)
    assert paced.days == pytest.approx((alone.days or 0) / 1.25)
    assert paced.mfu == pytest.approx(1.25 * alone.mfu)
    assert float(paced.step.total_s) == pytest.approx(paced.step_s)
    assert (at_once.step_s, at_once.plan) == (pytest.approx(paced.step_s), paced.plan)
