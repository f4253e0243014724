"""Registry of all views in menu order, and the menu."""

from views import accelerators, overview, training_compute, written
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
from views.what_changed import view as what_changed

VIEWS: dict[str, View] = {
    module.VIEW.path: module.VIEW
    for module in (
        *(overview, growth_gap, compute_to_memory, training_compute, growth_accounting, accelerators, fleet),
        *(cost_of_bandwidth, placement, training_run, cost_of_tokens, latency_floor, techniques, story),
        *(claims, track_record, model_errors, in_practice, data_tables, what_changed),
    )
}
"""All views in menu order, keyed by address."""

MENU: dict[str, dict[str, str]] = written.toml(__file__, name="menu.toml")
"""Addresses of the pages under each menu entry, keyed by entry and by name."""

SITE = "Scaling Gap"
"""The product's name."""


def tab_title(page: str) -> str:
    """Return the browser tab's title for a page, given its title in the menu."""
    return f"{page} – {SITE}"
