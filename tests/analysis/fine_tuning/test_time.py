import numpy as np
import pytest

from analysis.fine_tuning import time
from analysis.fine_tuning.memory import ATTENTION, Adapters, fine_tune_flop
from analysis.hardware.matmul_rates import MatmulRates, family_of
from analysis.measured.prefill_cases import PrefillCases
from analysis.model_errors.of_fine_tuning import flop_per_token, source_of, tokens_per_s, tuned_model
from analysis.placement.fits import fit_placement
from data.standing import rows, table
from tests.analysis.fine_tuning.tuned_models import model

PRODUCTS = table("published_matmul").to_dict("records")
RATES = MatmulRates.from_rows(PRODUCTS, same_die=[])
MEASURED = {(family_of(row["listed_as"]), row["precision"]): row["measured_flop_per_s"] for row in PRODUCTS}
DATASHEET = {(family_of(row["listed_as"]), row["precision"]): row["peak_flop_per_s"] for row in PRODUCTS}

RUNS = table("measured_fine_tuning").to_dict("records")
ARCHITECTURES = rows("architectures", "name")


def share_of_matmul(run) -> float:
    """Return what a published run reaches of its chip's measured matrix rate. [1]"""
    rate = MEASURED[run["accelerator"], "fp8" if run["precision"] == "fp8" else "bf16"]
    slower = 1.0
    if run["method"] == "qlora":
        at_once = run["micro_batch"] * run["sequence_tokens"]
        slower = float(time.dequantisation_factor(tokens_at_once=at_once))
    return flop_per_token(run, architectures=ARCHITECTURES) * slower * tokens_per_s(run) / rate


def slowdowns() -> list[tuple[float, float]]:
    """Return the tokens at once and the slowdown by QLoRA of each pair of runs that differ in nothing else."""
    same = ("source_id", "model", "accelerator", "sequence_tokens", "micro_batch")
    speeds = {(run["method"], *(run[name] for name in same)): tokens_per_s(run) for run in RUNS}
    return [
        (length * batch, speeds[("lora", *key, length, batch)] / speed)
        for (method, *key, length, batch), speed in speeds.items()
        if method == "qlora" and ("lora", *key, length, batch) in speeds
    ]


def test_fine_tuning_reaches_the_stated_share_of_the_matrix_rate_in_published_runs():
    """torchtune, AutoModel, NeMo, Qwen, MLPerf: median of sources within 3 %, every run within a factor 1.55."""
    shares: dict[str, list[float]] = {}
    for run in RUNS:
        if run["in_fit"]:
            shares.setdefault(source_of(run), []).append(share_of_matmul(run))
    every = np.array([share for of_source in shares.values() for share in of_source])
    assert len(shares) == 5 and len(every) == 39
    middle = np.median([np.median(of_source) for of_source in shares.values()])
    assert float(middle) == pytest.approx(time.SHARE_OF_MATMUL, rel=0.03)
    logs = np.log(every / time.SHARE_OF_MATMUL)
    assert np.exp(np.abs(logs).max()) < 1.55
    assert np.mean(np.abs(logs) < 1.645 * time.SHARE_OF_MATMUL_LOG_SPREAD) == pytest.approx(0.9, abs=0.05)


def test_eight_h100_take_about_as_long_for_the_mlperf_fine_tune_as_was_measured():
    """MLPerf Training 4.0, Llama 2 70B LoRA, 8 x H100, FP8: 29.1 min, evaluation included; predicted 21 min, -27 %."""
    (run,) = (run for run in RUNS if run["source_id"] == "supermicro-mlperf-training-4.0")
    flop = fine_tune_flop(
        tuned_model(run, architectures=ARCHITECTURES),
        method="lora",
        tokens=run["n_sequences"] * 8192,
        sequence_length=8192,
        adapters=Adapters(rank=16, targets=ATTENTION),
        checkpointing=False,
    )
    matmul = RATES.share("H100 SXM", precision="fp8").share
    speed = time.accelerator_flop_per_s(peak_flop_per_s=DATASHEET["H100", "fp8"], matmul_share=matmul)
    minutes = float(time.fine_tune_time_s(flop, flop_per_s=speed, devices=8)) / 60
    assert minutes == pytest.approx(run["duration_s"] / 60, rel=0.3)


def test_qlora_s_slowdown_is_that_of_a_fixed_number_of_tokens():
    """Qwen's README, A100, seconds of LoRA and QLoRA at 512 to 8,192 tokens; torchtune's README. Median of 15 pairs."""
    pairs = slowdowns()
    assert len(pairs) == 15
    more = [(slowdown - 1) * tokens for tokens, slowdown in pairs]
    assert np.median(more) == pytest.approx(time.DEQUANTISATION_TOKENS, rel=0.05)
    rule = time.dequantisation_factor(tokens_at_once=np.array([tokens for tokens, _ in pairs]))
    worst = np.abs(rule / [slowdown for _, slowdown in pairs] - 1)
    assert np.median(worst) < 0.1
    assert worst.max() < 0.25


def test_devices_of_the_edge_train_about_as_fast_as_they_read_prompts():
    """MLX's LoRA README (16 and 4 of 32 layers tuned) and torchtune's README (RTX 4090): each within a factor 2.1."""
    known = {name: table(name) for name in ("architectures", "edge_devices")}
    reader = fit_placement(table("measured_decode"), **known).prefill
    devices = table("edge_devices").set_index("name")
    runs = [run for run in RUNS if run["edge_device"]]
    assert len(runs) == 5
    shares = []
    for run in runs:
        device = devices.loc[run["edge_device"]]
        if run["architecture"]:
            parameters = tuned_model(run, architectures=ARCHITECTURES).n_parameters
            flop = flop_per_token(run, architectures=ARCHITECTURES)
        else:  # the backward pass stops below the tuned layers
            parameters = run["n_parameters"]
            flop = (2 + 2 * run["n_tuned_layers"] / run["n_layers"]) * parameters
        case = PrefillCases(
            device=(run["accelerator"],),
            device_class=(device["device_class"],),
            backend=("GPU",),
            memory_bandwidth_byte_per_s=np.array([device["memory_bandwidth_byte_per_s"]]),
            peak_flop_per_s=np.array([np.nan]),
            n_active_parameters=np.array([parameters]),
            prompt_tokens=np.array([2048.0]),
        )
        speed = reader.tokens_per_s(case)[0]
        rule = time.edge_flop_per_s(prompt_tokens_per_s=speed, n_active_parameters=parameters)
        shares.append(time.SHARE_OF_PROMPT_READING * flop * tokens_per_s(run) / float(rule))
    errors = np.log(np.array(shares) / time.SHARE_OF_PROMPT_READING)
    assert np.abs(errors).max() < np.log(2.1)
    assert abs(errors.mean()) < time.SHARE_OF_PROMPT_READING_LOG_SPREAD / 2
    assert float(np.std(errors)) == pytest.approx(time.SHARE_OF_PROMPT_READING_LOG_SPREAD, abs=0.1)


def test_an_hour_on_eight_rented_and_on_one_owned_device_costs_what_a_hand_count_says():
    rented = time.fine_tune_cost([3600.0, 7200.0], devices=8, power_w=1000, price_usd_per_hour=3)
    np.testing.assert_allclose(rented.rented_usd, [24, 48])
    np.testing.assert_allclose(rented.energy_j, [8 * 3.6e6, 16 * 3.6e6])
    assert np.isnan(rented.owned_usd).all()
    bought = {"price_usd": 2191.5, "years": 1, "electricity_usd_per_kwh": 0.25}
    owned = time.fine_tune_cost(36000.0, devices=1, power_w=400, **bought)
    assert float(owned.owned_usd) == pytest.approx(2191.5 * 10 / 8766 + 4 * 0.25)


def test_a_device_that_does_not_compute_is_refused():
    flop = fine_tune_flop(model("Llama 3.1 8B"), method="lora", tokens=1e6)
    with pytest.raises(ValueError, match=r"above 0; got 0. Pass a device that computes"):
        time.fine_tune_time_s(flop, flop_per_s=0.0)
