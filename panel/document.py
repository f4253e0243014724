"""Content of a document before scripts run: the bar with a page, or slides in full screen."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup, escape

from charts import svg
from panel.answer import finding
from panel.assets import TAPPED, text_of
from panel.menu import bar
from panel.page import Shown, page_html, sender
from panel.templating import template
from views.deck import Item

WAITING = "One moment …"


def first_paint(shown: Shown, *, embedded: bool = False) -> str:
    """Return the page of a view below the bar, and the data for its script."""
    answer = finding(shown)
    del answer["parts"]
    page = page_html(shown, embedded=embedded)
    return _document(page, answer=answer, path=shown.view.path, embedded=embedded)


def not_yet(question: str, *, path: str, embedded: bool = False, instead: str = WAITING) -> str:
    """Return the page of a view whose finding is not ready. The text ``instead`` replaces the finding."""
    page = f'<article class="panel"><p class="question">{escape(question)}</p><h1>{escape(instead)}</h1></article>'
    return _document(page, answer=None, path=path, embedded=embedded)


def _document(page: str, *, answer: Mapping[str, object] | None, path: str, embedded: bool) -> str:
    return template("document.html.j2").render(
        page=Markup(page),
        answer=Markup(script_safe(answer)) if answer else "",
        bar="" if embedded else bar(path),
        embedded=embedded,
        tapped=text_of(TAPPED),
    )


def script_safe(answer: Mapping[str, object]) -> str:
    """Return JSON that cannot end the enclosing script element."""
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@dataclass(frozen=True, kw_only=True)
class Slides:
    """Full-screen slides of one view, or of a deck with a title. ``leave`` links to the normal page."""

    items: tuple[Item, ...]
    leave: str
    title: str = ""


def presented(slides: Slides, *, first: Shown | None = None) -> str:
    """Return the page that shows slides one by one. Without ``first``, its script requests the first slide."""
    data = {
        "slides": [
            {
                "view": item.view.name,
                "query": item.link.partition("?")[2],
                "question": item.view.question,
                "title": item.title,
            }
            for item in slides.items
        ],
        "leave": slides.leave,
        "title": slides.title,
        "first": finding(first) if first else None,
    }
    result = first.result if first else None
    chart = result.exhibits[0].chart if result else None
    count, start = len(slides.items), slides.items[0]
    return template("present.html.j2").render(
        question=start.view.question,
        headline=start.title or (result.headline if result else WAITING),
        subtitle=(result.subtitle or (chart.subtitle if chart else "")) if result else "",
        sender=sender(first) if first else "",
        source=result.settings_line if result else "",
        svg=Markup(svg.svg(chart)) if chart else "",
        number=f"1 / {count}" if count > 1 else "",
        many=count > 1,
        title=slides.title,
        leave=slides.leave,
        data=Markup(script_safe(data)),
    )
