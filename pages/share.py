"""Share a view: its link, its files, a frame for another page, a citation, and a place in the deck."""

import datetime
from collections.abc import Callable
from functools import cache
from html import escape
from pathlib import Path

import streamlit as st
import streamlit.components.v2 as components

from data.spreadsheet_text import csv_text
from pages.basket import add, basket, in_basket, parameters
from views.citation import bibtex, sentence
from views.result import Result, Table

HERE = Path(__file__).resolve().parent
FORMS = {
    "png": "Picture (PNG)",
    "svg": "Drawing (SVG)",
    "pdf": "Print (PDF)",
    "pptx": "Slide (PowerPoint)",
    "csv": "Numbers (CSV)",
    "json": "Everything (JSON)",
    "bib": "Citation (BibTeX)",
}
"""Extension of each form of a view -> its name on the button."""

DECK_WIDTH = 152
"""Width of what puts a view into the deck and then leads there, so that nothing moves. [px]"""

COPY_HTML = """<div class="row">
<button name="link">Copy link</button>
<button name="image">Copy image</button>
<button name="table">Copy data</button>
</div><p role="status"></p>"""

COPY_CSS = """.row { display: flex; flex-wrap: wrap; gap: 0.5rem }
button { font: inherit; color: inherit; background: transparent; padding: 0.3rem 0.8rem; cursor: pointer;
  border: 1px solid var(--st-border-color); border-radius: var(--st-base-radius) }
button:hover { border-color: var(--st-primary-color); color: var(--st-primary-color) }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px }
p { margin: 0.4rem 0 0; min-height: 1.3em; font-size: 0.875rem }"""


def form_link(result: Result, extension: str) -> str:
    """Return the address of another form of this very view, from the root of the site."""
    return f"/{result.view}.{extension}?{result.link.partition('?')[2]}"


def embed_code(result: Result, *, origin: str) -> str:
    """Return the HTML that shows the chart of this view in a frame of another page."""
    path, _, query = result.link.partition("?")
    source = escape(f"{origin}{path}?embed=true&{query}")
    title = escape(result.headline)
    return (
        f'<iframe src="{source}" title="{title}" width="100%" height="680" style="border:0" loading="lazy">'
        "</iframe>"
    )


def share(result: Result, *, origin: str) -> None:
    """Draw the Share control, and beside it what puts the view into the deck."""
    popover = st.popover("Share", width="content", key="share", on_change="rerun")
    if popover.open:
        with popover:
            if result.link:
                _shared(result, origin=origin)
            else:
                _own_data(result)
    place = st.container(width=DECK_WIDTH).empty()
    if not in_basket(result.link) and place.button(
        "Add to deck",
        disabled=not result.link,
        help=None if result.link else "A deck is a link, and a link cannot carry your own export.",
        key="add_to_deck",
        width="stretch",
    ):
        add(result.link)
    if in_basket(result.link):
        chosen = basket()
        place.page_link(
            "deck.py",
            label=f"In the deck ({len(chosen.items)})",
            icon=":material/slideshow:",
            query_params=parameters(chosen),
            width="stretch",
        )


def _shared(result: Result, *, origin: str) -> None:
    link_tab, files_tab, embed_tab, cite_tab = st.tabs(["Link", "Files", "Embed", "Cite"])
    with link_tab:
        st.markdown("This link names every setting and the data release, so it always shows these numbers.")
        st.code(f"{origin}{result.link}", language=None, wrap_lines=True)
        _copy_buttons()(
            data={
                "link": f"{origin}{result.link}",
                "image": form_link(result, "png"),
                "table": form_link(result, "csv"),
            },
            key="copy",
        )
    with files_tab:
        st.markdown("Each file holds the same numbers as this page.")
        with st.container(horizontal=True):
            for extension, name in FORMS.items():
                st.link_button(name, form_link(result, extension))
    with embed_tab:
        st.markdown("Shows headline, chart and source, with a link to the full view.")
        st.code(embed_code(result, origin=origin), language="html", wrap_lines=True)
    with cite_tab:
        today = datetime.date.today()
        st.code(sentence(result, accessed=today, origin=origin), language=None, wrap_lines=True)
        st.code(bibtex(result, accessed=today, origin=origin), language=None, wrap_lines=True)


@cache
def _copy_buttons() -> Callable:
    return components.component(
        "scaling_gap_copy", html=COPY_HTML, css=COPY_CSS, js=(HERE / "clipboard.js").read_text("utf-8")
    )


def _csv(table: Table) -> str:
    heads = [f"{column.name} [{column.unit}]" if column.unit else column.name for column in table.columns]
    return csv_text([heads, *(["" if cell is None else str(cell) for cell in row] for row in table.rows)])


def _own_data(result: Result) -> None:
    st.markdown(
        "This view reads your own export, which a link cannot carry. The file below is made from it here and "
        "stored nowhere."
    )
    st.download_button(
        FORMS["csv"],
        data=lambda: _csv(result.table),
        file_name=f"{result.view}-own-data.csv",
        mime="text/csv",
        on_click="ignore",
        key="own_csv",
    )
