"""Prompts: every measured speed of reading one beside what a fit without its chip says of it."""

import numpy as np

from analysis.hardware.device_makers import chip
from analysis.measured.decode import group
from analysis.measured.engines import engine
from analysis.measured.held_out import unseen_half_widths
from analysis.model_errors import LEVEL
from views.model_errors.compared import Compared
from views.model_errors.reading import decimal_year
from views.placement.checked import class_words
from views.placement.fitted import devices_fitted


def compared() -> tuple[Compared, ...]:
    """Return every row of the fit of prompts, predicted by a fit without its chip."""
    models = devices_fitted()
    rows, residual = models.prefill_rows.to_dict("records"), models.prefill.residual
    chips = [chip(row["device"]) for row in rows]
    half = unseen_half_widths(
        residual,
        devices=chips,
        classes=[group(row["device_class"], row["backend"]) for row in rows],
        kinds=[row["backend"] for row in rows],
        level=LEVEL,
    )
    measured = np.array([row["prefill_tokens_per_s"] for row in rows], dtype=float)
    predicted = measured / np.exp(residual)
    return tuple(
        Compared(
            model="prompts",
            row_id=str(row["row_id"]),
            case=f"{row['model']}, {row['format']}",
            architecture=str(row["architecture"]),
            accelerator=chips[i],
            kind=class_words(row["device_class"], row["backend"]),
            engine=engine(row["software"]),
            software_date=decimal_year(row["measured_in"]),
            measured=float(measured[i]),
            predicted=float(predicted[i]),
            low=float(predicted[i] * np.exp(-half[i])),
            high=float(predicted[i] * np.exp(half[i])),
            unit="tokens/s",
            way="without its chip",
            source_id=str(row["source_id"]),
            locator=str(row["locator"]),
        )
        for i, row in enumerate(rows)
    )
