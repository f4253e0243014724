"""The bar above every page: eight entries with their pages, the deck, the theme and the search."""

from dataclasses import dataclass

from charts import mark
from charts.text_width import text_width
from panel.streamlit_names import MAIN
from panel.templating import template
from views import deck, registry
from views.methods import text as methods


@dataclass(frozen=True, kw_only=True)
class PlainPage:
    """A page that shows no single view: its title, and its question, which its preview says."""

    title: str
    question: str


PLAIN_PAGES = {
    methods.PATH: PlainPage(title=methods.TITLE, question=methods.QUESTION),
    deck.PATH: PlainPage(title=deck.TITLE, question=deck.QUESTION),
}
"""Pages beside those of the views, by address."""
TITLES = {path: page.title for path, page in {**registry.VIEWS, **PLAIN_PAGES}.items()}
"""What each page is called where no entry of the menu stands above it, by its address."""
PAGES = tuple(path.removeprefix("/") for path in TITLES if path != "/")
"""Paths below `/`, in the order of the menu. The start page is `/` itself."""


def bar(path: str) -> str:
    """Return the bar as HTML, with the page at ``path`` marked; before it is the way past it by keyboard."""
    return template("bar.html.j2").render(
        views=registry, deck=deck, path=path, mark=mark.svg(), main=MAIN, width=_width
    )


def siblings(path: str) -> str:
    """Return a line of links to the pages below the same entry; empty where there are no others."""
    for entry, pages in registry.MENU.items():
        if path in pages.values() and len(pages) > 1:
            return template("siblings.html.j2").render(entry=entry, pages=pages, path=path)
    return ""


def _width(label: str) -> str:
    """Return the room a label has in the bar, so that nothing moves when the font comes or the page changes."""
    return f"{text_width(label, size=1.0, bold=True):.2f}em"
