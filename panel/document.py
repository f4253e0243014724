"""What a document carries of a view: the bar and the page, to be read before any script has run."""

import json
from collections.abc import Mapping

from markupsafe import Markup, escape

from panel.answer import finding
from panel.assets import tapped
from panel.menu import bar
from panel.page import Shown, page_html
from panel.templating import template


def first_paint(shown: Shown, *, embedded: bool = False) -> str:
    """Return the page of a view below the bar, and what its script needs to make it live."""
    answer = finding(shown)
    del answer["parts"]
    page = page_html(shown, embedded=embedded)
    return _document(page, answer=answer, path=shown.view.path, embedded=embedded)


def not_yet(question: str, *, path: str, embedded: bool = False, instead: str = "One moment …") -> str:
    """Return the same without a finding, for a view that is still being computed, or what is said ``instead``."""
    page = f'<article class="panel"><p class="question">{escape(question)}</p><h1>{escape(instead)}</h1></article>'
    return _document(page, answer=None, path=path, embedded=embedded)


def _document(page: str, *, answer: Mapping[str, object] | None, path: str, embedded: bool) -> str:
    return template("document.html.j2").render(
        page=Markup(page),
        answer=Markup(script_safe(answer)) if answer else "",
        bar="" if embedded else bar(path),
        embedded=embedded,
        tapped=tapped(),
    )


def script_safe(answer: Mapping[str, object]) -> str:
    """Return JSON that cannot end the script element it stands in."""
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
