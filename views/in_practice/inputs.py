"""The tables of measured work and a release turned into analysis' measurements: which rows are the same work."""

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.in_practice.pairs import Measurements, Pairs, pairs_of
from analysis.measured.decode import usable
from analysis.measured.engines import engine
from analysis.measured.prefill_cases import prefill_usable
from analysis.model.formats import bits_of_name
from data import standing
from data.by_release import kept_by_release
from data.releases import Release
from data.serving import full_load_points, serving_points, serving_speeds
from views.in_practice.data_sheets import accelerator_sheets, device_sheets
from views.in_practice.settings import ANY, DEVICES, InPracticeSettings

SERVED = ("model", "quantisation", "expert_quantisation", "prompt_tokens", "output_tokens", "n_accelerators")
SPLIT = (
    "mode",
    "tensor_parallel",
    "pipeline_parallel",
    "attention_data_parallel",
    "expert_tensor_parallel",
    "expert_parallel",
    "prefill_workers",
    "prefill_accelerators_per_worker",
    "prefill_attention_data_parallel",
    "prefill_expert_parallel",
    "decode_workers",
    "decode_accelerators_per_worker",
)
TRAINED = (
    "architecture",
    "n_layers",
    "hidden_size",
    "sequence_tokens",
    "global_batch",
    "n_accelerators",
    "precision",
    "said",
    "counts_recompute",
    "counts_full_attention",
)
PLAN = (
    "tensor_parallel",
    "pipeline_parallel",
    "context_parallel",
    "expert_parallel",
    "interleave",
    "zero_stage",
    "micro_batch",
    "recompute",
)
KNOWN_DRAFTS = ("none", "multi-token prediction")
"""Points that may or may not draft tokens are no points of the same work."""
LOADS = {"light": (0, 16), "middle": (17, 64), "heavy": (65, math.inf)}


@kept_by_release(16)
def _rows(work: str, match: str) -> pd.DataFrame:
    """Return the measured rows of a kind of work: ``work``, ``chip``, ``group``, ``speed``, ``bits``, ``in_flight``.

    ``chip`` is the chip's name in a release, or its product's, or a device's.
    """
    exact = match == "exact"
    if work in DEVICES:
        return _of_devices(f"{'decode' if work == 'decode' else 'prefill'}_tokens_per_s", exact=exact)
    if work == "full":
        return pd.concat([_of_full_load(exact=exact), _of_offline_points(exact=exact)], ignore_index=True)
    if work == "training":
        return _of_training(exact=exact)
    return _of_points("time_per_output_token_s" if work == "token" else "time_to_first_token_s", exact=exact)


def _key(frame: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    """Return what stands in some columns as one text a row; empty cells are alike."""
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


def _of_points(column: str, *, exact: bool) -> pd.DataFrame:
    points = serving_points()
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


def _of_offline_points(*, exact: bool) -> pd.DataFrame:
    points = full_load_points()
    points = points.loc[points["speculation"] != "likely"]
    points = points.assign(model=points["architecture"], output_tokens=points["output_tokens"].round(-1))
    key = [*SERVED, "source_id", "software", *((*SPLIT, "software_version") if exact else ())]
    speed = points["output_tokens_per_s_per_accelerator"]
    return _frame(points, key=key, chip="accelerator", group="architecture", speed=speed, bits="quantisation")


def _of_full_load(*, exact: bool) -> pd.DataFrame:
    rows = serving_speeds()
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


def _of_training(*, exact: bool) -> pd.DataFrame:
    rows = standing.table("published_training_rates")
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


def _of_devices(column: str, *, exact: bool) -> pd.DataFrame:
    rows = standing.table("measured_decode")
    keep = usable(rows) if column == "decode_tokens_per_s" else prefill_usable(rows)
    rows = rows.loc[keep & (rows["n_devices"] == 1) & (rows["batch"] == 1) & (rows["backend"] == "GPU")]
    name = rows["edge_device"].where(rows["edge_device"] != "", rows["accelerator"])
    rows = rows.assign(part=name, engine=[engine(name) for name in rows["software"]])
    key = ["model", "quantisation", "prompt_tokens", "context_tokens"]
    key += ["software", "source_id"] if exact else ["engine"]
    return _frame(rows, key=key, chip="part", group="model", speed=rows[column], bits="quantisation")


def measurements(settings: InPracticeSettings, release: Release) -> Measurements:
    """Return the measured rows of the settings' kind of work whose chip's data sheet says bandwidth and FLOP/s."""
    rows = _rows(settings.work, settings.match)
    if settings.precision != ANY:
        rows = rows.loc[rows["bits"] == int(settings.precision)]
    if settings.load != ANY and settings.applies("load"):
        low, high = LOADS[settings.load]
        rows = rows.loc[rows["in_flight"].between(low, high)]
    device = settings.work in DEVICES
    parts = accelerator_sheets(release, device=device) | (device_sheets() if device else {})
    sheets = [parts.get(chip) for chip in rows["chip"]]
    peak = np.array(
        [
            sheet.flop_per_s[bits] if sheet else math.nan
            for sheet, bits in zip(sheets, rows["bits"], strict=True)
        ],
        dtype=float,
    )
    byte = np.array([sheet.bandwidth_byte_per_s if sheet else math.nan for sheet in sheets], dtype=float)
    known = (peak > 0) & (byte > 0)
    kept = [sheet for sheet, there in zip(sheets, known, strict=True) if sheet and there]
    speed = rows["speed"].to_numpy(dtype=float)[known]
    return Measurements(
        work=tuple(rows["work"].to_numpy()[known]),
        chip=tuple(sheet.label for sheet in kept),
        model=tuple(rows["group"].to_numpy()[known]),
        precision=tuple("" if device else f"{bits}-bit" for bits in rows["bits"].to_numpy()[known]),
        speed=np.where(rows["share"].to_numpy(dtype=bool)[known], speed * peak[known], speed),
        bandwidth_byte_per_s=byte[known],
        flop_per_s=peak[known],
        released_year=np.array([sheet.released_year for sheet in kept], dtype=float),
    )


def pairs(settings: InPracticeSettings, release: Release) -> Pairs:
    """Return every two chips that did the same work, of those the settings name."""
    every = pairs_of(measurements(settings, release))
    wanted = [words for words in (_words(part) for part in settings.chips.split(",")) if words]
    if not wanted:
        return every

    def named(chip: str) -> set[int]:
        return {place for place, words in enumerate(wanted) if words <= _words(chip)}

    by_chip = {chip: named(chip) for chip in every.chips}
    keep = []
    for first, second in zip(every.first, every.second, strict=True):
        one, other = by_chip[first], by_chip[second]
        keep.append(bool(one or other) if len(wanted) == 1 else bool(one and other and len(one | other) > 1))
    return every.at(np.array(keep, dtype=bool))


def _words(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9]+", name.lower()))
