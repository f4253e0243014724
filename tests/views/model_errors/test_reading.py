"""Engines and dates as the tables write them."""

import math

import pytest

from views.model_errors.reading import decimal_year, engine_of


@pytest.mark.parametrize(
    ("software", "engine"),
    [
        ("llama.cpp (CUDA/Metal)", "llama.cpp"),
        ("PowerInfer smallthinker / llama.cpp", "PowerInfer"),
        ("TensorRT-LLM v1.0", "TensorRT-LLM"),
        ("TensorRT 10.11, CUDA 12.9", "TensorRT"),
        ("mlx_lm.benchmark", "MLX"),
        ("Exllama V2", "ExLlama"),
        ("vllm", "vLLM"),
        ("ExecuTorch XNNPACK", "ExecuTorch"),
        ("sustained 20 runs", ""),
        ("", ""),
    ],
)
def test_an_engine_is_known_by_its_name(*, software, engine):
    assert engine_of(software) == engine


@pytest.mark.parametrize(
    ("date", "year"),
    [
        ("2024", 2024.5),
        ("2024-01", 2024.042),
        ("2024-12", 2024.958),
        ("2025-09-09", 2025.690),
        ("2025-12..2026", 2025.958),
    ],
)
def test_a_date_is_the_middle_of_what_it_names(*, date, year):
    assert decimal_year(date) == pytest.approx(year, abs=2e-3)


@pytest.mark.parametrize("date", ["", "unknown", "n.d."])
def test_no_date_is_no_number(date):
    assert math.isnan(decimal_year(date))
