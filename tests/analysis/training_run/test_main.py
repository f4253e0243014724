from itertools import product

import pytest

from analysis.training_run.cases import NEEDED, SHAPE
from tests.analysis.training_run.command import GPT_3, NAMES, run

NEEDED_NAMES = {name for column in (*SHAPE, *NEEDED) for name in column.names}


def test_what_a_case_leaves_open_is_chosen_and_said(tmp_path, capsys):
    bare: list[object] = [
        value if name in NEEDED_NAMES or name == "accelerators" else ""
        for name, value in zip(NAMES, GPT_3, strict=True)
    ]
    bare[NAMES.index("tensor_parallel")], bare[NAMES.index("pipeline_parallel")] = 8, 8
    code, (row,), _ = run(tmp_path, capsys, bare)
    assert (code, row["days"], row["fits"]) == (0, "", "yes")
    assert int(row["micro_batch_used"]) >= 1 and int(row["interleave_used"]) >= 1


def test_how_a_case_is_counted_is_read_and_said_once(tmp_path, capsys):
    names = (*NAMES, "counts", "attention_counted")
    rows = ((*GPT_3, "model", "causal"), (*GPT_3, "hardware", ""))
    _, (model, hardware), err = run(tmp_path, capsys, *rows, names=names)
    assert err == ""
    assert (model["counts"], model["attention_counted"]) == ("model", "causal")
    assert (hardware["counts"], hardware["attention_counted"]) == ("hardware", "full")
    assert list(model).count("counts") == 1
    rates = [float(row["tflop_per_s_per_accelerator"]) for row in (model, hardware)]
    assert rates[0] < 0.8 * rates[1]


def test_a_range_stands_beside_every_speed_and_the_software_assumed_is_said(tmp_path, capsys):
    """An A100 of late 2020: software of half a year later to the newest, unless the case says another."""
    named = (*NAMES, "software")
    _, (early, late), _ = run(tmp_path, capsys, (*GPT_3, ""), (*GPT_3, "2024-06"), names=named)
    assert (early["software_used"], late["software_used"]) == ("of 2021-05 to 2026-08", "of 2024-06")
    for row in (early, late):
        for name in ("tflop_per_s_per_accelerator", "tokens_per_s_per_accelerator", "step_s"):
            low, middle, high = (float(row[f"{name}{end}"]) for end in ("_low", "", "_high"))
            assert low < middle < high
            assert low * high == pytest.approx(middle**2, rel=1e-4)
        tokens = 1536 * 2048 / float(row["step_s"]) / 1024
        assert float(row["tokens_per_s_per_accelerator"]) == pytest.approx(tokens, rel=1e-4)


def test_less_power_slows_the_clock_by_its_cube_root_and_a_stack_moves_and_narrows_ranges(tmp_path, capsys):
    """An A100 draws 400 W: half of it leaves 79 % of the matrix rate, and nothing is gained beyond 400 W."""
    names = (*NAMES, "power_cap_w", "framework")
    rows = ((*GPT_3, "", ""), (*GPT_3, 200, ""), (*GPT_3, 800, ""), (*GPT_3, "", "Megatron-LM"))
    _, (plain, limited, more, megatron), _ = run(tmp_path, capsys, *rows, names=names)
    rate = [float(row["tokens_per_s_per_accelerator"]) for row in (plain, limited, more, megatron)]
    assert 0.5 ** (1 / 3) < rate[1] / rate[0] < 0.9
    assert rate[2] == rate[0] != rate[3]

    def width(row):
        low, high = (float(row[f"tokens_per_s_per_accelerator{end}"]) for end in ("_low", "_high"))
        return high / low

    assert width(megatron) < width(plain)


def test_a_run_in_fp4_is_faster_than_in_fp8_by_less_than_the_peaks_and_says_what_is_assumed(tmp_path, capsys):
    """GB300: 15 against 5 PFLOP/s; on an H100, which has none, it is as in FP8."""
    names = ("model", "sequence_length", "global_batch", "accelerator", "accelerators", "precision")
    pairs = product(("GB300", "H100 SXM"), ("mxfp8", "nvfp4"))
    rows = [("Llama 3 70B", 8192, 256, chip, 64, precision) for chip, precision in pairs]
    _, (eight, four, old_eight, old_four), _ = run(tmp_path, capsys, *rows, names=names)
    assert 1.1 < float(eight["step_s"]) / float(four["step_s"]) < 2
    assert "FP4 products 2 times as fast as FP8, half of what their peaks promise" in four["assumed"]
    assert old_four["step_s"] == old_eight["step_s"]
    assert "FP4 products at the rate of FP8" in old_four["assumed"]
