"""The address of every page, as the views state them."""

from dataclasses import dataclass

from views import deck
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
