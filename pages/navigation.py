"""The menu: every page once, grouped by the kind of question it answers."""

from pathlib import Path

import streamlit as st

from charts.plotly import STYLE
from pages.printing import printable
from views import accelerators, overview, training_compute
from views.claims import view as claims
from views.compute_to_memory import view as compute_to_memory
from views.data_tables import view as data_tables
from views.deck import PATH as DECK_PATH
from views.deck import TITLE as DECK_TITLE
from views.growth_accounting import view as growth_accounting
from views.growth_gap import view as growth_gap
from views.latency_floor import view as latency_floor
from views.methods import text as methods
from views.placement import view as placement
from views.techniques import view as techniques
from views.track_record import view as track_record
from views.training_run import view as training_run
from views.view import View

HERE = Path(__file__).resolve().parent


def page(view: View, file: str, *, default: bool = False) -> st.Page:
    """Return the menu entry of a view, at the address of the view."""
    return st.Page(HERE / file, title=view.title, url_path=view.path.strip("/") or None, default=default)


st.set_page_config(page_title="Scaling Gap", layout="wide", initial_sidebar_state=220)
st.html(HERE / "page.css")
st.html(f"<style>{STYLE}</style>")
st.navigation(
    {
        "The gap": [
            page(overview.VIEW, "overview.py", default=True),
            page(growth_gap.VIEW, "growth_gap.py"),
            page(compute_to_memory.VIEW, "compute_to_memory.py"),
        ],
        "Trends": [
            page(training_compute.VIEW, "training_compute.py"),
            page(accelerators.VIEW, "accelerators.py"),
            page(growth_accounting.VIEW, "growth_accounting.py"),
            page(track_record.VIEW, "track_record.py"),
        ],
        "What if": [
            page(placement.VIEW, "placement.py"),
            page(training_run.VIEW, "training_run.py"),
            page(latency_floor.VIEW, "latency_floor.py"),
            page(techniques.VIEW, "techniques.py"),
        ],
        "Evidence": [
            page(claims.VIEW, "claims.py"),
            page(data_tables.VIEW, "data_tables.py"),
            st.Page(HERE / "methods.py", title=methods.TITLE, url_path=methods.PATH.strip("/")),
        ],
        "Slides": [st.Page(HERE / "deck.py", title=DECK_TITLE, url_path=DECK_PATH.strip("/"))],
    },
    position="hidden" if st.context.is_embedded else "sidebar",
).run()
printable()
