"""The steps of the story: each rests on a statement there is, and asks a view something it can be asked."""

import pytest

from data import standing
from views.registry import VIEWS
from views.story.steps import BY_WORD, STEPS
from views.view import read

STATEMENTS = set(standing.table("claims")["claim_id"])
EACH = pytest.mark.parametrize("step", STEPS, ids=lambda step: step.word)


def test_each_step_is_named_by_its_own_word_and_label():
    assert len(STEPS) == len(BY_WORD) == len({step.label for step in STEPS}) >= 13


@EACH
def test_a_step_rests_on_a_statement_there_is(step):
    assert step.statement in {*STATEMENTS, ""}


def test_no_statement_is_told_twice():
    told = [step.statement for step in STEPS if step.statement]
    assert len(told) == len(set(told)) >= 11


@EACH
def test_the_view_of_a_step_is_in_the_menu_and_takes_every_choice(step):
    assert VIEWS[step.view.path] is step.view
    assert not read(step.view, step.choices)[1]


@EACH
def test_an_argument_leaves_its_numbers_to_the_statements(step):
    assert not any(letter.isdigit() for letter in step.argument)
    assert step.argument.count("{}") <= bool(step.statement)
    assert not step.argument.endswith(".")
