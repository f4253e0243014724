"""What a place lacks of what is asked."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.placement.answers import answers_to
from analysis.placement.shortfall import Lack, shortfall
from tests.analysis.placement.questions import a_question


def lacking(**changes):
    question = a_question()
    answers = answers_to(replace(question, requirements=replace(question.requirements, **changes)))
    return answers, [shortfall(answers, i) for i in range(len(answers.meets))]


@pytest.mark.parametrize(
    ("changes", "lack"),
    [
        ({"output_tokens_per_s": 1e9}, Lack.SPEED),
        ({"time_to_first_token_s": 1e-9}, Lack.FIRST_TOKEN),
        ({"cost_usd_per_1000_requests": 1e-9}, Lack.COST),
    ],
)
def test_what_is_missed_by_the_most_is_lacking_with_the_number_reached_and_the_one_required(changes, lack):
    answers, lacks = lacking(**changes)
    (required,) = changes.values()
    reached = {
        Lack.SPEED: 1 / answers.token_s.median,
        Lack.FIRST_TOKEN: answers.first_s.median,
        Lack.COST: answers.cost_usd.median,
    }[lack]
    assert any(one is not None and one.lack is lack for one in lacks)
    for i, one in enumerate(lacks):
        if one is not None and one.lack is lack:
            assert (one.reached, one.required) == (reached[i], required)


def test_a_rule_comes_before_memory_and_that_before_any_number():
    answers, lacks = lacking(stay="device", output_tokens_per_s=1e9)
    for i, one in enumerate(lacks):
        assert one is not None
        assert (one.lack is Lack.RULE) == bool(answers.ruled_out[i])
        assert one.lack is not Lack.RULE or one.rule == "device"
        assert (one.lack is Lack.MEMORY) == bool(not answers.fits[i] and not answers.ruled_out[i])


def test_nothing_is_lacking_where_a_place_meets_what_is_asked_and_else_its_chance():
    answers, lacks = lacking()
    assert [one is None for one in lacks] == answers.meets.tolist()
    sure = replace(answers, meets=np.zeros_like(answers.meets))
    likely = [one for i in range(len(lacks)) if (one := shortfall(sure, i)) and one.lack is Lack.CHANCE]
    assert likely and all(one.required == answers.question.sure for one in likely)


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({}, ""),
        ({"stay": "premises"}, "premises"),
        ({"stay": "device", "offline": True}, "device"),
        ({"offline": True}, "offline"),
    ],
    ids=str,
)
def test_one_rule_is_named(changes, rule):
    assert replace(a_question().requirements, **changes).rule == rule


def test_of_several_that_are_missed_it_is_the_one_missed_by_the_most():
    first, speed = 1e-3, 1e9
    answers, lacks = lacking(time_to_first_token_s=first, output_tokens_per_s=speed)
    of_speed = speed * answers.token_s.median
    assert (of_speed > answers.first_s.median / first).all()
    assert {one.lack for one in lacks if one is not None} & {Lack.SPEED, Lack.FIRST_TOKEN} == {Lack.SPEED}
