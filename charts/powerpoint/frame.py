"""Where a layout leaves room: the headline's place, and the body between it and the footer."""

from dataclasses import dataclass
from typing import Any

from pptx.slide import Slide as Page

from charts.powerpoint.boxes import Box
from charts.powerpoint.drawingml import EMU_PER_POINT
from charts.powerpoint.template import Base, placeholder_kind

_MARGIN_SHARE = 0.045  # of the width, where the layout does not say
_LOWEST_HEADLINE = 0.3  # a title further down than this belongs to another kind of slide
_FOOTER = ("dt", "ftr", "sldNum")
_TITLES = ("title", "ctrTitle")


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The places of one layout. [pt]

    ``moved`` says that the headline could not stay where the layout has it; ``source_width`` is how far the
    source line may run before it meets the slide number.
    """

    headline: Box
    body: Box
    source_width: float
    moved: bool


def frame_of(base: Base) -> Frame:
    """Return where headline and body go on the layout for findings."""
    width, height = (
        value / EMU_PER_POINT for value in (base.deck.slide_width or 1, base.deck.slide_height or 1)
    )
    margin = _MARGIN_SHARE * width
    places = _places(base)
    title = next((places[kind] for kind in _TITLES if kind in places), None)
    moved = (
        title is None or title.bottom > 2 * _LOWEST_HEADLINE * height or title.top > _LOWEST_HEADLINE * height
    )
    if moved or title is None:
        title = Box(left=margin, top=0.05 * height, width=width - 2 * margin, height=0.135 * height)
    footers = [places[kind] for kind in _FOOTER if kind in places and places[kind].top > 0.8 * height]
    lowest = min([height - 0.03 * height, *(box.top for box in footers)]) if not base.ours else 0.975 * height
    narrow = [box.left for box in footers if box.left > width / 2] if base.ours else []
    left, right = title.left, min(title.right, width - title.left)
    body = Box(left=left, top=title.bottom, width=right - left, height=lowest - title.bottom)
    source_width = min([body.width, *(edge - 12 - left for edge in narrow)])
    return Frame(headline=title, body=body, source_width=source_width, moved=moved)


def headline_shape(page: Page) -> Any:
    """Return the title placeholder of a page, or None."""
    found = [shape for shape in page.placeholders if placeholder_kind(shape._element) in _TITLES]
    return found[0] if found else None


def _places(base: Base) -> dict[str, Box]:
    """Return the place of each placeholder: the layout's own, else the master's."""
    places: dict[str, Box] = {}
    for holder in (base.headline_layout.slide_master, base.headline_layout):
        for shape in holder.shapes:
            kind = placeholder_kind(shape._element)
            if kind and shape.width and shape.height is not None and shape.left is not None:
                left, top, width, height = (
                    value / EMU_PER_POINT for value in (shape.left, shape.top, shape.width, shape.height)
                )
                places[kind] = Box(left=left, top=top, width=width, height=height)
    return places
