"""The bar above every page: the deck, the theme, the search, and eight entries with their pages."""

from dataclasses import dataclass

from charts import mark
from charts.text_width import text_width
from panel.streamlit_names import MAIN
from panel.templating import template
from views import deck, registry
from views.methods import text as methods


@dataclass(frozen=True, kw_only=True)
class PlainPage:
    """A page that is not a single view: its title, and the question in its preview."""

    title: str
    question: str


PLAIN_PAGES = {
    methods.PATH: PlainPage(title=methods.TITLE, question=methods.QUESTION),
    deck.PATH: PlainPage(title=deck.TITLE, question=deck.QUESTION),
}
"""Pages that are not views, keyed by address."""
TITLES = {path: page.title for path, page in {**registry.VIEWS, **PLAIN_PAGES}.items()}
"""Title of each page without its menu entry, keyed by address."""
PAGES = tuple(path.removeprefix("/") for path in TITLES if path != "/")
"""Paths below `/`, in menu order. The start page is `/` itself."""


def bar(path: str) -> str:
    """Return the bar as HTML, after a skip link, with the page at ``path`` marked.

    Each label has a fixed width, so that nothing moves when the font loads or the page changes.
    """

    def width(label: str) -> str:
        return f"{text_width(label, size=1.0, bold=True):.2f}em"

    return template("bar.html.j2").render(
        views=registry, deck=deck, path=path, mark=mark.svg(), main=MAIN, width=width
    )


def siblings(path: str) -> str:
    """Return a line of links to the other pages of the same menu entry. Empty if there are none."""
    for entry, pages in registry.MENU.items():
        if path in pages.values() and len(pages) > 1:
            return template("siblings.html.j2").render(entry=entry, pages=pages, path=path)
    return ""
