"""Which program ran a model: engines by the names that people and sources write."""

import re
import tomllib
from pathlib import Path

ENGINES: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""Patterns of each engine's names, tried in this order; an unknown one is ``""`` and counts as :data:`REFERENCE`."""

REFERENCE = "llama.cpp"
"""The engine of two thirds of the measured rows: what is fitted for another is how far it lies from this one."""


def engine(name: str) -> str:
    """Return the engine that a name means, without version, app and backend; ``""`` where it is not known."""
    text = name.lower()
    return next((known for known, pattern in ENGINES.items() if re.search(pattern, text)), "")
