"""Measured single-user decode and prefill speeds, compared with predictions from fits that omit their source."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from analysis.arrays import FloatArray
from analysis.hardware.device_makers import chip
from analysis.measured.decode import group
from analysis.measured.engines import engine
from analysis.measured.held_out import unseen_half_widths
from analysis.model_errors.comparison import Comparison, comparison
from analysis.model_errors.errors import LEVEL
from analysis.placement.fits import PlacementModels

KindOfDevice = Callable[[str, str], str]
"""Function that returns the display name of a device class with its backend."""


def of_decode(models: PlacementModels, *, kind: KindOfDevice) -> tuple[Comparison, ...]:
    """Return all rows of the decode fit, each predicted without its source and its chip."""
    cases = models.decode.cases
    return _of_rows(
        "decode",
        models.decode_rows,
        speed="decode_tokens_per_s",
        predicted=models.decode.held_out_tokens_per_s,
        residual=models.decode.residual,
        chips=cases.device,
        engines=cases.engines,
        kind=kind,
    )


def of_prompts(models: PlacementModels, *, kind: KindOfDevice) -> tuple[Comparison, ...]:
    """Return all rows of the prefill fit, each predicted without its source and its chip."""
    rows, residual = models.prefill_rows, models.prefill.residual
    return _of_rows(
        "prompts",
        rows,
        speed="prefill_tokens_per_s",
        predicted=rows["prefill_tokens_per_s"].to_numpy(dtype=float) / np.exp(residual),
        residual=residual,
        chips=[chip(device) for device in rows["device"]],
        engines=[engine(software) for software in rows["software"]],
        kind=kind,
    )


def _of_rows(
    model: str,
    frame: pd.DataFrame,
    *,
    speed: str,
    predicted: FloatArray,
    residual: FloatArray,
    chips: Sequence[str],
    engines: Sequence[str],
    kind: KindOfDevice,
) -> tuple[Comparison, ...]:
    """Return table rows with their predictions, in the same order."""
    rows = frame.to_dict("records")
    half = unseen_half_widths(
        residual,
        devices=chips,
        classes=[group(row["device_class"], row["backend"]) for row in rows],
        kinds=[row["backend"] for row in rows],
        sources=[row["source_id"] for row in rows],
        level=LEVEL,
    )
    return tuple(
        comparison(
            row,
            model=model,
            row_id=str(row["row_id"]),
            case=f"{row['model']}, {row['format']}",
            accelerator=chips[i],
            kind=kind(row["device_class"], row["backend"]),
            engine=engines[i],
            software_date=row["measured_in"],
            measured=float(row[speed]),
            predicted=predicted[i],
            half_width=half[i],
            unit="tokens/s",
            held_out_by="without its source",
        )
        for i, row in enumerate(rows)
    )
