"""Which techniques go together: what a link to /techniques may say."""

from dataclasses import fields

import pytest

from analysis.techniques.catalogue import TECHNIQUES
from analysis.techniques.worth import Bill
from tests.views.techniques.answers import ask
from views.chips.metrics import METRICS
from views.techniques.settings import MEASURES, NONE, OPTIONS, TechniquesSettings


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


def test_memory_is_counted_in_years_of_capacity():
    result = ask("phase=training&technique=zero-3&measure=memory")
    assert "years of capacity growth" in result.headline


def test_every_measure_is_a_part_of_the_bill_of_its_own_and_grows_with_a_known_metric():
    parts = [measure.field for measure in MEASURES.values()]
    assert len(set(parts)) == len(parts) and set(parts) < {field.name for field in fields(Bill)}
    assert all(measure.metric in METRICS for measure in MEASURES.values())


def test_a_measure_has_the_unit_that_its_part_of_the_bill_is_named_for():
    for measure in MEASURES.values():
        suffix = measure.field.rsplit("_", 1)[-1]
        assert measure.unit.lower() == suffix
