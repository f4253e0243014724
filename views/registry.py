"""Every view there is, by its address."""

from views import (
    accelerators,
    claims,
    compute_to_memory,
    data_tables,
    growth_accounting,
    growth_gap,
    latency_floor,
    overview,
    placement,
    techniques,
    track_record,
    training_compute,
    training_run,
)
from views.view import View

VIEWS: dict[str, View] = {
    view.path: view
    for view in (
        overview.VIEW,
        growth_gap.VIEW,
        compute_to_memory.VIEW,
        training_compute.VIEW,
        accelerators.VIEW,
        growth_accounting.VIEW,
        track_record.VIEW,
        placement.VIEW,
        training_run.VIEW,
        latency_floor.VIEW,
        techniques.VIEW,
        claims.VIEW,
        data_tables.VIEW,
    )
}
