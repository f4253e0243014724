import numpy as np
import pytest

from analysis.hardware.workloads import tokens_to_fill
from tests.views.compute_to_memory.answers import ask, number


def test_the_batch_starts_from_the_chip_and_grows_unsure_along_the_trend():
    result = ask(level="95")
    rows = result.exhibits[2].table.rows
    assert [row[0] for row in rows] == list(range(2023, 2031))
    growth = result.figure("yearly_growth").value or 0
    assert rows[-1][1] == pytest.approx(number(rows[0][1]) * growth**7)
    assert rows[-1][2] == pytest.approx(tokens_to_fill(float(rows[-1][1] or 0), precision="fp16"))
    widths = [float(row[4] or 0) / float(row[3] or 1) for row in rows]
    assert widths[0] < 1.2 and np.all(np.diff(widths) > 0)
    assert result.exhibits[2].chart.title == (
        "The H100 SXM needs about 310 tokens at once to be compute-bound, about 390 in 2030"
    )


def test_in_the_lowest_format_the_batch_does_not_grow_by_the_shrinking_of_numbers():
    lowest, sixteen = (ask(precision=precision) for precision in ("lowest", "fp16"))
    grown = [float(result.exhibits[2].table.rows[-1][2] or 0) for result in (lowest, sixteen)]
    assert (
        1 / 2 < grown[0] / grown[1] < 2
    )  # from 16 bits to FP4, counting bytes, it would be four times as many
    shown = lowest.figure("yearly_growth").value or 0
    rows = lowest.exhibits[2].table.rows
    assert number(rows[-1][1]) / number(rows[0][1]) < 0.6 * shown**7


def test_a_batch_that_no_chip_could_fill_is_said_to_be_more_than_any():
    shown = ask(since="2012", to=2050, precision="fp16")
    assert shown.exhibits[2].chart.title.endswith("compute-bound, and in 2050 no batch is enough")
    assert shown.exhibits[2].table.rows[-1][2] == np.inf
