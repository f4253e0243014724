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
from views import written
from views.registry import VIEWS
from views.setting_kinds import Choice, Decimal, Month, Setting, WholeNumber
from views.settings import definitions
from views.view import ReleaseSettings, View, answer, link, pinned, read

PAIRS = at_length(24, few=2)
"""How many answers of a view are compared, beside those of its own examples."""
TABLES = written.toml(__file__, name="applying_settings.toml")
ONE_WORD_LEFT = {("growth-gap", "undisclosed")}
"""Settings whose other words are gone: old links still name them, and no page offers them."""
HIDDEN_IN_FIRST_ROW = {"placement": ("people", "each")}
"""Choices of the first row that a task may have no use for: a fine-tuning serves nobody."""
HIDDEN = TABLES["hidden_by_default"]
HIDING = pytest.mark.parametrize(
    "view", [one for one in VIEWS.values() if one.name in HIDDEN], ids=lambda one: one.name
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
    examples = [view.settings(**changes) for changes in ({}, *TABLES["examples"].get(view.name, []))]
    for settings in (*examples, *(read(view, query)[0] for query in corpus(view))):
        if settings not in pairs and hidden(settings) and len(pairs) < len(examples) + PAIRS:
            other = otherwise(view, settings, draw=draw)
            pairs |= {settings: other} if other is not None else {}
    return list(pairs.items())


@HIDING
def test_a_setting_that_does_not_apply_changes_nothing_hides_nothing_and_is_kept_in_the_link(view):
    assert len(cases(view)) >= 2
    for settings, other in cases(view):
        before, after = everything_shown(view, settings), everything_shown(view, other)
        changed = {name for name in before if json.dumps(before[name]) != json.dumps(after.get(name))}
        sets = {name for name in hidden(settings) if getattr(settings, name) != getattr(other, name)}
        assert not changed, (changed, sets, link(view, settings), link(view, other))
        assert before.keys() == after.keys() and hidden(settings) == hidden(other)
        assert read(view, link(view, other).partition("?")[2])[0] == pinned(other)


@HIDING
def test_what_does_not_apply_on_a_bare_view_is_known(view):
    assert hidden(view.settings()) == HIDDEN[view.name]


@EVERY_VIEW
def test_the_first_row_and_the_release_always_apply(view):
    for query in drawn(view, count=50, share=0.5):
        settings = read(view, query)[0]
        for name, setting in definitions(view.settings).items():
            first = setting.first_row and name not in HIDDEN_IN_FIRST_ROW.get(view.name, ())
            shown = first or name == "release" or view.name not in HIDDEN
            if (view.name, name) in ONE_WORD_LEFT:
                continue
            assert settings.applies(name) or not shown, f"{name}: name the view in applying_settings.toml"


EVERY_SETTING = [
    pytest.param(view, name, id=f"{view.name}-{name}")
    for view in VIEWS.values()
    for name in definitions(view.settings)
    if name != "release"
]


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
    before = view.settings(**TABLES["where_it_counts"].get(view.name, {}).get(name, {}))
    setting = definitions(view.settings)[name]
    if not before.applies(name):
        pytest.skip("counts only beside other choices")
    for value in others(setting, getattr(before, name))[: 8 if LONG else 1]:
        after = replace(before, **{name: value})
        if after.conflicts() or after == before:
            continue
        (figures, line), (other_figures, other_line) = shown(view, before), shown(view, after)
        assert figures == other_figures or line != other_line, f"{name} is not named: {link(view, after)}"
