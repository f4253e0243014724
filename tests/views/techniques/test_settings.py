"""Which techniques go together: what a link to /techniques may say."""

import pytest

from analysis.techniques.catalogue import TECHNIQUES
from tests.views.techniques.answers import ask
from views.techniques.settings import NONE, OPTIONS, TechniquesSettings


def test_two_techniques_for_the_same_part_are_not_taken_together():
    result = ask("technique=fp8-weights&second=int4-weights")
    assert result.ignored[0].setting == "second"
    assert "which fixes the same part" in result.ignored[0].allowed
    assert ask("second=fp8-weights").ignored[0].setting == "second"


@pytest.mark.parametrize("name", TECHNIQUES)
def test_no_technique_goes_with_itself_and_every_one_can_be_chosen(name):
    twice = TechniquesSettings(technique=name, third=name)
    assert [conflict.names for conflict in twice.conflicts()] == [("third", "technique")]
    assert TechniquesSettings(technique=name).conflicts() == ()
    assert set(OPTIONS) == set(TECHNIQUES)


def test_the_chosen_are_those_that_are_no_none_in_their_order():
    settings = TechniquesSettings(technique="batching", second=NONE, third="int4-weights")
    assert settings.chosen == ("batching", "int4-weights")
