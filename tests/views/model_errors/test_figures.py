"""The key figures and how they are said."""

import pytest

from tests.analysis.model_errors.rows import row
from tests.views.model_errors.answers import about
from views.model_errors.figures import figures


def figures_of(*predicted):
    rows = [row(row_id=str(i), predicted=value) for i, value in enumerate(predicted)]
    return {figure.name: figure for figure in figures(about(rows))}


def test_size_bias_and_coverage_are_the_key_figures():
    by_name = figures_of(112.0, 80.0, 145.0)
    assert [(name, figure.text) for name, figure in by_name.items() if figure.key] == [
        ("median_error", "20 %"),
        ("bias", "+12 %"),
        ("inside", "100 %"),
    ]
    assert by_name["median_error"].interval_text == "nine in ten from −17 % to +42 %"
    assert by_name["inside"].interval_text.startswith("90 %: ")
    assert (by_name["inside"].low or 1) < (by_name["inside"].value or 0) == by_name["inside"].high
    assert (by_name["rows"].value, by_name["left_out"].value) == (3, 1)


@pytest.mark.parametrize(
    ("predicted", "side"),
    [(112.0, "too fast"), (90.0, "too slow"), (100.2, "neither too fast nor too slow")],
)
def test_a_bias_says_to_which_side(*, predicted, side):
    assert figures_of(predicted)["bias"].label == f"Median error: {side}"
