"""Finds named devices, models and formats in the tables, forgiving case, spaces and hyphens."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from analysis.decode_rows import attention_of
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
    for _, row in accelerators.iterrows():
        chip = Device(
            device_class="datacenter_gpu",
            backend="GPU",
            memory_bandwidth_byte_per_s=float(row["memory_bandwidth_byte_per_s"]),
            peak_flop_per_s=float(row["peak_fp16_dense_flop_per_s"]),
        )
        for name in (row["name"], row["product"], f"{row['vendor']} {row['product']}"):
            found.setdefault(plain(str(name)), chip)
    for _, row in edge_devices.iterrows():
        peak = row["peak_fp16_flop_per_s"]
        found[plain(row["name"])] = found[
            plain(f"{row['name']}".removeprefix("NVIDIA ").removeprefix("AMD "))
        ] = Device(
            device_class=row["device_class"],
            backend="GPU",
            memory_bandwidth_byte_per_s=float(row["memory_bandwidth_byte_per_s"]),
            peak_flop_per_s=float(row["peak_fp16_shader_flop_per_s"] if pd.isna(peak) else peak),
        )
    for (name, backend), rows in measured.groupby(["device", "backend"], sort=False):
        row = rows.iloc[0]
        if backend not in ("GPU", "CPU", "NPU") or pd.isna(row["memory_bandwidth_byte_per_s"]):
            continue
        if plain(name) in found and backend != "GPU":
            continue
        before = found.get(plain(name))
        found[plain(name)] = Device(
            device_class=row["device_class"],
            backend=backend,
            memory_bandwidth_byte_per_s=float(row["memory_bandwidth_byte_per_s"]),
            peak_flop_per_s=before.peak_flop_per_s if before else float("nan"),
        )
    return found


def models(measured: pd.DataFrame, architectures: pd.DataFrame) -> dict[str, Model]:
    """Return models by plain name, with the names that measured rows use for them."""
    found = {}
    for _, row in architectures.iterrows():
        found[plain(row["name"])] = Model(
            n_parameters=float(row["n_parameters"]),
            n_active_parameters=float(row["n_active_parameters"]),
            attention=attention_of(row),
        )
    for name, architecture in measured[["model", "architecture"]].drop_duplicates().itertuples(index=False):
        if plain(architecture) in found:
            found.setdefault(plain(name), found[plain(architecture)])
    return found


def formats(measured: pd.DataFrame, quantisation: pd.DataFrame) -> dict[str, float]:
    """Return true bits per weight by plain name of the format, with the names that measured rows use."""
    found = {plain(row["name"]): float(row["bits_per_weight"]) for _, row in quantisation.iterrows()}
    for name, known in measured[["format", "quantisation"]].drop_duplicates().itertuples(index=False):
        if plain(known) in found:
            found.setdefault(plain(name), found[plain(known)])
    return found
