"""The growth of training compute under every sensible rule, each the chosen one changed in one respect."""

import numpy as np
import pandas as pd
from scipy.special import ndtri

from analysis.arrays import FloatArray
from analysis.trend.growth import Growth
from data import standing
from data.releases import Release
from views import written
from views.result import Exhibit
from views.runs.choice import TrainingComputeSettings, rule
from views.runs.rows import candidates, series
from views.trend import rates
from views.trend.rates import Changes, cases

SENSIBLE: Changes = tuple(written.toml(__file__, name="rules.toml").items())

NORMAL_REACH = float(ndtri(0.95))
"""How many standard deviations of an error its 90% interval reaches either way."""


def error_sd(runs: pd.DataFrame) -> FloatArray:
    """Return the standard deviation of the error of each run's compute, by its grade, shape (runs,). [log10]"""
    within = {
        grade: float(row["within_factor"])
        for grade, row in standing.rows("confidence_grades", "grade").items()
    }
    return np.log10([within[grade] for grade in runs["confidence"]]) / NORMAL_REACH


def spread_exhibit(
    release: Release, settings: TrainingComputeSettings, *, growth: Growth, source: str
) -> Exhibit | None:
    """Return the rate under all sensible rules beside that of the settings; None if no other can be fitted."""
    others = cases(settings, SENSIBLE, series_of=lambda case: series(candidates(release, case)), rule_of=rule)
    return rates.spread_exhibit(growth, others, subject="Compute per run", role="compute", source=source)
