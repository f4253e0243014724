"""The bar above every page: eight entries with their pages, the deck, the theme and the search."""

from charts import mark
from charts.text_width import text_width
from panel.streamlit_names import MAIN
from panel.templating import template
from views import deck, registry
from views.methods import text as methods

TITLES = {view.path: view.title for view in registry.VIEWS.values()}
TITLES |= {methods.PATH: methods.TITLE, deck.PATH: deck.TITLE}
"""What each page is called where no entry of the menu stands above it, by its address."""


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
