"""Serving: every published throughput at full load beside what a fit without its model says of it."""

import numpy as np

from analysis.measured.held_out import unseen_half_widths
from analysis.model_errors import LEVEL
from data import standing
from data.releases import latest
from views.model_errors.compared import Compared
from views.model_errors.reading import decimal_year, engine_of
from views.placement.fitted import fitted


def compared() -> tuple[Compared, ...]:
    """Return every row of the fit of full load, predicted by a fit without its model."""
    fit = fitted(latest()).full_load
    rows, residual = fit.rows.to_dict("records"), fit.model.residual
    half = unseen_half_widths(
        residual,
        devices=[row["architecture"] for row in rows],
        classes=["accelerator"] * len(rows),
        kinds=["GPU"] * len(rows),
        level=LEVEL,
    )
    measured = np.array([row["output_tokens_per_s_per_accelerator"] for row in rows], dtype=float)
    predicted = measured / np.exp(residual)
    experts = standing.rows("architectures", "name")
    return tuple(
        Compared(
            model="serving: full load",
            row_id=str(row["row_id"]),
            case=f"{row['model']}, {row['precision']}, {row['n_accelerators']:.0f} chips",
            architecture=str(row["architecture"]),
            accelerator=str(row["accelerator"]),
            kind="Mixtures of experts" if experts[row["architecture"]]["n_experts"] > 1 else "Dense models",
            engine=engine_of(row["software"]),
            software_date=decimal_year(row["measured_in"]),
            measured=float(measured[i]),
            predicted=float(predicted[i]),
            low=float(predicted[i] * np.exp(-half[i])),
            high=float(predicted[i] * np.exp(half[i])),
            unit="tokens/s",
            way="without its model",
            source_id=str(row["source_id"]),
            locator=str(row["locator"]),
        )
        for i, row in enumerate(rows)
    )
