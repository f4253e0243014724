"""What rows of the measured tables say in their own words: the engine, and when its software was out."""

import re

ENGINES = (
    "PowerInfer",
    "T-MAC",
    "llama.cpp",
    "Ollama",
    "MLX",
    "MLC",
    "TensorRT-LLM",
    "TensorRT",
    "vLLM",
    "SGLang",
    "ExecuTorch",
    "LiteRT-LM",
    "Core AI",
    "CoreML",
    "ExLlama",
    "Genie",
    "QNN",
)
"""Engines by their names, the more telling one first where a row names two."""


def engine_of(software: str) -> str:
    """Return the engine that a row's software names; empty where it names none that is known."""
    text = software.lower().replace("mlx_lm", "mlx")
    return next((name for name in ENGINES if name.lower() in text), "")


def decimal_year(date: str) -> float:
    """Return the middle of the day, month or year that a date begins with; NaN where it names none. [year]

    Of a range, ``2025-12..2026``, the first counts.
    """
    found = re.match(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", date)
    if not found:
        return float("nan")
    year, month, day = found.groups()
    if not month:
        return float(year) + 0.5
    return float(year) + (int(month) - 1 + (int(day) - 0.5 if day else 15.2) / 30.4) / 12
