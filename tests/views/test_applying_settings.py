"""A setting that is said not to apply changes nothing: whatever it is set to, the answer stays."""

import json
import math
import random
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from scripts.same_results import plain, random_text
from tests.length import LONG, at_length
from tests.views.links import corpus, drawn
from views.registry import VIEWS
from views.setting_kinds import Choice, Decimal, Month, Setting, WholeNumber
from views.settings import definitions
from views.view import ReleaseSettings, View, answer, link, pinned, read

PAIRS = at_length(24, few=2)
"""How many answers of a view are compared, beside those of its own examples."""
ONE_WORD_LEFT = {("growth-gap", "undisclosed")}
"""Settings whose other words are gone: old links still name them, and no page offers them."""
HIDDEN_BY_DEFAULT: dict[str, tuple[str, ...]] = {
    "compute-to-memory": ("tau",),
    "training-compute": ("tau",),
    "accelerators": ("tau", "top"),
    "growth-accounting": (),
    "track-record": (),
    "latency-floor": ("acceptance", "draft_share"),
    "techniques": ("devices",),
    "placement": ("billions", "tuning", "tuning_tokens", "deadline"),
    "training-run": (
        *("ramp_from", "layers", "hidden", "heads", "vocabulary", "experts", "active_experts"),
        *("tensor", "pipeline", "context", "expert", "interleave", "micro_batch", "zero", "recompute"),
        *("expert_overlap", "local_steps", "wide_area"),
    ),
    "in-practice": ("load",),
    "data": ("against",),
    "claims": (),
}
"""The views with settings that do not always apply, and which do not on the bare view."""
HIDDEN_IN_FIRST_ROW = {"placement": ("people", "each")}
"""Choices of the first row that a task may have no use for: a fine-tuning serves nobody."""
EXAMPLES: dict[str, list[dict[str, Any]]] = {
    "claims": [{"statement": name} for name in ("S0-02", "S1-08", "S2-35", "S3-14", "S4-01")],
    "placement": [{"work": "domain-tuning"}, {"work": "domain-tuning", "model": "custom"}],
    "training-run": [
        {"plan": "manual", "pipeline": 1},
        {"sites": 4},
        {"compute": 38_000},
        {"ramp_tokens": 300},
        {"model": "custom"},
        {"sites": 2, "plan": "manual", "model": "custom"},
    ],
}
"""Choices that hide other settings than a bare view does, and that few random links make."""
HIDING = pytest.mark.parametrize(
    "view", [view for view in VIEWS.values() if view.name in HIDDEN_BY_DEFAULT], ids=lambda view: view.name
)
EVERY_VIEW = pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)


def hidden(settings: ReleaseSettings) -> list[str]:
    """Return the settings that do not apply, in the order of their definition."""
    return [name for name in definitions(type(settings)) if not settings.applies(name)]


def otherwise(view: View, settings: ReleaseSettings, *, draw: random.Random) -> ReleaseSettings | None:
    """Return the settings with those that do not apply drawn anew; None where no sound ones are found."""
    known = definitions(view.settings)
    for _ in range(20):
        other = replace(
            settings,
            **{name: known[name].parse(name, random_text(known[name], draw)) for name in hidden(settings)},
        )
        if not other.conflicts() and other != settings:
            return other
    return None


def everything_shown(view: View, settings: ReleaseSettings) -> dict[str, Any]:
    """Return all that a reader of the page gets, but the link and the settings themselves."""
    result = answer(view, settings)
    return {
        "headline": result.headline,
        "figures": plain(result.figures),
        "settings_line": result.settings_line,
        "notes": list(result.notes),
        **{f"exhibit {place}": plain(exhibit) for place, exhibit in enumerate(result.exhibits)},
    }


@cache
def cases(view: View) -> list[tuple[ReleaseSettings, ReleaseSettings]]:
    """Return settings of which some do not apply, each with the same where just those are set otherwise."""
    draw, pairs = random.Random(f"applies to {view.name}"), {}
    examples = [view.settings(**changes) for changes in ({}, *EXAMPLES.get(view.name, []))]
    for settings in (*examples, *(read(view, query)[0] for query in corpus(view))):
        if settings not in pairs and hidden(settings) and len(pairs) < len(examples) + PAIRS:
            other = otherwise(view, settings, draw=draw)
            pairs |= {settings: other} if other is not None else {}
    return list(pairs.items())


@HIDING
def test_a_setting_that_does_not_apply_changes_nothing(view):
    assert len(cases(view)) >= 2
    for settings, other in cases(view):
        before, after = everything_shown(view, settings), everything_shown(view, other)
        changed = {name for name in before if json.dumps(before[name]) != json.dumps(after.get(name))}
        sets = {name for name in hidden(settings) if getattr(settings, name) != getattr(other, name)}
        assert not changed, (
            f"{changed} change with one of {sets}: {link(view, settings)} to {link(view, other)}"
        )
        assert before.keys() == after.keys()


@HIDING
def test_what_does_not_apply_is_kept_in_the_link_and_hides_nothing_itself(view):
    for settings, other in cases(view):
        assert read(view, link(view, other).partition("?")[2])[0] == pinned(other)
        assert hidden(settings) == hidden(other)


@HIDING
def test_what_does_not_apply_on_a_bare_view_is_known(view):
    assert tuple(hidden(view.settings())) == HIDDEN_BY_DEFAULT[view.name]


@EVERY_VIEW
def test_the_first_row_and_the_release_always_apply(view):
    for query in drawn(view, count=50, share=0.5):
        settings = read(view, query)[0]
        for name, setting in definitions(view.settings).items():
            first = setting.first_row and name not in HIDDEN_IN_FIRST_ROW.get(view.name, ())
            shown = first or name == "release" or view.name not in HIDDEN_BY_DEFAULT
            if (view.name, name) in ONE_WORD_LEFT:
                continue
            assert settings.applies(name) or not shown, f"{name}: name the view in HIDDEN_BY_DEFAULT"


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
    """Return headline and figures of an answer, at length its exhibits too, and its settings line."""
    result = answer(view, settings)
    exhibits = plain(list(result.exhibits)) if LONG else None
    return (result.headline, plain(result.figures), exhibits), result.settings_line


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
        assert figures == other_figures or line != other_line, (
            f"{name} changes what is shown, but the settings line does not name it: {link(view, after)}"
        )
