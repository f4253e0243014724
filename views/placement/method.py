"""What /placement rests on, in words, and how far predictions were off in two blind tests.

In a blind test published speeds were gathered before any of them was predicted.
"""

from dataclasses import dataclass

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


def blind_tests() -> tuple[str, str]:
    """Return how far off the fit was in both blind tests, a paragraph each."""
    second, prompts = blind_test("decode"), blind_test("prefill")
    first, first_prompts = (blind_test(name, tested_on=FIRST) for name in ("decode", "prefill"))
    return (
        f"A blind test of {FIRST}: {first.rows} published speeds of one user on {first.devices} devices, "
        f"{first.unknown_devices} of their chips unknown to the fit, were gathered before any was predicted from "
        f"class, bandwidth and bytes alone. The median error of decode was {median_error('all', tested_on=FIRST)} "
        f"(dense models {median_error('dense models', tested_on=FIRST)}, mixtures "
        f"{median_error('mixtures', tested_on=FIRST)}; laptop GPUs {median_error('laptop GPUs', tested_on=FIRST)}, "
        f"desktop GPUs {median_error('desktop GPUs', tested_on=FIRST)}), with {first.inside_90_percent:.0f} % of rows "
        f"inside the 90 % interval; of prefill, on {first_prompts.rows} rows, {first_prompts.median_error_percent:.0f} "
        "%. Worst were Pascal and older AMD cards (too fast), server CPUs (half the speed) and mixtures on Ryzen AI "
        "Max.",
        f"A blind test of {SECOND}, of the fit that those rows had joined: {second.rows} speeds on {second.devices} "
        f"devices, {second.unknown_devices} of them unknown. The median error of decode was {median_error('all')} "
        f"(mixtures {median_error('mixtures')}; laptop GPUs {median_error('laptop GPUs')}, desktop GPUs "
        f"{median_error('desktop GPUs')}, NPUs {median_error('NPUs')}, processors of phones "
        f"{median_error('processors of phones')}), with {second.inside_90_percent:.0f} % inside; of prefill, on "
        f"{prompts.rows} rows, {prompts.median_error_percent:.0f} %: NPUs read prompts 6 to 20 times as fast as "
        "predicted. Speeds taken inside an app (ExecuTorch on phones) were a third of what was predicted. These rows "
        "have joined the fit too, which now knows engines, as the command line does.",
    )


def _method() -> tuple[str, ...]:
    texts = {"{blind tests}": blind_tests()}
    return tuple(line for text in written.method(__file__) for line in texts.get(text, (text,)))


METHOD = RowByRelease(_method)
