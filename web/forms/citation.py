"""A view as a reference for a bibliography."""

from views.citation import bibtex
from web.forms.form import Order


def write(order: Order) -> bytes:
    """Return the BibTeX entry of the view, read today."""
    return bibtex(order.result, accessed=order.today, origin=order.origin).encode()
