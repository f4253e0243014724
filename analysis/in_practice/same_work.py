"""Rows of measured speeds, with a key for the work. Rows of the same work can be compared.

Every function returns the columns ``work``, ``chip``, ``group``, ``speed``, ``bits``, ``in_flight`` and ``share``. They
are the work as one key, the chip's name in its row, the language model, the speed (as a share of the chip's peak if
``share``), the weight bits and the concurrent requests. If ``exact``, software version and sharding must match too.
"""

import math
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.measured.decode import usable
from analysis.measured.engines import engine
from analysis.measured.prefill_cases import prefill_usable
from analysis.model.formats import bits_of_name

SERVED, SPLIT, TRAINED, PLAN = map(
    tuple, tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).values()
)
"""Columns that must agree in two rows of the same work."""
KNOWN_DRAFTS = ("none", "multi-token prediction")
"""Speculative-decoding settings that count as known. Points with other settings are excluded."""


def _key(frame: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    """Return the values of some columns as one key per row. Empty cells are equal."""
    parts: list[list[str]] = [
        ["" if missing else str(cell) for cell, missing in zip(frame[name], frame[name].isna(), strict=True)]
        for name in columns
    ]
    return ["|".join(row) for row in zip(*parts, strict=True)]


def _frame(
    rows: pd.DataFrame, *, key: Sequence[str], chip: str, group: str, speed: Any, bits: str
) -> pd.DataFrame:
    by_name = {name: _bits(name) for name in set(rows[bits])}
    flight = rows["concurrency"] if "concurrency" in rows else pd.Series(math.nan, index=rows.index)
    frame = pd.DataFrame(
        {
            "work": _key(rows, key),
            "chip": [str(name) for name in rows[chip]],
            "group": [str(name) for name in rows[group]],
            "speed": np.asarray(speed, dtype=float),
            "bits": [by_name[name] for name in rows[bits]],
            "in_flight": np.asarray(flight, dtype=float),
            "share": np.asarray(rows["said"] == "share") if "said" in rows else False,
        }
    )
    good = np.isfinite(frame["speed"]) & (frame["speed"] > 0) & (frame["chip"] != "")
    return frame.loc[good].reset_index(drop=True)


def _bits(name: object) -> int:
    bits = bits_of_name(str(name))
    return 16 if bits >= 12 else 8 if bits >= 6 else 4


def of_points(points: pd.DataFrame, column: str, *, exact: bool) -> pd.DataFrame:
    """Return the closed-loop serving points. Their speed is the inverse of the time in ``column``."""
    points = points.loc[(points["load"] == "closed loop") & points["speculation"].isin(KNOWN_DRAFTS)]
    key = [
        *SERVED,
        "concurrency",
        "speculation",
        "software",
        *((*SPLIT, "software_version") if exact else ("mode",)),
    ]
    speed = 1 / points[column].to_numpy(dtype=float)
    return _frame(points, key=key, chip="accelerator", group="architecture", speed=speed, bits="quantisation")


def of_offline_points(points: pd.DataFrame, *, exact: bool) -> pd.DataFrame:
    """Return the serving points with all requests sent at once."""
    points = points.loc[points["speculation"] != "likely"]
    points = points.assign(model=points["architecture"], output_tokens=points["output_tokens"].round(-1))
    key = [*SERVED, "source_id", "software", *((*SPLIT, "software_version") if exact else ())]
    speed = points["output_tokens_per_s_per_accelerator"]
    return _frame(points, key=key, chip="accelerator", group="architecture", speed=speed, bits="quantisation")


def of_full_load(rows: pd.DataFrame, *, exact: bool) -> pd.DataFrame:
    """Return the published serving speeds at full load."""
    rows = rows.loc[(rows["load"] == "maximum") & (rows["token_kind"] == "output")]
    rows = rows.assign(engine=[engine(name) for name in rows["software"]])
    key = [
        "source_id",
        "architecture",
        "quantisation",
        "prompt_tokens",
        "output_tokens",
        "n_accelerators",
        "scenario",
    ]
    rows = rows.assign(output_tokens=rows["output_tokens"].round(-1))
    key += ["parallelism", "tensor_parallel", "pipeline_parallel", "expert_parallel"] if exact else []
    key += ["software"] if exact else ["engine"]
    speed = rows["output_tokens_per_s_per_accelerator"]
    return _frame(rows, key=key, chip="accelerator", group="architecture", speed=speed, bits="quantisation")


def of_training(rows: pd.DataFrame, *, exact: bool) -> pd.DataFrame:
    """Return the published training rates in tokens per second, or else in FLOP/s or as a share of peak."""
    tokens = rows["achieved_tokens_per_s_per_accelerator"].to_numpy(dtype=float)
    by_step = (
        rows["global_batch"] * rows["sequence_tokens"] / (rows["step_s"] * rows["n_accelerators"])
    ).to_numpy(dtype=float)
    flop = rows["achieved_flop_per_s_per_accelerator"].to_numpy(dtype=float)
    tokens = np.where(np.isnan(tokens), by_step, tokens)
    share = rows["mfu_percent"].to_numpy(dtype=float) / 100
    said = np.where(~np.isnan(tokens), "tokens", np.where(~np.isnan(flop), "flop", "share"))
    rows = rows.assign(
        said=said,
        engine=[re.sub(r"[\s0-9.]+$", "", str(name)) for name in rows["software"]],
        group=rows["architecture"].where(rows["architecture"] != "", rows["run"].str.partition(",")[0]),
    )
    key = [*TRAINED, *((*PLAN, "software", "software_on") if exact else ("engine",))]
    speed = np.where(said == "tokens", tokens, np.where(said == "flop", flop, share))
    return _frame(rows, key=key, chip="accelerator", group="group", speed=speed, bits="precision")


def of_devices(rows: pd.DataFrame, column: str, *, exact: bool) -> pd.DataFrame:
    """Return the measured single-user speeds on one device."""
    keep = usable(rows) if column == "decode_tokens_per_s" else prefill_usable(rows)
    rows = rows.loc[keep & (rows["n_devices"] == 1) & (rows["batch"] == 1) & (rows["backend"] == "GPU")]
    name = rows["edge_device"].where(rows["edge_device"] != "", rows["accelerator"])
    rows = rows.assign(part=name, engine=[engine(name) for name in rows["software"]])
    key = ["model", "quantisation", "prompt_tokens", "context_tokens"]
    key += ["software", "source_id"] if exact else ["engine"]
    return _frame(rows, key=key, chip="part", group="model", speed=rows[column], bits="quantisation")
