"""Published runs as other sources tell them: the harder test, on the same rows."""

from views.model_errors import of_training
from views.model_errors.compared import summary
from views.model_errors.of_training_by_source import compared


def test_the_rows_are_those_of_training_and_the_measurements_too():
    harder, usual = compared(), of_training.compared()
    assert [(row.row_id, row.measured) for row in harder] == [(row.row_id, row.measured) for row in usual]
    assert {(row.model, row.way) for row in harder} == {("training, new source", "without its source")}


def test_a_source_nobody_has_heard_of_is_harder_to_predict_and_its_intervals_are_wider():
    harder, usual = compared(), of_training.compared()
    assert summary(harder).size > summary(usual).size
    wider = [a.high / a.low > b.high / b.low for a, b in zip(harder, usual, strict=True)]
    assert sum(wider) > 0.75 * len(wider)
