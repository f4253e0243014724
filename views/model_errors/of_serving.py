"""Serving: every published throughput at full load beside what fits without its model, and its chip, say of it."""

import numpy as np

from analysis.measured.engines import engine
from analysis.model_errors import LEVEL
from analysis.serving.fit_points import KINDS, left_out
from analysis.serving.tables import measured_points, model
from data import standing
from views.model_errors.compared import Compared
from views.model_errors.of_serving_under_load import without_chip
from views.model_errors.reading import decimal_year

FULL_LOAD = KINDS.index("load")


def compared() -> tuple[Compared, ...]:
    """Return every row of the table at full load, predicted by a fit without its model and by one without its chip."""
    points, fit = measured_points(), model()
    table = standing.rows("measured_serving", "row_id")
    experts = standing.rows("architectures", "name")
    found = []
    without_model = left_out(points, groups=points.deployments.model, start=fit.factors)
    for name, way, held in (
        ("serving: full load", "without its model", without_model),
        ("serving: full load, new chip", "without its chip", without_chip()),
    ):
        wide = fit.half_width("load", held.scale[FULL_LOAD], level=LEVEL)
        # Log times: a token of one accelerator takes as long as its throughput is low.
        measured, predicted = np.exp(-held.measured[FULL_LOAD]), np.exp(-held.predicted[FULL_LOAD])
        for i, point in enumerate(points.rows["point_id"]):
            if point not in table or not np.isfinite(measured[i]):
                continue
            row = table[point]
            mixture = experts[row["architecture"]]["n_experts"] > 1
            found.append(
                Compared(
                    model=name,
                    row_id=str(point),
                    case=f"{row['model']}, {row['precision']}, {row['n_accelerators']:.0f} chips",
                    architecture=str(row["architecture"]),
                    accelerator=str(row["accelerator"]),
                    kind="Mixtures of experts" if mixture else "Dense models",
                    engine=engine(row["software"]),
                    software_date=decimal_year(row["measured_in"]),
                    measured=float(measured[i]),
                    predicted=float(predicted[i]),
                    low=float(predicted[i] * np.exp(-wide[i])),
                    high=float(predicted[i] * np.exp(wide[i])),
                    unit="tokens/s",
                    way=way,
                    source_id=str(row["source_id"]),
                    locator=str(row["locator"]),
                )
            )
    return tuple(found)
