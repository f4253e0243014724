"""The settings line names every choice that made the figures."""

import math
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from scripts.same_results import plain
from tests.length import LONG
from views.registry import VIEWS
from views.setting_kinds import Choice, Decimal, Month, Setting, WholeNumber
from views.settings import definitions
from views.view import ReleaseSettings, View, answer, link

EVERY_SETTING = [
    pytest.param(view, name, id=f"{view.name}-{name}")
    for view in VIEWS.values()
    for name in definitions(view.settings)
    if name != "release"
]
WHERE_IT_COUNTS: dict[tuple[str, str], dict[str, Any]] = {
    ("placement", "tuning"): {"work": "domain-tuning"},
    ("placement", "tuning_tokens"): {"work": "domain-tuning"},
    ("placement", "deadline"): {"work": "domain-tuning"},
    ("placement", "rents"): {"year": 2032},
    ("placement", "rent_change"): {"work": "domain-tuning", "only": "cloud"},
    ("placement", "years"): {"work": "domain-tuning"},
    ("placement", "electricity"): {"work": "domain-tuning"},
    ("latency-floor", "acceptance"): {"speculative_tokens": 4},
    ("latency-floor", "draft_share"): {"speculative_tokens": 4},
    ("techniques", "devices"): {"phase": "training", "technique": "zero-3"},
    ("training-compute", "tau"): {"estimator": "quantile"},
    ("compute-to-memory", "tau"): {"estimator": "quantile"},
    ("accelerators", "tau"): {"estimator": "quantile"},
    ("accelerators", "top"): {"rule": "frontier"},
    ("training-run", "local_steps"): {"sites": 4},
    ("training-run", "wide_area"): {"sites": 4},
    ("training-run", "ramp_from"): {"ramp_tokens": 300.0},
}
"""Other choices under which a setting counts that does not on the bare view."""


@cache
def shown(view: View, settings: ReleaseSettings) -> tuple[Any, str]:
    """Return headline and figures of an answer, and its settings line."""
    result = answer(view, settings)
    return (result.headline, plain(result.figures)), result.settings_line


def others(setting: Setting, value: Any) -> list[Any]:
    """Return other values of a setting: the neighbouring words, or numbers near and far."""
    if isinstance(setting, Choice):
        words = list(setting.options)
        at = words.index(value)
        return [*words[at + 1 :], *words[:at]]
    if isinstance(setting, Month):
        return ["2020", "2016"]
    if not isinstance(setting, WholeNumber | Decimal):
        return []
    low, high = float(setting.low), float(setting.high)
    middle = math.sqrt(low * high) if low > 0 else (low + high) / 2
    steps = () if value is None else (value * 1.5, value / 2, value + 1, value - 1)
    near = next((step for step in steps if low <= step <= high), middle)
    digits = 0 if isinstance(setting, WholeNumber) else 3
    return [setting.parse("", f"{number:.{digits}f}") for number in (near, middle)]


@pytest.mark.parametrize(("view", "name"), EVERY_SETTING)
def test_a_choice_that_changes_the_figures_is_named_in_the_settings_line(view, name):
    before = view.settings(**WHERE_IT_COUNTS.get((view.name, name), {}))
    setting = definitions(view.settings)[name]
    if not before.applies(name):
        pytest.skip("counts only beside other choices")
    for value in others(setting, getattr(before, name))[: 8 if LONG else 1]:
        after = replace(before, **{name: value})
        if after.conflicts() or after == before:
            continue
        (figures, line), (other_figures, other_line) = shown(view, before), shown(view, after)
        assert figures == other_figures or line != other_line, link(view, after)
