"""The fitted factors of serving, and what was held about each before any measurement: factors.toml."""

import tomllib
from pathlib import Path

import numpy as np

from analysis.arrays import FloatArray

FACTORS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
NAMES = tuple(FACTORS)
PRIOR_MEAN: FloatArray = np.log([factor["typical"] for factor in FACTORS.values()])
PRIOR_SPREAD: FloatArray = np.array([factor["spread"] for factor in FACTORS.values()])


def by_name(logs: FloatArray) -> dict[str, float]:
    """Return factors by name, given their logarithms in the order of :data:`FACTORS`."""
    return dict(zip(NAMES, map(float, np.exp(logs)), strict=True))
