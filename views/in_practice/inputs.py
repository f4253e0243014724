"""Conversion of measured work and a release into pairs of measurements of the same work."""

import math
import re
from typing import Any

import pandas as pd

from analysis.in_practice.balance import Balance, Reached, balances
from analysis.in_practice.data_sheets import Sheet, accelerator_sheets, device_sheets, with_sheets
from analysis.in_practice.pairs import Measurements, Pairs, pairs_of
from analysis.in_practice.same_work import of_devices, of_full_load, of_offline_points, of_points, of_training
from analysis.trend.calendar_year import decimal_year
from data import standing
from data.by_release import kept_by_release
from data.releases import Release
from data.serving import full_load_points, serving_points, serving_speeds
from views.in_practice.settings import ANY, DEVICES, InPracticeSettings
from views.table import finite

LOADS = {"light": (0, 16), "middle": (17, 64), "heavy": (65, math.inf)}


@kept_by_release(16)
def _rows(work: str, match: str) -> pd.DataFrame:
    """Return the measured rows of a kind of work, as in :mod:`analysis.in_practice.same_work`."""
    exact = match == "exact"
    if work in DEVICES:
        column = "decode_tokens_per_s" if work == "decode" else "prefill_tokens_per_s"
        return of_devices(standing.table("measured_decode"), column, exact=exact)
    if work == "full":
        both = of_full_load(serving_speeds(), exact=exact), of_offline_points(full_load_points(), exact=exact)
        return pd.concat(both, ignore_index=True)
    if work == "training":
        return of_training(standing.table("published_training_rates"), exact=exact)
    column = "time_per_output_token_s" if work == "token" else "time_to_first_token_s"
    return of_points(serving_points(), column, exact=exact)


@kept_by_release(1)
def _devices() -> dict[str, Sheet]:
    return device_sheets(standing.table("edge_devices"))


def measurements(settings: InPracticeSettings, release: Release) -> Measurements:
    """Return the measured rows of the chosen work, for chips whose data sheet has bandwidth and FLOP/s."""
    rows = _rows(settings.work, settings.match)
    if settings.precision != ANY:
        rows = rows.loc[rows["bits"] == int(settings.precision)]
    if settings.load != ANY and settings.applies("load"):
        low, high = LOADS[settings.load]
        rows = rows.loc[rows["in_flight"].between(low, high)]
    device = settings.work in DEVICES
    sheets = accelerator_sheets(release.accelerators, device=device) | (_devices() if device else {})
    return with_sheets(rows, sheets, precisions=not device)


def pairs(settings: InPracticeSettings, release: Release) -> Pairs:
    """Return all selected pairs of chips measured on the same work."""
    every = pairs_of(measurements(settings, release))
    wanted = [words for words in map(_words, settings.chips.split(",")) if words]
    if not wanted:
        return every
    by_chip = {
        chip: {place for place, words in enumerate(wanted) if words <= _words(chip)} for chip in every.chips
    }

    def named(first: str, second: str) -> bool:
        one, other = by_chip[first], by_chip[second]
        return bool(one or other) if len(wanted) == 1 else bool(one and other and len(one | other) > 1)

    return every.where(named)


def _words(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9]+", name.lower()))


def measured_balances(release: Release) -> tuple[Balance, ...]:
    """Return the data-sheet and measured balance of every chip with measured matmuls, in order of release date."""
    matmuls: Any = standing.table("published_matmul")
    flop = matmuls.loc[matmuls["precision"] == "bf16"].set_index("accelerator")["measured_flop_per_s"]
    bandwidths: Any = standing.table("published_bandwidth")
    byte = bandwidths.set_index("accelerator")["measured_byte_per_s"]
    parts = release.accelerators
    parts = parts.assign(flop=parts["name"].map(flop), byte=parts["name"].map(byte))
    stated = (parts["peak_fp16_dense_flop_per_s"] > 0) & (parts["memory_bandwidth_byte_per_s"] > 0)
    rows: Any = parts.loc[parts["flop"].notna() & stated].sort_values("released_on")
    return balances(
        [
            Reached(
                chip=str(row.product),
                vendor=str(row.vendor),
                flagship=bool(row.flagship),
                released_year=year,
                paper_flop_per_s=float(row.peak_fp16_dense_flop_per_s),
                paper_byte_per_s=float(row.memory_bandwidth_byte_per_s),
                measured_flop_per_s=float(row.flop),
                measured_byte_per_s=finite(row.byte),
            )
            for row, year in zip(rows.itertuples(), decimal_year(rows["released_on"]).tolist(), strict=True)
        ]
    )
