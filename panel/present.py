"""A view, or the views of a deck, as slides that fill the screen: the first one ready to read, the others fetched."""

from dataclasses import dataclass

from markupsafe import Markup

from charts import svg
from panel.answer import finding
from panel.document import script_safe
from panel.page import Shown
from panel.templating import template
from views.deck import Item

WAITING = "One moment …"


@dataclass(frozen=True, kw_only=True)
class Slides:
    """What fills the screen: one view, or those of a deck, which has a title; ``leave`` is its plain page."""

    items: tuple[Item, ...]
    leave: str
    title: str = ""


def presented(slides: Slides, *, first: Shown | None = None) -> str:
    """Return the page that shows the slides one at a time; without ``first`` its script asks for that one too."""
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
        source=result.settings_line if result else "",
        svg=Markup(svg.svg(chart)) if chart else "",
        number=f"1 / {count}" if count > 1 else "",
        many=count > 1,
        title=slides.title,
        leave=slides.leave,
        data=Markup(script_safe(data)),
    )
