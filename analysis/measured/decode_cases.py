"""Which measured speeds the placement model learns from, as arrays: one user, one device, weights read once a token."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.arrays import FloatArray, Rows
from analysis.hardware.device_makers import BACKENDS, chip
from analysis.measured.engines import engine
from analysis.model.architecture import Architecture
from analysis.model.formats import format_family
from analysis.model.kv_cache import kv_read_byte


@dataclass(frozen=True, kw_only=True)
class DecodeCases(Rows):
    """What decides the speed of one user, each of shape (n,): text for names, bytes and byte/s for sizes.

    ``weights_read_byte`` is what one token reads of the weights (active ones of a mixture); ``kv_read_byte`` the KV
    cache at the context length as the source states it. Unknown names are ``""``; without ``engine`` none is known.
    """

    device: tuple[str, ...]
    device_class: tuple[str, ...]
    backend: tuple[str, ...]
    format_family: tuple[str, ...]
    memory_bandwidth_byte_per_s: FloatArray
    weights_read_byte: FloatArray
    kv_read_byte: FloatArray
    mixture: NDArray[np.bool_]
    engine: tuple[str, ...] | None = None

    def __len__(self) -> int:
        """Return the number of cases."""
        return len(self.device)

    @property
    def engines(self) -> tuple[str, ...]:
        """Return the engine of each case, ``""`` where it is not known, shape (n,)."""
        return ("",) * len(self) if self.engine is None else self.engine


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
    rows = architectures.to_dict("records")
    by_name = {str(row["name"]): Architecture.from_row(row) for row in rows}
    kv_read = np.zeros(len(measured))
    names, contexts = measured["architecture"].to_list(), measured["context_tokens"].to_list()
    for row, (name, context) in enumerate(zip(names, contexts, strict=True)):
        if name in by_name and context > 0:
            kv_read[row] = kv_read_byte(by_name[name], context)
    return DecodeCases(
        device=tuple(map(chip, measured["device"])),
        device_class=tuple(measured["device_class"]),
        backend=tuple(measured["backend"]),
        format_family=tuple(map(format_family, measured["format"])),
        memory_bandwidth_byte_per_s=measured["memory_bandwidth_byte_per_s"].to_numpy(dtype=float),
        weights_read_byte=measured["bytes_read_byte"].to_numpy(dtype=float),
        kv_read_byte=kv_read,
        mixture=np.asarray(measured["n_active_parameters"] < 0.95 * measured["n_parameters"], dtype=bool),
        engine=tuple(map(engine, measured["software"])),
    )
