"""The key figures and how they are said."""

import pytest

from tests.views.model_errors.rows import row
from views.model_errors.compared import summary
from views.model_errors.figures import figures


def told(*predicted):
    rows = [row(row_id=str(i), predicted=value) for i, value in enumerate(predicted)]
    return {figure.name: figure for figure in figures(summary(rows), directions=("fast", "slow"))}


def test_size_bias_and_coverage_are_the_key_figures():
    found = told(112.0, 80.0, 145.0)
    assert [name for name, figure in found.items() if figure.key] == ["median_error", "bias", "inside"]
    assert (found["median_error"].text, found["bias"].text, found["inside"].text) == (
        "20 %",
        "+12 %",
        "100 %",
    )
    assert found["inside"].interval_text.startswith("90 %: ")
    assert (found["rows"].value, found["left_out"].value) == (3, 1)


@pytest.mark.parametrize(
    ("predicted", "label"),
    [
        (112.0, "Median error: too fast"),
        (90.0, "Median error: too slow"),
        (100.2, "Median error: neither too fast nor too slow"),
    ],
)
def test_a_bias_says_to_which_side(*, predicted, label):
    assert told(predicted)["bias"].label == label
