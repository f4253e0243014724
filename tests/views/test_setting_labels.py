"""What stands beside and in a control: labels, headings, and what an empty field stands for."""

import random

import pytest

from data import standing
from scripts.same_results import random_text
from views.registry import VIEWS
from views.setting_kinds import GROUPS, Choice, Decimal, WholeNumber
from views.settings import definitions, grouped
from views.view import read

LONGEST_LABEL, LONGEST_OPTION, LONGEST_EMPTY = 24, 36, 40
"""Letters that fit a control, a list of options, and an empty field."""
MOST_GROUPS = {"training-run": 7, "placement": 6}
USUAL_GROUPS = 5
OWN_NAMES = frozenset({*map(str, standing.table("architectures")["name"]), "vLLM"})
"""Names that are written as their makers write them, gpt-oss-20b."""
EVERY_VIEW = pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)


@EVERY_VIEW
def test_every_option_has_a_label_of_its_own_in_a_readers_words(view):
    for name, setting in definitions(view.settings).items():
        if not isinstance(setting, Choice):
            continue
        labels = [setting.label_of(word) for word in setting.options]
        assert len(set(labels)) == len(labels), name
        for word, label in zip(setting.options, labels, strict=True):
            assert len(label) <= LONGEST_OPTION, label
            assert label in OWN_NAMES or not label[0].islower(), label
            assert label in OWN_NAMES or "-" not in word or word not in label, label
            assert "_" not in label
            assert setting.shown(word) == label


@EVERY_VIEW
def test_every_control_has_a_short_label_and_all_but_the_first_row_a_heading(view):
    known = definitions(view.settings)
    labels = [setting.label for setting in known.values()]
    assert len(set(labels)) == len(labels)
    for setting in known.values():
        assert len(setting.label) <= LONGEST_LABEL, setting.label
        assert bool(setting.group) != setting.first_row, setting.label
        assert setting.help.endswith(".")
    assert known["release"].group == "Data"


@EVERY_VIEW
def test_headings_are_few_in_one_order_and_hold_every_other_setting_once(view):
    groups = grouped(view.settings)
    known = definitions(view.settings)
    assert len(groups) <= MOST_GROUPS.get(view.name, USUAL_GROUPS)
    assert list(groups) == [group for group in GROUPS if group in groups]
    held = [name for names in groups.values() for name in names]
    assert sorted(held) == sorted(name for name, setting in known.items() if not setting.first_row)


def test_every_heading_there_is_stands_on_some_view():
    assert {group for view in VIEWS.values() for group in grouped(view.settings)} == set(GROUPS)


@EVERY_VIEW
def test_an_empty_number_says_what_then_stands_whatever_else_is_chosen(view):
    draw = random.Random(view.name)
    known = definitions(view.settings)
    unset = [name for name, item in known.items() if isinstance(item, WholeNumber | Decimal) and item.unset]
    for _ in range(40):
        query = {name: [random_text(item, draw)] for name, item in known.items() if name not in unset}
        settings = read(view, query)[0]
        for name in unset:
            words = settings.where_empty(name)
            assert words
            assert len(words) <= LONGEST_EMPTY, words
            assert settings.shown(name) == words


@EVERY_VIEW
def test_every_value_is_shown_in_a_readers_words(view):
    draw = random.Random(view.name)
    for _ in range(20):
        query = {name: [random_text(item, draw)] for name, item in definitions(view.settings).items()}
        settings = read(view, query)[0]
        for name, setting in definitions(view.settings).items():
            shown = settings.shown(name)
            assert shown
            assert "None" not in shown or isinstance(setting, Choice)
            if isinstance(setting, Choice):
                assert shown == settings.option_label(name, getattr(settings, name))
