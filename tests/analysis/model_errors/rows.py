"""Comparisons made up for tests."""

from analysis.model_errors.comparison import Comparison


def row(**other) -> Comparison:
    """Return a row of decode, 12 % too fast and inside its interval, with what a test wants otherwise."""
    usual = {
        "model": "decode",
        "row_id": "d1",
        "case": "Llama 3 8B, Q4_K_M",
        "architecture": "Llama 3 8B",
        "accelerator": "RTX 3070",
        "kind": "Desktop with a GPU",
        "engine": "llama.cpp",
        "software_date": 2024.4,
        "measured": 100.0,
        "predicted": 112.0,
        "low": 90.0,
        "high": 140.0,
        "unit": "tokens/s",
        "held_out_by": "without its source",
        "source_id": "somewhere",
        "locator": "https://example.org/table 1",
    }
    return Comparison(**{**usual, **other})  # type: ignore[arg-type]
