"""Every view there is, once: in the groups and the order of the menu."""

from views import accelerators, overview, training_compute
from views.claims import view as claims
from views.compute_to_memory import view as compute_to_memory
from views.cost_of_bandwidth import view as cost_of_bandwidth
from views.cost_of_tokens import view as cost_of_tokens
from views.data_tables import view as data_tables
from views.fleet import view as fleet
from views.growth_accounting import view as growth_accounting
from views.growth_gap import view as growth_gap
from views.in_practice import view as in_practice
from views.latency_floor import view as latency_floor
from views.model_errors import view as model_errors
from views.placement import view as placement
from views.story import view as story
from views.techniques import view as techniques
from views.track_record import view as track_record
from views.training_run import view as training_run
from views.view import View

MENU: dict[str, tuple[View, ...]] = {
    "": (overview.VIEW, story.VIEW),
    "Trends": (
        training_compute.VIEW,
        accelerators.VIEW,
        growth_accounting.VIEW,
        fleet.VIEW,
        cost_of_bandwidth.VIEW,
        track_record.VIEW,
    ),
    "The gap": (growth_gap.VIEW, compute_to_memory.VIEW),
    "Plan": (placement.VIEW, training_run.VIEW, cost_of_tokens.VIEW, latency_floor.VIEW, techniques.VIEW),
    "Evidence": (in_practice.VIEW, model_errors.VIEW, claims.VIEW, data_tables.VIEW),
}
"""The views by the kind of question they answer, in reading order; the start page and the story stand above."""

VIEWS: dict[str, View] = {view.path: view for group in MENU.values() for view in group}
"""The views by their address."""

SITE = "Scaling Gap"
"""The product's name."""


def tab_title(page: str) -> str:
    """Return what a browser's tab says of a page, by the page's title in the menu."""
    return f"{page} – {SITE}"
