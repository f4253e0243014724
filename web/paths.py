"""The address of every page, as the views state them."""

from views import deck, methods
from views.registry import VIEWS

START = "/"
PAGES = tuple(path.removeprefix("/") for path in (*VIEWS, methods.PATH, deck.PATH) if path != START)
"""Paths below `/`, in the order of the menu. The start page is `/` itself."""
