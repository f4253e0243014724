"""Inference engines by the names that people and sources use."""

import re
import tomllib
from pathlib import Path

ENGINES: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Patterns of each engine's names, tried in this order; an unknown one is ``""`` and counts as :data:`REFERENCE`."""

REFERENCE = "llama.cpp"
"""The engine of two thirds of the measured rows; factors of other engines are relative to it."""


def engine(name: str) -> str:
    """Return the engine that a name refers to, without version, app and backend; ``""`` if unknown."""
    text = name.lower()
    return next((known for known, pattern in ENGINES.items() if re.search(pattern, text)), "")
