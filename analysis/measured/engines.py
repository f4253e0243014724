"""Inference engines, looked up by the names that people and sources use."""

import re
import tomllib
from pathlib import Path

ENGINES: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Patterns of each engine's names, tried in order; an unknown engine is ``""`` and counts as :data:`REFERENCE`."""

REFERENCE = "llama.cpp"
"""The engine of two thirds of the measured rows; the factors of other engines are relative to this one."""


def engine(name: str) -> str:
    """Return the engine that a name refers to, without version, app and backend; ``""`` if none is known."""
    text = name.lower()
    return next((known for known, pattern in ENGINES.items() if re.search(pattern, text)), "")
