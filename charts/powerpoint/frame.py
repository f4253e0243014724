"""Free space in a layout: the position of the headline, and a body clear of everything else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pptx.slide import Slide as Page

from charts.powerpoint.boxes import Box
from charts.powerpoint.drawingml import EMU_PER_POINT
from charts.powerpoint.scale import scale_of
from charts.powerpoint.template import Base, placeholder_kind

_MARGIN_SHARE = 0.045  # of the width, if the layout does not define it
_HEADLINE_SHARE = 0.135  # of the height, for a layout without a title
_GAP = 6.0  # clearance around what the layout shows [pt]
_FOOTER = ("dt", "ftr", "sldNum")
_TITLES = ("title", "ctrTitle")
_BACKGROUND_SHARE = 0.5  # of the slide: a larger shape is behind everything
_CONTENT_SHARE = 0.12  # of the slide: a placeholder from this size is for content
_LEAST_BODY = 0.28  # of the slide: with less the chart would be unreadable, so obstacles are ignored
_MOST_OBSTACLES = 40


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The headline and body areas of one layout. [pt]

    ``moved`` is true if the headline could not keep the layout's place; ``source_width`` is the maximum width of the
    source line left of the slide number.
    """

    headline: Box
    body: Box
    source_width: float
    moved: bool


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What a layout shows: its title, its placeholders for content, and its obstacles, the most important first."""

    title: Box | None
    content: tuple[Box, ...]
    footers: tuple[Box, ...]
    drawn: tuple[Box, ...]
    prompts: tuple[Box, ...]


def frame_of(base: Base) -> Frame:
    """Return the headline and body areas on the layout for findings, in points of our own slides."""
    a_point = EMU_PER_POINT * scale_of(base.deck)
    width, height = (value / a_point for value in (base.deck.slide_width or 1, base.deck.slide_height or 1))
    shown = shown_by(base, width=width, height=height)
    if base.ours and shown.title is not None:
        title = shown.title
        left, right = title.left, min(title.right, width - title.left)
        body = Box(left=left, top=title.bottom, width=right - left, height=0.975 * height - title.bottom)
        ends = [box.left for box in shown.footers if box.left > width / 2]
        source_width = min([body.width, *(edge - 34 - left for edge in ends)])
        return Frame(headline=title, body=body, source_width=source_width, moved=False)
    margin = _MARGIN_SHARE * width
    page = Box(left=margin, top=0.04 * height, width=width - 2 * margin, height=0.93 * height)
    enough = _LEAST_BODY * width * height
    title = shown.title
    if title is not None:
        for kept in _less_and_less(shown):
            for room in (*_content_room(shown, page), _beside(title, page)):
                body = widest(room, [*kept, title])
                if body.width * body.height >= enough:
                    return Frame(headline=title, body=body, source_width=body.width, moved=False)
    for kept in _less_and_less(shown):
        free = widest(page, kept)
        if free.width * free.height >= enough + _HEADLINE_SHARE * height * free.width:
            return _headed(free, height=height)
    return _headed(page, height=height)


def _headed(room: Box, *, height: float) -> Frame:
    """Return the frame of a layout without a usable title. The headline and the body share the free space."""
    head = _HEADLINE_SHARE * height
    return Frame(headline=room.head(head), body=room.below(head), source_width=room.width, moved=True)


def _less_and_less(shown: Shown) -> Iterator[tuple[Box, ...]]:
    """Yield ever smaller sets of obstacles, from all to none. Empty placeholders are dropped before shapes."""
    yield (*shown.footers, *shown.drawn, *shown.prompts)
    yield (*shown.footers, *shown.drawn)
    yield shown.footers
    yield ()


def _content_room(shown: Shown, page: Box) -> Iterator[Box]:
    """Yield the box around all content placeholders, if the layout has any."""
    if shown.content:
        left, top = (min(getattr(box, side) for box in shown.content) for side in ("left", "top"))
        right, bottom = (max(getattr(box, side) for box in shown.content) for side in ("right", "bottom"))
        left, top, right, bottom = max(left, 0), max(top, 0), min(right, page.right + page.left), bottom
        yield Box(left=left, top=top, width=right - left, height=min(bottom, page.bottom) - top)


def _beside(title: Box | None, page: Box) -> Box:
    """Return the page, with its sides aligned with the title if the title begins near the left edge."""
    if title is None or not 0 < title.left < 2.5 * page.left:
        return page
    return Box(
        left=title.left, top=page.top, width=page.right + page.left - 2 * title.left, height=page.height
    )


def widest(page: Box, taken: Sequence[Box]) -> Box:
    """Return the largest rectangle on a page that overlaps none of the boxes."""
    beside = [box for box in taken if box.left < page.right and page.left < box.right]
    boxes = [box for box in beside if box.top < page.bottom and page.top < box.bottom][:_MOST_OBSTACLES]
    lefts = sorted({page.left, *(box.right for box in boxes if box.right > page.left)})
    rights = sorted({page.right, *(box.left for box in boxes if box.left < page.right)})
    best = Box(left=page.left, top=page.top, width=1.0, height=1.0)
    for left in lefts:
        for right in (edge for edge in rights if edge > left):
            across = [box for box in boxes if box.left < right and box.right > left]
            top, gaps = page.top, []
            for box in sorted(across, key=lambda box: box.top):
                gaps.append((top, box.top))
                top = max(top, box.bottom)
            gaps.append((top, page.bottom))
            for start, end in gaps:
                if (right - left) * (end - start) > best.width * best.height and end > start:
                    best = Box(left=left, top=start, width=right - left, height=end - start)
    return best


def headline_shape(page: Page) -> Any:
    """Return the title placeholder of a page. None if the page has none."""
    titles = [shape for shape in page.placeholders if placeholder_kind(shape._element) in _TITLES]
    return titles[0] if titles else None


def shown_by(base: Base, *, width: float, height: float) -> Shown:
    """Return what the layout for findings shows, including the shapes of its master."""
    layout = base.headline_layout
    a_point = EMU_PER_POINT * scale_of(base.deck)
    title: Box | None = None
    content: list[Box] = []
    footers: list[Box] = []
    drawn: list[Box] = []
    prompts: list[Box] = []
    for shape in layout.shapes:
        kind, box = placeholder_kind(shape._element), _box(shape, a_point=a_point)
        if box is None:
            continue
        share = box.width * box.height / (width * height)
        if kind in _TITLES:
            title = title or box
        elif kind in _FOOTER:
            footers.append(_wider(box))
        elif kind == "pic" or (kind is not None and share < _CONTENT_SHARE):
            prompts.append(_wider(box))
        elif kind is not None:
            content.append(box)
        elif share < _BACKGROUND_SHARE:
            drawn.append(_wider(box))
    if layout._element.get("showMasterSp") not in ("0", "false"):
        for shape in layout.slide_master.shapes:
            box = None if placeholder_kind(shape._element) else _box(shape, a_point=a_point)
            if box is not None and box.width * box.height < _BACKGROUND_SHARE * width * height:
                drawn.append(_wider(box))
    if title is not None and not (
        title.right <= 1.05 * width and title.bottom <= 1.05 * height and title.width > 0.12 * width
    ):
        title = None
    return Shown(
        title=title,
        content=tuple(content),
        footers=tuple(footers),
        drawn=tuple(drawn),
        prompts=tuple(prompts),
    )


def _wider(box: Box) -> Box:
    return Box(
        left=box.left - _GAP, top=box.top - _GAP, width=box.width + 2 * _GAP, height=box.height + 2 * _GAP
    )


def _box(shape: Any, *, a_point: float) -> Box | None:
    """Return the box of a layout's shape, or of the master's placeholder if the shape has none of its own."""
    sides = (shape.left, shape.top, shape.width, shape.height)
    if any(side is None for side in sides):
        return None
    left, top, width, height = (side / a_point for side in sides)
    return Box(left=left, top=top, width=width, height=height)
