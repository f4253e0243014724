"""What /growth-gap answers, and the levels behind it."""

from typing import Any

from data.releases import latest, load
from views.growth_gap import levels as gap_levels
from views.growth_gap.levels import Level
from views.growth_gap.settings import GrowthGapSettings, comparison
from views.growth_gap.view import VIEW
from views.view import answer

RELEASE = load(latest())
LEVELS = ("run-chip", "chip-chip", "run-run")
PLAIN = ("compute_growth", "bandwidth_growth", "gap_growth")


def ask(**settings: Any) -> Any:
    return answer(VIEW, GrowthGapSettings(**settings))


def found_levels(**settings: Any) -> dict[str, Level]:
    every = gap_levels.levels(RELEASE, comparison(GrowthGapSettings(**settings)))
    assert all(isinstance(level, Level) for level in every)
    return {level.name: level for level in every if isinstance(level, Level)}
