"""What /placement rests on, in words, and how far predictions were off in two blind tests.

In a blind test published speeds were gathered before any of them was predicted.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from data import standing
from data.by_release import RowByRelease
from views import written

FIRST, SECOND = "2026-11-21", "2026-11-22"


@dataclass(frozen=True, kw_only=True)
class BlindTest:
    """One prediction of an earlier form of the fit against speeds it had not seen: how many, how far off. [%]

    ``unknown_devices`` are those whose chip the fit had not seen; 0, and NaN for the share of rows inside the 90 %
    interval, where it is not known.
    """

    rows: int
    devices: int
    unknown_devices: int
    median_error_percent: float
    inside_90_percent: float

    @classmethod
    def from_row(cls, row: Mapping[Hashable, Any]) -> "BlindTest":
        """Return the test of a row of the table of blind tests."""
        counts = (row["n_rows"], row["n_devices"], row["n_unknown_devices"])
        rows, devices, unknown = (0 if pd.isna(count) else int(count) for count in counts)
        return cls(
            rows=rows,
            devices=devices,
            unknown_devices=unknown,
            median_error_percent=float(row["median_error_percent"]),
            inside_90_percent=float(row["inside_90_percent"]),
        )


def _of_day(predicted: str, *, tested_on: str) -> dict[str, BlindTest]:
    """Return the blind tests of ``decode`` or ``prefill`` of a day, by the subset of rows."""
    table = standing.table("blind_tests")
    rows = table.loc[(table["tested_on"] == pd.Timestamp(tested_on)) & (table["predicted"] == predicted)]
    return {row["subset"]: BlindTest.from_row(row) for row in rows.to_dict("records")}


def blind_test(predicted: str, subset: str = "all", *, tested_on: str = SECOND) -> BlindTest:
    """Return the blind test of ``decode`` or ``prefill`` of a day, on all rows or a subset of them.

    Raises
    ------
    LookupError
        A subset that was not tested.
    """
    test = _of_day(predicted, tested_on=tested_on).get(subset)
    if test is None:
        raise LookupError(
            f"there is no blind test of {predicted} on {subset} of {tested_on}; see data/standing/blind_tests.csv."
        )
    return test


def _method() -> tuple[str, ...]:
    numbers: dict[str, Any] = {}
    for name, day in (("first", FIRST), ("second", SECOND)):
        numbers |= {f"{name}_day": day, f"{name}_prompts": blind_test("prefill", tested_on=day)}
        numbers[name] = _of_day("decode", tested_on=day)
    return tuple(text.format(**numbers) for text in written.method(__file__))


METHOD = RowByRelease(_method)
