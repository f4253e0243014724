"""Decode: every measured speed of one user beside what a fit without its chip says of it."""

import numpy as np

from analysis.measured.decode import group
from analysis.measured.held_out import unseen_half_widths
from analysis.model_errors import LEVEL
from views.model_errors.compared import Compared
from views.model_errors.reading import decimal_year
from views.placement.checked import class_words
from views.placement.fitted import devices_fitted


def compared() -> tuple[Compared, ...]:
    """Return every row of the fit of decode, predicted by a fit without its chip."""
    models = devices_fitted()
    checked, cases = models.decode, models.decode.cases
    half = unseen_half_widths(
        checked.residual,
        devices=cases.device,
        classes=[group(*pair) for pair in zip(cases.device_class, cases.backend, strict=True)],
        kinds=cases.backend,
        level=LEVEL,
    )
    predicted = checked.held_out_tokens_per_s
    return tuple(
        Compared(
            model="decode",
            row_id=str(row["row_id"]),
            case=f"{row['model']}, {row['format']}",
            architecture=str(row["architecture"]),
            accelerator=cases.device[i],
            kind=class_words(row["device_class"], row["backend"]),
            engine=cases.engines[i],
            software_date=decimal_year(row["measured_in"]),
            measured=float(row["decode_tokens_per_s"]),
            predicted=float(predicted[i]),
            low=float(predicted[i] * np.exp(-half[i])),
            high=float(predicted[i] * np.exp(half[i])),
            unit="tokens/s",
            way="without its chip",
            source_id=str(row["source_id"]),
            locator=str(row["locator"]),
        )
        for i, row in enumerate(models.decode_rows.to_dict("records"))
    )
