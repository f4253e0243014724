"""A view, or the views of a deck, as slides that fill the screen: the first one ready to read, the others fetched."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from markupsafe import Markup

from charts import svg
from panel.answer import finding
from panel.document import script_safe
from panel.page import Shown, template

WAITING = "One moment …"


@dataclass(frozen=True, kw_only=True)
class PresentedSlide:
    """One slide: the name of its view, its query, pinned, and the question it answers."""

    view: str
    query: str
    question: str
    title: str = ""
    """What the reader calls it, in place of its headline."""


def presented(slides: Sequence[PresentedSlide], *, title: str, leave: str, first: Shown | None = None) -> str:
    """Return the page that shows the slides one at a time; without ``first`` its script asks for that one too.

    ``title`` is that of a deck, empty for a single view; ``leave`` is the address of the plain page.
    """
    data = {
        "slides": [asdict(slide) for slide in slides],
        "leave": leave,
        "title": title,
        "first": finding(first) if first else None,
    }
    result = first.result if first else None
    chart = result.exhibits[0].chart if result else None
    return template("present.html.j2").render(
        question=slides[0].question,
        headline=slides[0].title or (result.headline if result else WAITING),
        subtitle=(result.subtitle or (chart.subtitle if chart else "")) if result else "",
        source=result.settings_line if result else "",
        svg=Markup(svg.svg(chart)) if chart else "",
        number=f"1 / {len(slides)}" if len(slides) > 1 else "",
        many=len(slides) > 1,
        title=title,
        leave=leave,
        data=Markup(script_safe(data)),
    )
