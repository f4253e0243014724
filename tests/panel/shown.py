"""A view's page as the tests of the panel look at it."""

import pytest

from panel.page import Shown, page_html
from tests.web.document import inside
from views.registry import VIEWS
from views.view import answer, read

EVERY_VIEW = pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)


def shown_of(path: str, query: str | dict[str, list[str]] = "") -> Shown:
    view = VIEWS[path]
    settings, ignored = read(view, query)
    return Shown(view=view, settings=settings, result=answer(view, settings, ignored=ignored))


def page_of(path: str, query: str | dict[str, list[str]] = "", *, embedded: bool = False):
    """Return the page of a link, parsed, without its chart."""
    return inside(page_html(shown_of(path, query), embedded=embedded, drawn=False))
