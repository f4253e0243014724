"""The address of every page, as the views state them."""

from dataclasses import dataclass

from views import deck, registry
from views.methods import text as methods
from views.registry import VIEWS

START = "/"


@dataclass(frozen=True, kw_only=True)
class PlainPage:
    """A page that shows no single view: what its preview says."""

    title: str
    question: str


PLAIN_PAGES = {
    methods.PATH: PlainPage(title=methods.TITLE, question=methods.QUESTION),
    deck.PATH: PlainPage(title=deck.TITLE, question=deck.QUESTION),
}
"""Pages beside those of the views, by address."""

PAGES = tuple(path.removeprefix("/") for path in (*VIEWS, *PLAIN_PAGES) if path != START)
"""Paths below `/`, in the order of the menu. The start page is `/` itself."""

MENU: dict[str, list[tuple[str, str]]] = {
    group: [(view.path, view.title) for view in views] for group, views in registry.MENU.items()
}
"""Address and title of every page, as the menu groups them."""
MENU["Evidence"].append((methods.PATH, methods.TITLE))
MENU["Slides"] = [(deck.PATH, deck.TITLE)]
