"""What a technique may save, and the growth its saving is counted in."""

from dataclasses import fields

from analysis.techniques.worth import Bill
from tests.views.techniques.answers import ask
from views.chips.metrics import METRICS
from views.techniques.measures import MEASURES


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
