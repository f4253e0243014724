"""The growth benchmark compares like with like."""

import numpy as np
import pytest

from analysis.trend.bootstrap import row_counts
from benchmarks.growth import agree, history, loop_slopes, matrix_slopes


def test_the_plain_loop_and_the_analysis_give_the_same_slopes():
    runs = history()
    counts = row_counts(np.random.default_rng(5), rows=len(runs.year), draws=3)
    log10 = np.log10(runs.value)
    assert matrix_slopes(runs.year, log10, counts=counts) == pytest.approx(
        np.array(loop_slopes(runs.year, log10, counts=counts))
    )


def test_the_speed_of_different_answers_is_not_compared():
    with pytest.raises(
        ArithmeticError, match=r"same answer within 0\.01; got \[1\.0\] and \[1\.1\]\. Look at both\."
    ):
        agree([1.0], [1.1], within=0.01)
