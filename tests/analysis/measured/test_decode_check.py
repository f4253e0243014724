"""What the placement model promises on devices it has not seen, on the rows of data/standing/measured_decode.csv.

The settings of the fit were chosen on these same errors, which flatters them. ExecuTorch's command-line runner counts
as an engine of its own: inside an app it is three times as slow.
"""

import numpy as np
import pytest

from analysis.measured.decode import group
from analysis.measured.held_out import error_percent
from analysis.placement.tables import models

CHECKED, ROWS = models().decode, models().decode_rows
ERROR = np.abs(error_percent(CHECKED.residual))
IN_CHECK = ROWS["in_check"].to_numpy(dtype=bool)
CLASS = np.array([group(*pair) for pair in zip(ROWS["device_class"], ROWS["backend"], strict=True)])


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9])
def test_intervals_made_without_a_chip_hold_its_rows_as_often_as_they_say(level):
    covered = CHECKED.covered(level)
    assert abs(covered.mean() - level) < 0.06
    assert abs(covered[IN_CHECK].mean() - level) < 0.09


@pytest.mark.parametrize(
    ("rows", "least", "percent", "inside"),
    [
        pytest.param(IN_CHECK & np.isin(CLASS, ["laptop GPU", "desktop_gpu GPU"]), 1, 9.5, 0, id="dense on GPUs"),
        pytest.param(IN_CHECK, 200, 12.5, 0, id="dense overall"),
        pytest.param(ROWS["row_id"].between("d685", "d885").to_numpy(), 190, 13.0, 0.85, id="gathered in 2026-11"),
        pytest.param(ROWS["in_moe_check"].to_numpy(dtype=bool), 15, 30.0, 0, id="mixtures of experts"),
        pytest.param((ROWS["context_tokens"] == 8192).to_numpy(), 25, 10.0, 0, id="long contexts, reading the cache"),
        pytest.param(CLASS == "phone CPU", 36, 54.0, 0.6, id="processors of phones"),
    ],
)  # fmt: skip
def test_decode_on_chips_and_sources_left_out_stays_within_its_bounds(*, rows, least, percent, inside):
    assert rows.sum() >= least
    assert np.median(ERROR[rows]) <= percent
    assert CHECKED.covered(0.9)[rows].mean() >= inside
