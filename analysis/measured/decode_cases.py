"""Which measured speeds the placement model learns from, as arrays: one user, one device, weights read once a token."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.arrays import FloatArray, Rows
from analysis.hardware.device_makers import BACKENDS, chip
from analysis.model.kv_cache import Attention, kv_cache_byte


@dataclass(frozen=True, kw_only=True)
class DecodeCases(Rows):
    """What decides the speed of one user, each of shape (n,): text for names, bytes and byte/s for sizes.

    ``weights_read_byte`` is what one token reads of the weights (active ones of a mixture); ``kv_read_byte`` the KV
    cache at the context length as the source states it. Unknown names are ``""``.
    """

    device: tuple[str, ...]
    device_class: tuple[str, ...]
    backend: tuple[str, ...]
    format_family: tuple[str, ...]
    memory_bandwidth_byte_per_s: FloatArray
    weights_read_byte: FloatArray
    kv_read_byte: FloatArray
    mixture: NDArray[np.bool_]

    def __len__(self) -> int:
        """Return the number of cases."""
        return len(self.device)


def format_family(name: str) -> str:
    """Return how weights of a format are unpacked: ``16-bit``, ``8-bit``, one of three kinds of 4-bit, or ``""``.

    ``flat block 4-bit`` (Q4_0) has one scale in every small block, ``block 4-bit`` (Q4_K_M) scales of scales, which
    take longer to unpack; ``4-bit`` is group-wise.
    """
    text = name.strip().upper().replace(" ", "")
    if not text:
        return ""
    if text.startswith(("F16", "BF16", "FP16", "F32", "FP32")):
        return "16-bit"
    if text.startswith(("Q8", "INT8", "W8", "8-BIT")) or "FP8" in text:
        return "8-bit"
    if re.match(r"Q[45]_[01]", text):
        return "flat block 4-bit"
    if re.match(r"(I?Q[2-6]_|I?Q[2-6]$)", text):
        return "block 4-bit"
    return "4-bit"


def attention_of(architecture: Mapping[str, Any]) -> Attention:
    """Return the attention sizes of one row of the table of architectures."""

    def count(column: str) -> int:
        value = architecture[column]
        return 0 if math.isnan(value) else int(value)

    return Attention(
        n_layers=count("n_layers"),
        n_kv_heads=count("n_kv_heads"),
        head_size=count("head_size"),
        kv_latent_size=count("kv_latent_size"),
        rope_head_size=count("rope_head_size"),
        sliding_window_tokens=count("sliding_window_tokens"),
        n_sliding_layers=count("n_sliding_layers"),
    )


def usable(measured: pd.DataFrame) -> NDArray[np.bool_]:
    """Return which rows tell how fast a device reads weights, shape (n,).

    Left out: several devices, several users, unknown bandwidth or size, speeds limited by the host, models of which
    not all weights are read, engines that keep weights elsewhere, and speeds after minutes of load.
    """
    return np.asarray(
        (measured["n_devices"] == 1)
        & (measured["batch"] == 1)
        & measured["memory_bandwidth_byte_per_s"].notna()
        & measured["bytes_read_byte"].notna()
        & (measured["decode_tokens_per_s"] > 0)
        & measured["full_read"]
        & ~measured["host_limited"]
        & measured["backend"].isin(BACKENDS)
        & ~measured["software"].str.contains("sustained"),
        dtype=bool,
    )


def decode_cases(measured: pd.DataFrame, *, architectures: pd.DataFrame) -> DecodeCases:
    """Return rows of the table of measured speeds as cases; KV bytes are 0 where the architecture is not known."""
    by_name = {str(row["name"]): row for row in architectures.to_dict("records")}
    kv_read = np.zeros(len(measured))
    names, contexts = measured["architecture"].to_list(), measured["context_tokens"].to_list()
    for row, (name, context) in enumerate(zip(names, contexts, strict=True)):
        if name in by_name and context > 0:
            kv_read[row] = kv_cache_byte(attention_of(by_name[name]), context)
    return DecodeCases(
        device=tuple(map(chip, measured["device"])),
        device_class=tuple(measured["device_class"]),
        backend=tuple(measured["backend"]),
        format_family=tuple(map(format_family, measured["format"])),
        memory_bandwidth_byte_per_s=measured["memory_bandwidth_byte_per_s"].to_numpy(dtype=float),
        weights_read_byte=measured["bytes_read_byte"].to_numpy(dtype=float),
        kv_read_byte=kv_read,
        mixture=np.asarray(measured["n_active_parameters"] < 0.95 * measured["n_parameters"], dtype=bool),
    )
