"""All placement models, fitted to the caller's standing tables."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from analysis.measured.batching import sharing_loss
from analysis.measured.decode import decode_cases, usable
from analysis.measured.decode_check import CheckedDecode, check_decode
from analysis.measured.prefill import PrefillModel, fit_prefill
from analysis.measured.prefill_cases import prefill_cases, prefill_usable
from analysis.serving.predict import ServingFit


@dataclass(frozen=True, kw_only=True)
class PlacementModels:
    """Decode and prefill models for one user on one device, with their errors on held-out devices.

    ``decode_rows`` and ``prefill_rows`` are the rows of the measured table in each fit, in the order of its residuals.
    """

    decode: CheckedDecode
    prefill: PrefillModel
    sharing_loss: float
    decode_rows: pd.DataFrame
    prefill_rows: pd.DataFrame


def fit_placement(
    measured: pd.DataFrame, *, architectures: pd.DataFrame, edge_devices: pd.DataFrame
) -> PlacementModels:
    """Return the models fitted to the table of measured speeds. Fitting takes about 0.4 s, so cache the result."""
    rows = measured.loc[usable(measured)].reset_index(drop=True)
    decode = check_decode(
        decode_cases(rows, architectures=architectures), rows["decode_tokens_per_s"].to_numpy(dtype=float)
    )
    prompts = measured.loc[prefill_usable(measured)].reset_index(drop=True)
    peaks = {
        str(row["name"]): min(row["peak_fp16_flop_per_s"], row["peak_fp16_shader_flop_per_s"], key=math.isnan)
        for row in edge_devices.to_dict("records")
    }
    cases = prefill_cases(
        prompts,
        decode_cases(prompts, architectures=architectures),
        peak_flop_per_s=np.array([peaks.get(name, math.nan) for name in prompts["edge_device"]]),
    )
    prefill = fit_prefill(cases, prompts["prefill_tokens_per_s"].to_numpy(dtype=float))
    return PlacementModels(
        decode=decode,
        prefill=prefill,
        sharing_loss=sharing_loss(measured),
        decode_rows=rows,
        prefill_rows=prompts,
    )


@dataclass(frozen=True, kw_only=True)
class PlacementFits:
    """All fitted placement models, for devices and for serving accelerators."""

    devices: PlacementModels
    serving: ServingFit

    @cached_property
    def accelerators(self) -> tuple[str, ...]:
        """Return the accelerators with at least two measured points in the serving model, most measured first."""
        points: dict[str, set[int]] = {}
        for left in self.serving.residuals.values():
            for name, row in zip(left.traits.words["chip"], left.rows.tolist(), strict=True):
                points.setdefault(name, set()).add(row)
        often = {name: len(rows) for name, rows in points.items() if len(rows) >= 2}
        return tuple(sorted(often, key=lambda name: (-often[name], name)))
