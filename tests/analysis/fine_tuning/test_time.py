"""How fast published fine-tunes ran, against the rules; time, energy and cost of one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.fine_tuning.adapters import ATTENTION, Adapters, TunedModel, tuned_model
from analysis.fine_tuning.memory import fine_tune_flop
from analysis.fine_tuning.time import (
    DEQUANTISATION_TOKENS,
    SHARE_OF_MATMUL,
    SHARE_OF_MATMUL_LOG_SPREAD,
    SHARE_OF_PROMPT_READING,
    SHARE_OF_PROMPT_READING_LOG_SPREAD,
    accelerator_flop_per_s,
    dequantisation_factor,
    edge_flop_per_s,
    fine_tune_cost,
    fine_tune_time_s,
)
from analysis.hardware.matmul_rates import DATASHEET_8_BIT, DATASHEET_16_BIT, MEASURED_8_BIT, MEASURED_16_BIT
from analysis.measured.prefill import PrefillCases
from analysis.placement.fits import fit_placement
from data.standing import table

ROWS = {row["name"]: row for row in table("architectures").to_dict("records")}


def model(name: str) -> TunedModel:
    return tuned_model({str(key): value for key, value in ROWS[name].items()})


def qwen(billions: float, *, layers: int, hidden: int, feed_forward: int) -> TunedModel:
    """Qwen (2023), arXiv:2309.16609, table 1: attention without grouping, heads of 128."""
    return TunedModel(
        n_parameters=billions * 1e9,
        n_active_parameters=billions * 1e9,
        n_layers=layers,
        hidden_size=hidden,
        n_heads=hidden / 128,
        n_kv_heads=hidden / 128,
        head_size=128,
        feed_forward_size=feed_forward,
        vocabulary=152064,
    )


QWEN_1_8B = qwen(1.84, layers=24, hidden=2048, feed_forward=5504)
QWEN_7B = qwen(7.72, layers=32, hidden=4096, feed_forward=11008)
QWEN_14B = qwen(14.17, layers=40, hidden=5120, feed_forward=13696)
QWEN_72B = qwen(72.29, layers=80, hidden=8192, feed_forward=24576)

# torchtune, README of 2025, tables "Memory and training speed" and "Optimization flags", A100, BF16:
# model, method, layers recomputed, sequence, tokens a second of each device.
TORCHTUNE = [
    ("Llama 3.2 3B", "full", False, 4096, 9174),
    ("Llama 3.2 3B", "full", True, 4096, 7210),
    ("Llama 3.2 3B", "lora", True, 4096, 8210),
    ("Llama 3.1 70B", "lora", True, 2048, 3497 / 8),
]
# NVIDIA NeMo AutoModel, performance summary, fine-tuning (LoRA), DGX H100, BF16; model operations.
AUTOMODEL = [
    ("Llama 3 8B", 12472.87),
    ("Qwen2.5 7B", 14110.05),
    ("Llama 3 70B", 1091.85),
    ("Qwen3 32B", 2250.31),  # published for Qwen2.5 32B, which has the same size
    ("Llama 3 70B", 984.85),
    ("Qwen3 32B", 2072.89),
]
# NVIDIA NeMo 24.12, performance summary, finetuning, H100, FP8, packed to 4,096; model operations.
NEMO = [
    ("Llama 2 7B", "full", 16891),
    ("Llama 2 13B", "full", 10176),
    ("Llama 2 70B", "full", 1816),
    ("Llama 2 7B", "lora", 24824),
    ("Llama 2 13B", "lora", 14629),
    ("Llama 2 70B", "lora", 2621),
]
# Qwen, README, "Profiling of Memory and Speed", one A100, batch 1, 8 steps accumulated: seconds at 2,048, 4,096, 8,192.
QWEN_LORA = [
    (QWEN_1_8B, (1.7, 3.3, 6.8)),
    (QWEN_7B, (5.2, 10.1, 21.3)),
    (QWEN_14B, (8.4, 17.0, 36.0)),
]
QWEN_QLORA = [
    (QWEN_1_8B, (2.0, 3.4, 6.5)),
    (QWEN_7B, (7.0, 11.6, 22.3)),
    (QWEN_14B, (11.8, 20.1, 38.3)),
    (QWEN_72B, (59.5, 97.7, 179.8)),
]
# MLPerf Training, Llama 2 70B LoRA on 8 chips, FP8: minutes. H100: Supermicro, 4.0; B200: mean of 5.1 by AMD.
MLPERF = [("H100", 29.10069), ("B200", 9.85)]
# MLCommons, logging, rcp_checker/training_5.0.0/rcps_llama2_70b_lora.json, batch 8, samples of 8,192 tokens.
MLPERF_SAMPLES = [3072, 2688, 3456, 3072, 3072, 3072, 3456, 3456, 3072, 2688]
MLPERF_SAMPLES += [3456, 3072, 3072, 3072, 3840, 3456, 2688, 3072, 3456, 3456]


def work(found: TunedModel, **choices) -> float:
    return float(fine_tune_flop(found, tokens=1, **choices).total_flop)


def shares_of_matmul() -> dict[str, float]:
    wide = Adapters(rank=64)
    a100, h100, h100_8 = MEASURED_16_BIT["A100"], MEASURED_16_BIT["H100"], MEASURED_8_BIT["H100"]
    found = {}
    for name, method, again, length, speed in TORCHTUNE:
        flop = work(model(name), method=method, sequence_length=length, checkpointing=again, adapters=wide)
        found[f"torchtune {name} {method} {again}"] = flop * speed / a100
    for place, (name, speed) in enumerate(AUTOMODEL):
        flop = work(model(name), method="lora", sequence_length=4096, checkpointing=False)
        found[f"AutoModel {name} {place}"] = flop * speed / h100
    for name, method, speed in NEMO:
        flop = work(model(name), method=method, sequence_length=4096, checkpointing=False)
        found[f"NeMo {name} {method}"] = flop * speed / h100_8
    for method, rows in (("lora", QWEN_LORA), ("qlora", QWEN_QLORA)):
        for tuned, seconds in rows:
            for length, s in zip((2048, 4096, 8192), seconds, strict=True):
                flop = work(tuned, method=method, sequence_length=length, adapters=wide)
                slower = dequantisation_factor(tokens_at_once=length) if method == "qlora" else 1.0
                share = flop * slower * 8 * length / s / a100
                found[f"Qwen {tuned.n_parameters:g} {method} {length}"] = float(share)
    attention = Adapters(rank=16, targets=ATTENTION)
    llama = model("Llama 2 70B")
    flop = work(llama, method="lora", sequence_length=8192, checkpointing=False, adapters=attention)
    for chip, minutes in MLPERF:
        speed = np.mean(MLPERF_SAMPLES) * 8192 / (8 * 60 * minutes)
        found[f"MLPerf {chip}"] = float(flop * speed / MEASURED_8_BIT[chip])
    return found


def test_fine_tuning_reaches_the_stated_share_of_the_matrix_rate_in_published_runs():
    """torchtune, AutoModel, NeMo, Qwen, MLPerf: median of sources within 3 %, every run within a factor 1.55."""
    shares = shares_of_matmul()
    sources: dict[str, list[float]] = {}
    for name, share in shares.items():
        sources.setdefault(name.split()[0], []).append(share)
    assert len(sources) == 5 and len(shares) == 39
    middle = np.median([np.median(found) for found in sources.values()])
    assert float(middle) == pytest.approx(SHARE_OF_MATMUL, rel=0.03)
    logs = np.log(np.array(list(shares.values())) / SHARE_OF_MATMUL)
    assert np.exp(np.abs(logs).max()) < 1.55
    assert np.mean(np.abs(logs) < 1.645 * SHARE_OF_MATMUL_LOG_SPREAD) == pytest.approx(0.9, abs=0.05)


def test_eight_h100_take_about_as_long_for_the_mlperf_fine_tune_as_was_measured():
    """MLPerf Training 4.0, Llama 2 70B LoRA, 8 x H100, FP8: 29.1 min, evaluation included; predicted 21 min, -27 %."""
    flop = fine_tune_flop(
        model("Llama 2 70B"),
        method="lora",
        tokens=np.mean(MLPERF_SAMPLES) * 8192,
        sequence_length=8192,
        adapters=Adapters(rank=16, targets=ATTENTION),
        checkpointing=False,
    )
    speed = accelerator_flop_per_s("H100 SXM", peak_flop_per_s=DATASHEET_8_BIT["H100"], precision="fp8")
    minutes = float(fine_tune_time_s(flop, flop_per_s=speed, devices=8)) / 60
    assert minutes == pytest.approx(29.1, rel=0.3)


def test_qlora_s_slowdown_is_that_of_a_fixed_number_of_tokens():
    """Qwen's README, A100, seconds of LoRA and QLoRA at 512 to 8,192 tokens; torchtune's README. Median of 15 pairs."""
    pairs = {
        512: [(1.5, 3.0), (2.4, 6.3)],
        1024: [(2.8, 3.5), (4.4, 8.2)],
        2048: [(1.7, 2.0), (5.2, 7.0), (8.4, 11.8)],
        4096: [(3.3, 3.4), (10.1, 11.6), (17.0, 20.1), (1 / 3083, 1 / 2413)],
        8192: [(6.8, 6.5), (21.3, 22.3), (36.0, 38.3), (1 / 8210, 1 / 8035)],
    }
    more = [(slow / fast - 1) * tokens for tokens, rows in pairs.items() for fast, slow in rows]
    assert len(more) == 15
    assert np.median(more) == pytest.approx(DEQUANTISATION_TOKENS, rel=0.05)
    worst = [
        abs(float(dequantisation_factor(tokens_at_once=tokens)) / (slow / fast) - 1)
        for tokens, rows in pairs.items()
        for fast, slow in rows
    ]
    assert np.median(worst) < 0.1
    assert max(worst) < 0.25


def test_devices_of_the_edge_train_about_as_fast_as_they_read_prompts():
    """MLX's LoRA README (16 and 4 of 32 layers tuned) and torchtune's README (RTX 4090): each within a factor 2.1."""
    reader = fit_placement(
        table("measured_decode"), architectures=table("architectures"), edge_devices=table("edge_devices")
    ).prefill
    llama = model("Llama 3.1 8B")
    runs = [
        ("Apple M2 Ultra (76-core GPU)", "workstation", 800e9, 6.74e9, 3 * 6.74e9 * 475),
        ("Apple M1 Max (32-core GPU)", "laptop", 400e9, 7.24e9, 2.25 * 7.24e9 * 250),
    ]
    for method, speed in (("full", 1650), ("lora", 3083), ("qlora", 2413)):
        flop = work(llama, method=method, sequence_length=2048)
        runs.append(("RTX 4090", "desktop_gpu", 1008e9, 8.03e9, flop * speed))
    shares = []
    for name, kind, bandwidth, parameters, reached in runs:
        case = PrefillCases(
            device=(name,),
            device_class=(kind,),
            backend=("GPU",),
            memory_bandwidth_byte_per_s=np.array([bandwidth]),
            peak_flop_per_s=np.array([np.nan]),
            n_active_parameters=np.array([parameters]),
            prompt_tokens=np.array([2048.0]),
        )
        speed = reader.tokens_per_s(case)[0]
        rule = edge_flop_per_s(prompt_tokens_per_s=speed, n_active_parameters=parameters)
        shares.append(SHARE_OF_PROMPT_READING * reached / float(rule))
    errors = np.log(np.array(shares) / SHARE_OF_PROMPT_READING)
    assert np.abs(errors).max() < np.log(2.1)
    assert abs(errors.mean()) < SHARE_OF_PROMPT_READING_LOG_SPREAD / 2
    assert float(np.std(errors)) == pytest.approx(SHARE_OF_PROMPT_READING_LOG_SPREAD, abs=0.1)


def test_a_chip_trains_at_its_share_of_what_a_matrix_product_reaches():
    peak = np.array([DATASHEET_16_BIT["H100"], 2 * DATASHEET_16_BIT["H100"]])
    speed = accelerator_flop_per_s("H100 SXM", peak_flop_per_s=peak)
    np.testing.assert_allclose(speed, SHARE_OF_MATMUL * MEASURED_16_BIT["H100"] * np.array([1, 2]))


@given(st.floats(1, 1e6), st.integers(1, 64))
def test_twice_the_devices_take_half_the_time_and_the_same_rent(speed, devices):
    flop = fine_tune_flop(model("Llama 3.1 8B"), method="lora", tokens=1e6)
    one, two = (fine_tune_time_s(flop, flop_per_s=speed * 1e12, devices=n) for n in (devices, 2 * devices))
    assert one == pytest.approx(2 * two)
    rents = [
        float(fine_tune_cost(t, devices=n, power_w=700, price_usd_per_hour=3).rented_usd)
        for t, n in ((one, devices), (two, 2 * devices))
    ]
    assert rents[0] == pytest.approx(rents[1])


def test_an_hour_on_eight_rented_and_on_one_owned_device_costs_what_a_hand_count_says():
    rented = fine_tune_cost([3600.0, 7200.0], devices=8, power_w=1000, overhead=1.2, price_usd_per_hour=3)
    np.testing.assert_allclose(rented.rented_usd, [24, 48])
    np.testing.assert_allclose(rented.energy_j, [8 * 1.2 * 3.6e6, 16 * 1.2 * 3.6e6])
    assert np.isnan(rented.owned_usd).all()
    owned = fine_tune_cost(
        36000.0, devices=1, power_w=400, price_usd=2191.5, years=1, electricity_usd_per_kwh=0.25
    )
    assert float(owned.owned_usd) == pytest.approx(2191.5 * 10 / 8766 + 4 * 0.25)


def test_a_device_that_does_not_compute_is_refused():
    flop = fine_tune_flop(model("Llama 3.1 8B"), method="lora", tokens=1e6)
    with pytest.raises(ValueError, match=r"above 0; got 0. Pass a device that computes"):
        fine_tune_time_s(flop, flop_per_s=0.0)
