"""The fitted models of placement together, made from the standing tables that the caller passes."""

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray
from analysis.measured.batching import sharing_loss
from analysis.measured.decode_cases import decode_cases, usable
from analysis.measured.decode_check import CheckedDecode, check_decode
from analysis.measured.held_out import Spread, spread
from analysis.measured.prefill import PrefillModel, fit_prefill, prefill_cases, prefill_usable
from analysis.serving import cases as serving_rows
from analysis.serving.model import ServingModel, fit_serving


@dataclass(frozen=True, kw_only=True)
class PlacementModels:
    """Decode and prefill of one user on one device, each with its errors on devices left out.

    ``decode_rows`` and ``prefill_rows`` are the rows of the measured table that each was fitted to, in the order of its
    residuals.
    """

    decode: CheckedDecode
    prefill: PrefillModel
    sharing_loss: float
    decode_rows: pd.DataFrame
    prefill_rows: pd.DataFrame


def fit_placement(
    measured: pd.DataFrame, *, architectures: pd.DataFrame, edge_devices: pd.DataFrame
) -> PlacementModels:
    """Return the models fitted to the table of measured speeds; about 0.4 s, so keep the answer."""
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
class FullLoadFit:
    """The model of accelerators at full load, its errors on models left out, and the rows it was fitted to.

    ``unmeasured`` are its errors on accelerators it was not fitted to, by their ``unmeasured_rows``, which set nothing;
    ``unmeasured_residual`` are log(measured/predicted) of those, shape (n,).
    """

    model: ServingModel
    spread: Spread
    rows: pd.DataFrame
    unmeasured: Spread
    unmeasured_rows: pd.DataFrame
    unmeasured_residual: FloatArray

    @property
    def accelerators(self) -> tuple[str, ...]:
        """Return the accelerators with two rows or more, most rows first."""
        counts = Counter(map(str, self.rows["accelerator"]))
        return tuple(name for name, count in counts.most_common() if count > 1)

    def spread_of(self, accelerator: str) -> Spread:
        """Return how far speeds of an accelerator lie from the model's: wider where none of it were fitted."""
        return self.spread if accelerator in self.accelerators else self.unmeasured


@dataclass(frozen=True, kw_only=True)
class PlacementFits:
    """All fitted models of placement: of devices, and of accelerators at full load."""

    devices: PlacementModels
    full_load: FullLoadFit


def fit_full_load(
    serving: pd.DataFrame,
    *,
    checked: pd.DataFrame,
    architectures: pd.DataFrame,
    accelerators: pd.DataFrame,
) -> FullLoadFit:
    """Return the model of full load, fitted to the rows of the serving table that can be used.

    Rows of ``checked``, in the same columns, set no factor: those of accelerators that the fit does not know say how
    wrong it is there.
    """

    def known(table: pd.DataFrame) -> pd.DataFrame:
        keep = serving_rows.usable(table, architectures=architectures, accelerators=accelerators)
        return table.loc[keep].reset_index(drop=True)

    def cases_of(rows: pd.DataFrame) -> serving_rows.ServingCases:
        return serving_rows.serving_cases(rows, architectures=architectures, accelerators=accelerators)

    rows = known(serving)
    cases = cases_of(rows)
    measured = np.asarray(rows["output_tokens_per_s_per_accelerator"], dtype=float)
    model = fit_serving(cases, measured)
    held = spread(
        model.residual,
        devices=list(rows["architecture"]),
        classes=["accelerator"] * len(rows),
        kinds=["GPU"] * len(rows),
    )
    often = [name for name, count in Counter(map(str, rows["accelerator"])).items() if count > 1]
    unseen = known(checked.loc[~checked["accelerator"].isin(often)])
    rates = np.asarray(unseen["output_tokens_per_s_per_accelerator"], dtype=float)
    residual = np.log(rates / model.output_tokens_per_s_per_accelerator(cases_of(unseen)))
    return FullLoadFit(
        model=model,
        spread=held,
        rows=rows,
        unmeasured=spread(
            residual,
            devices=list(unseen["accelerator"]),
            classes=["accelerator"] * len(unseen),
            kinds=["GPU"] * len(unseen),
        ),
        unmeasured_rows=unseen,
        unmeasured_residual=residual,
    )
