"""How far predictions were off on published speeds that were gathered before any of them was predicted."""

from dataclasses import dataclass

import pandas as pd

from data import standing

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


def blind_test(predicted: str, subset: str = "all", *, tested_on: str = SECOND) -> BlindTest:
    """Return the blind test of ``decode`` or ``prefill`` of a day, on all rows or a subset of them.

    Raises
    ------
    LookupError
        A subset that was not tested.
    """
    table = standing.table("blind_tests")
    of_day = table.loc[table["tested_on"] == pd.Timestamp(tested_on)]
    lines = of_day.loc[(of_day["predicted"] == predicted) & (of_day["subset"] == subset)].to_dict("records")
    if not lines:
        raise LookupError(
            f"there is no blind test of {predicted} on {subset} of {tested_on}; see data/standing/blind_tests.csv."
        )
    (row,) = lines
    rows, devices, unknown = (
        0 if row[name] != row[name] else int(row[name])
        for name in ("n_rows", "n_devices", "n_unknown_devices")
    )
    return BlindTest(
        rows=rows,
        devices=devices,
        unknown_devices=unknown,
        median_error_percent=float(row["median_error_percent"]),
        inside_90_percent=float(row["inside_90_percent"]),
    )


def median_error(subset: str, *, tested_on: str = SECOND) -> str:
    """Return the median error of decode on a subset, in words."""
    return f"{blind_test('decode', subset, tested_on=tested_on).median_error_percent:.0f} %"
