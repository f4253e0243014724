"""Lookup of inference engines by the names that people and sources use."""

import re
import tomllib
from pathlib import Path

ENGINES: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Patterns of engine names, tried in order. An unknown engine is ``""`` and counts as :data:`REFERENCE`."""

REFERENCE = "llama.cpp"
"""The engine of two thirds of the measured rows. The factors of other engines are relative to it."""


def engine(name: str) -> str:
    """Return the engine in a name, without its version, app or backend. Empty if none is known."""
    text = name.lower()
    return next((known for known, pattern in ENGINES.items() if re.search(pattern, text)), "")
