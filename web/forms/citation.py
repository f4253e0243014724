"""A view as a reference for a bibliography."""

from views.citation import bibtex
from web.forms.form import Form, Order


def write(order: Order) -> bytes:
    """Return the BibTeX entry of the view, read today."""
    return bibtex(order.result, accessed=order.today, origin=order.origin).encode()


BIB = Form(
    extension="bib",
    media_type="application/x-bibtex; charset=utf-8",
    what="BibTeX entry",
    write=write,
    download=True,
    dated=True,
)
