"""How much of its first speed a phone keeps under lasting work, from published tests that state both."""

import re

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray

_BURST = re.compile(r"burst was ([0-9.]+) tok/s")


def sustained_ratios(measured: pd.DataFrame) -> FloatArray:
    """Return sustained over first speed of each phone test that states both, shape (n,). [1]

    Raises
    ------
    ValueError
        No row states both speeds.
    """
    rows = measured.loc[
        measured["software"].str.contains("sustained") & (measured["device_class"] == "phone")
    ]
    ratios = [
        speed / float(found.group(1))
        for speed, note in zip(rows["decode_tokens_per_s"], rows["note"], strict=True)
        if (found := _BURST.search(note))
    ]
    if not ratios:
        raise ValueError(
            "no phone's row states a sustained speed and its first; got none in the table. Add a row whose software "
            "says sustained and whose note says 'burst was ... tok/s'."
        )
    return np.array(ratios)
