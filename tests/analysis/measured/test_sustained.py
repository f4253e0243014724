"""How much of its first speed a phone keeps."""

import numpy as np
import pandas as pd
import pytest

from analysis.measured.sustained import sustained_ratios
from tests.analysis.placement.questions import MEASURED, SUSTAINED


def test_a_table_without_sustained_speeds_is_refused():
    with pytest.raises(
        ValueError, match=r"^no phone's row states a sustained speed and its first; got none in the table\."
    ) as refused:
        sustained_ratios(MEASURED.loc[MEASURED["device_class"] != "phone"])
    assert "'burst was ... tok/s'" in str(refused.value)


def test_a_sustained_ratio_is_the_row_over_the_first_speed_of_its_note():
    rows = pd.DataFrame(
        {
            "software": ["engine, sustained", "engine", "engine, sustained"],
            "device_class": ["phone", "phone", "laptop"],
            "decode_tokens_per_s": [8.0, 9.0, 10.0],
            "note": ["burst was 20 tok/s"] * 3,
        }
    )
    assert sustained_ratios(rows) == pytest.approx([0.4])
    assert np.all((SUSTAINED > 0) & (SUSTAINED <= 1))
