"""Data-sheet bandwidth and dense peaks of accelerators (from releases) and of devices (from our table)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.hardware.device_makers import maker
from analysis.in_practice.pairs import Measurements
from analysis.measured.prefill_cases import MATRIX_UNITS
from analysis.trend.calendar_year import decimal_year

BY_BITS = {16: ("fp16",), 8: ("fp8", "fp16"), 4: ("fp4", "fp8", "fp16")}
"""Compute precisions to try for each number of weight bits: the same, then the next wider ones."""


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """Data sheet of a chip: bandwidth [byte/s], dense peaks [FLOP/s] keyed by weight bits, and release year."""

    label: str
    bandwidth_byte_per_s: float
    flop_per_s: Mapping[int, float]
    released_year: float


def device_sheets(table: pd.DataFrame) -> dict[str, Sheet]:
    """Return the data sheets of devices. The 16-bit peak is that of the matrix units, or else of the shaders.

    If a chip has matrix units but the table has only its shader peak, the device has no peak here.
    """
    shaders_only = [
        maker(name) == "Apple" and not re.search(MATRIX_UNITS["Apple"], name) for name in table["name"]
    ]
    peaks = table["peak_fp16_flop_per_s"].fillna(table["peak_fp16_shader_flop_per_s"].where(shaders_only))
    years = np.nan_to_num(decimal_year(table["released_on"]))
    return {
        name: Sheet(
            label=name.removeprefix("NVIDIA "),
            bandwidth_byte_per_s=byte,
            flop_per_s=dict.fromkeys(BY_BITS, peak),
            released_year=year,
        )
        for name, byte, peak, year in zip(
            table["name"].astype(str),
            table["memory_bandwidth_byte_per_s"],
            peaks,
            years.tolist(),
            strict=True,
        )
    }


def accelerator_sheets(accelerators: pd.DataFrame, *, device: bool) -> dict[str, Sheet]:
    """Return data sheets of accelerators, keyed by name and product. With ``device``, all peaks are at 16 bits."""
    table = accelerators.sort_values("representative", kind="stable")
    peaks = {}
    for bits, names in BY_BITS.items():
        wide = table[[f"peak_{name}_dense_flop_per_s" for name in (BY_BITS[16] if device else names)]]
        peaks[bits] = wide.bfill(axis=1).iloc[:, 0].to_numpy(dtype=float)
    sheets = [
        Sheet(
            label=str(product),
            bandwidth_byte_per_s=byte,
            flop_per_s={bits: float(column[place]) for bits, column in peaks.items()},
            released_year=year,
        )
        for place, (product, byte, year) in enumerate(
            zip(
                table["product"],
                table["memory_bandwidth_byte_per_s"],
                decimal_year(table["released_on"]).tolist(),
                strict=True,
            )
        )
    ]
    products = dict(zip(table["product"].astype(str), sheets, strict=True))
    return products | dict(zip(table["name"].astype(str), sheets, strict=True))


def with_sheets(rows: pd.DataFrame, sheets: Mapping[str, Sheet], *, precisions: bool) -> Measurements:
    """Return those measured rows of one kind of work for which the chip's data sheet states bandwidth and FLOP/s.

    ``rows`` are as in :mod:`analysis.in_practice.same_work`; ``precisions`` separates pairs by precision.
    """
    columns = ("work", "chip", "group", "bits", "speed", "share")
    known = [
        (work, sheet, group, bits, speed * sheet.flop_per_s[bits] if share else speed)
        for work, chip, group, bits, speed, share in zip(
            *(rows[name].tolist() for name in columns), strict=True
        )
        if (sheet := sheets.get(chip)) and sheet.bandwidth_byte_per_s > 0 and sheet.flop_per_s[bits] > 0
    ]
    return Measurements(
        work=tuple(work for work, *_ in known),
        chip=tuple(sheet.label for _, sheet, *_ in known),
        model=tuple(group for _, _, group, *_ in known),
        precision=tuple(f"{bits}-bit" if precisions else "" for *_, bits, _ in known),
        speed=np.array([speed for *_, speed in known], dtype=float),
        bandwidth_byte_per_s=np.array([sheet.bandwidth_byte_per_s for _, sheet, *_ in known], dtype=float),
        flop_per_s=np.array([sheet.flop_per_s[bits] for _, sheet, _, bits, _ in known], dtype=float),
        released_year=np.array([sheet.released_year for _, sheet, *_ in known], dtype=float),
    )
