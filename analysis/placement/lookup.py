"""Finds named devices, models and formats in the tables, forgiving case, spaces and hyphens."""

import difflib
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from analysis.decode_rows import BACKENDS, attention_of
from analysis.kv_cache import Attention


@dataclass(frozen=True, kw_only=True)
class Device:
    """What the tables say of a device; numbers may be NaN."""

    device_class: str
    backend: str
    memory_bandwidth_byte_per_s: float
    peak_flop_per_s: float


@dataclass(frozen=True, kw_only=True)
class Model:
    """What the tables say of a model."""

    n_parameters: float
    n_active_parameters: float
    attention: Attention


def plain(name: str) -> str:
    """Return a name as it is compared: lower case, letters, digits and dots only, without instruct suffix."""
    text = re.sub(r"[^a-z0-9.]", "", name.lower())
    return re.sub(r"(instruct|chat|it)$", "", text)


def nearest(name: str, known: Mapping[str, object]) -> str:
    """Return up to three known names like this one, as words for a message."""
    close = difflib.get_close_matches(plain(name), list(known), n=3, cutoff=0.4)
    return ", ".join(close) if close else "nothing like it"


def devices(
    measured: pd.DataFrame, edge_devices: pd.DataFrame, accelerators: pd.DataFrame
) -> dict[str, Device]:
    """Return devices by plain name: accelerators, then edge devices, then measured ones, the later overriding."""
    found: dict[str, Device] = {}
    for row in accelerators.to_dict("records"):
        chip = Device(
            device_class="datacenter_gpu",
            backend="GPU",
            memory_bandwidth_byte_per_s=float(row["memory_bandwidth_byte_per_s"]),
            peak_flop_per_s=float(row["peak_fp16_dense_flop_per_s"]),
        )
        for name in (row["name"], row["product"], f"{row['vendor']} {row['product']}"):
            found.setdefault(plain(str(name)), chip)
    for row in edge_devices.to_dict("records"):
        peak = float(row["peak_fp16_flop_per_s"])
        device = Device(
            device_class=row["device_class"],
            backend="GPU",
            memory_bandwidth_byte_per_s=float(row["memory_bandwidth_byte_per_s"]),
            peak_flop_per_s=float(row["peak_fp16_shader_flop_per_s"]) if math.isnan(peak) else peak,
        )
        found[plain(row["name"])] = device
        found[plain(row["name"].removeprefix("NVIDIA ").removeprefix("AMD "))] = device
    for row in measured.drop_duplicates(["device", "backend"]).to_dict("records"):
        name, bandwidth = plain(row["device"]), float(row["memory_bandwidth_byte_per_s"])
        before = found.get(name)
        if row["backend"] not in BACKENDS or math.isnan(bandwidth) or (before and row["backend"] != "GPU"):
            continue
        found[name] = Device(
            device_class=row["device_class"],
            backend=row["backend"],
            memory_bandwidth_byte_per_s=bandwidth,
            peak_flop_per_s=before.peak_flop_per_s if before else math.nan,
        )
    return found


def models(measured: pd.DataFrame, architectures: pd.DataFrame) -> dict[str, Model]:
    """Return models by plain name, with the names that measured rows use for them."""
    found = {}
    for row in architectures.to_dict("records"):
        found[plain(row["name"])] = Model(
            n_parameters=float(row["n_parameters"]),
            n_active_parameters=float(row["n_active_parameters"]),
            attention=attention_of(row),
        )
    for name, architecture in zip(measured["model"], measured["architecture"], strict=True):
        if plain(architecture) in found:
            found.setdefault(plain(name), found[plain(architecture)])
    return found


def formats(measured: pd.DataFrame, quantisation: pd.DataFrame) -> dict[str, float]:
    """Return true bits per weight by plain name of the format, with the names that measured rows use."""
    found = {plain(row["name"]): float(row["bits_per_weight"]) for row in quantisation.to_dict("records")}
    for name, known in zip(measured["format"], measured["quantisation"], strict=True):
        if plain(known) in found:
            found.setdefault(plain(name), found[plain(known)])
    return found
