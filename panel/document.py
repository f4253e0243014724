"""What a document carries of a view: the menu and the page, to be read before any script has run."""

import json
from collections.abc import Mapping

from markupsafe import Markup, escape

from charts import mark
from panel.answer import finding
from panel.assets import tapped
from panel.page import Shown, page_html, template
from views import deck, registry
from views.methods import text as methods

Menu = dict[str, list[tuple[str, str]]]
MENU: Menu = {group: [(view.path, view.title) for view in views] for group, views in registry.MENU.items()}
"""Address and title of every page, as the menu groups them."""
MENU["Evidence"].append((methods.PATH, methods.TITLE))
MENU["Slides"] = [(deck.PATH, deck.TITLE)]


def first_paint(shown: Shown, *, menu: Menu = MENU, embedded: bool = False) -> str:
    """Return the page of a view with the menu beside it, and what its script needs to make it live."""
    answer = finding(shown)
    del answer["parts"]
    page = page_html(shown, embedded=embedded)
    return _document(page, answer=answer, path=shown.view.path, menu=menu, embedded=embedded)


def not_yet(question: str, *, path: str, embedded: bool = False, instead: str = "One moment …") -> str:
    """Return the same without a finding, for a view that is still being computed, or what is said ``instead``."""
    page = f'<article class="panel"><p class="question">{escape(question)}</p><h1>{escape(instead)}</h1></article>'
    return _document(page, answer=None, path=path, menu=MENU, embedded=embedded)


def _document(
    page: str, *, answer: Mapping[str, object] | None, path: str, menu: Menu, embedded: bool
) -> str:
    return template("document.html.j2").render(
        page=Markup(page),
        answer=Markup(script_safe(answer)) if answer else "",
        path=path,
        menu=menu,
        embedded=embedded,
        tapped=Markup(tapped()),
        mark=Markup(mark.svg()),
    )


def script_safe(answer: Mapping[str, object]) -> str:
    """Return JSON that cannot end the script element it stands in."""
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
