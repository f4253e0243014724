"""What a document carries of a view: the menu and the page, to be read before any script has run."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from charts import mark
from panel.answer import finding
from panel.assets import tapped
from panel.page import Shown, page_html, template


@dataclass(frozen=True, kw_only=True)
class MenuEntry:
    """One page in the menu."""

    path: str
    title: str


def first_paint(shown: Shown, *, menu: Mapping[str, Sequence[MenuEntry]], embedded: bool = False) -> str:
    """Return the page of a view with the menu beside it, and what its script needs to make it live."""
    answer = finding(shown)
    del answer["parts"]
    return _document(
        page_html(shown, embedded=embedded), answer=answer, path=shown.view.path, menu=menu, embedded=embedded
    )


def not_yet(
    question: str,
    *,
    path: str,
    menu: Mapping[str, Sequence[MenuEntry]],
    embedded: bool = False,
    instead: str = "One moment …",
) -> str:
    """Return the same without a finding, for a view that is still being computed, or what is said ``instead``."""
    page = f'<article class="panel"><p class="question">{escape(question)}</p><h1>{escape(instead)}</h1></article>'
    return _document(page, answer=None, path=path, menu=menu, embedded=embedded)


def _document(
    page: str,
    *,
    answer: Mapping[str, object] | None,
    path: str,
    menu: Mapping[str, Sequence[MenuEntry]],
    embedded: bool,
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
