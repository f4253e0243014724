"""One view on a slide: headline, chart, key figures and source line."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pptx.enum.text import MSO_ANCHOR
from pptx.opc.constants import CONTENT_TYPE as CT
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.package import Part
from pptx.oxml import parse_xml
from pptx.oxml.shapes.graphfrm import CT_GraphicalObjectFrame
from pptx.parts.chart import ChartPart
from pptx.slide import Slide as Page

from charts.chart import BarChart, Chart, MapChart, Points, XYChart
from charts.colours import MARKERS
from charts.powerpoint.axes import NativeChart
from charts.powerpoint.bars import bar_chart, cramped
from charts.powerpoint.boxes import Box, Run, plate, rule, text_box, write
from charts.powerpoint.drawingml import EMU_PER_POINT, R, c, plain, serialised
from charts.powerpoint.frame import Frame, frame_of, headline_shape
from charts.powerpoint.maps import map_chart
from charts.powerpoint.paint import SIGNS, Ink, Paint, tone_ink
from charts.powerpoint.scale import scale_of
from charts.powerpoint.scatter import scatter_chart
from charts.powerpoint.tags import put_tags
from charts.powerpoint.template import Base, has_picture
from charts.powerpoint.words import LINE_HEIGHT, lines_needed, room
from charts.slide import Slide

MOST_FIGURES = 3
HEADLINE_POINTS = 28.0
SOURCE_POINTS = 10.0

_SUBTITLE_POINTS = 14.0
_REASON_POINTS, _VERDICT_POINTS = 12.0, 18.0
_ROW_POINTS, _COLUMN_GAP = 84.0, 16.0
_LEAST_PITCH, _MOST_PITCH = 74.0, 118.0  # distance between key figures [pt]
_KEY_POINTS = 12.0
_SHRUNK_POINTS = (HEADLINE_POINTS, 24.0, 20.0)
_MOST_LINES = 2
_FALLBACK = 0.78
"""Share of a line that headline and key figures may fill. Fallback fonts are wider. [1]"""
_MOST_SOURCE_LINES = 5
_FIGURES_SHARE = 0.27
_GUTTER_SHARE = 0.025
_HOLLOW = {"circle": "○", "square": "□", "diamond": "◇", "triangle": "△", "cross": "✕"}
_BESIDE = 1.45  # a body with a lower aspect ratio has its figures below the chart


def add_view(base: Base, slide: Slide) -> Page:
    """Add a view to the presentation, and return its page."""
    page = base.deck.slides.add_slide(base.headline_layout)
    frame = frame_of(base)
    body = headline(page, slide.headline, base=base, frame=frame)
    source = _source_box(slide, frame)
    if has_picture(base):
        whole = Box(
            left=body.left - 8, top=body.top, width=body.width + 16, height=source.bottom - body.top + 4
        )
        plate(page, whole, ink=Ink(rgb=base.paint.background))
    body = body.head(source.top - 8 - body.top)
    for name, text in (("Subtitle", slide.subtitle or slide.chart.subtitle), ("Note", slide.chart.note)):
        if text:
            body = _line(page, text, name=name, body=body, paint=base.paint)
    shown = slide.figures[:MOST_FIGURES]
    chart_width = body.width * (1 - _FIGURES_SHARE - _GUTTER_SHARE)
    narrow = Box(left=body.left, top=body.top, width=chart_width, height=body.height)
    below = body.width < _BESIDE * body.height or (
        isinstance(slide.chart, BarChart) and cramped(slide.chart, base.paint, box=narrow)
    )
    if (shown or slide.verdict) and below:
        body = _figures_below(page, slide, body=body, paint=base.paint)
    elif shown or slide.verdict:
        left = body.right - body.width * _FIGURES_SHARE
        column = Box(left=left, top=body.top, width=body.right - left, height=body.height)
        column = _verdict(page, slide, column=column, paint=base.paint)
        column = _reason(page, slide, column=column, paint=base.paint)
        _figures(page, shown, column=column, paint=base.paint)
        body = narrow
    if runs := key_runs(slide.chart, base.paint):
        height = _KEY_POINTS * LINE_HEIGHT + 2
        text_box(page, body.head(height), name="Key", paragraphs=[runs])
        body = body.below(height + 6)
    _chart(page, slide.chart, box=body, paint=base.paint)
    look = {"size": SOURCE_POINTS, "ink": base.paint.quiet}
    runs = [Run(text=f"{slide.source}  ", **look), Run(text=slide.shown_link, link=slide.link, **look)]
    text_box(page, source, name="Source", paragraphs=[runs], anchor=MSO_ANCHOR.BOTTOM)
    notes = page.notes_slide.notes_text_frame
    if notes is not None:
        notes.text = plain(slide.notes)
    put_tags(page, link=slide.link, exhibit=slide.exhibit)
    return page


def headline(page: Page, text: str, *, base: Base, frame: Frame) -> Box:
    """Write the headline in 28 pt, or smaller if needed to fit two lines, and return the space below it."""
    box = frame.headline
    shape = headline_shape(page)
    beside = 0.0 if base.ours or frame.moved else _insets(shape) / scale_of(base.deck)
    size, lines = _fitted(
        text, width=box.width - beside, height=None if base.ours or frame.moved else box.height - 8
    )
    if shape is None:
        run = Run(text=text, size=size, ink=base.paint.text, bold=True)
        text_box(page, box, name="Headline", paragraphs=[[run]])
    else:
        shape.name = "Headline"
        if frame.moved:
            shape.left, shape.top, shape.width, shape.height = box.emu
        # A company's own title keeps its font, weight and colour.
        run = (
            Run(text=text, size=size, ink=base.paint.text, bold=True)
            if base.ours
            else Run(text=text, size=size)
        )
        write(shape.text_frame, page, paragraphs=[[run]])
    if base.ours:
        top = box.top + lines * size * LINE_HEIGHT + 8
    elif frame.moved:
        top = max(box.top + lines * size * LINE_HEIGHT + 8, frame.body.top)
    else:
        return frame.body
    return Box(left=frame.body.left, top=top, width=frame.body.width, height=frame.body.bottom - top)


def _fitted(text: str, *, width: float, height: float | None) -> tuple[float, int]:
    """Return the size [pt] and number of lines of a headline: at most two lines, or as many as fit a given height."""
    if height is None:
        width *= _FALLBACK
        one_line = [size for size in _SHRUNK_POINTS[:2] if room(text, size=size, bold=True) <= width]
        if one_line:
            return one_line[0], 1
    sizes = _SHRUNK_POINTS if height is None else (*_SHRUNK_POINTS, 18.0, 16.0, 14.0, 12.0)
    longest = max(text.split() or [""], key=len)
    for size in sizes:
        lines = lines_needed(text, size=size, width=width, bold=True)
        fits = lines <= _MOST_LINES if height is None else lines * size * LINE_HEIGHT <= height
        if fits and room(longest, size=size, bold=True) <= width:
            return size, lines
    return sizes[-1], lines_needed(text, size=sizes[-1], width=width, bold=True)


def _insets(shape: Any) -> float:
    """Return the left and right padding of the text in a placeholder. [pt]"""
    frame = shape.text_frame if shape is not None else None
    return (frame.margin_left + frame.margin_right) / EMU_PER_POINT if frame is not None else 0.0


def _line(page: Page, text: str, *, name: str, body: Box, paint: Paint) -> Box:
    lines = lines_needed(text, size=_SUBTITLE_POINTS, width=body.width)
    height = lines * _SUBTITLE_POINTS * LINE_HEIGHT + 4
    run = Run(text=text, size=_SUBTITLE_POINTS, ink=paint.quiet)
    text_box(page, body.head(height), name=name, paragraphs=[[run]])
    return body.below(height + 10)


def key_runs(chart: Chart, paint: Paint) -> Sequence[Run]:
    """Return a line of text instead of a legend. It names each hollow series with unnamed points."""
    runs: list[Run] = []
    for mark in chart.marks if isinstance(chart, XYChart) else ():
        if not isinstance(mark, Points) or not mark.hollow or len(mark.marked) == len(mark.x):
            continue
        lead = "      " if runs else ""
        sign = _HOLLOW[MARKERS[mark.role]]
        runs.append(Run(text=f"{lead}{sign} ", size=_KEY_POINTS, ink=paint.mark[mark.role], bold=True))
        runs.append(Run(text=mark.series, size=_KEY_POINTS, ink=paint.text))
    return runs


def _chart(page: Page, chart: Chart, *, box: Box, paint: Paint) -> None:
    native = native_chart(chart, paint, box=box)
    package = page.part.package
    part = ChartPart.load(
        package.next_partname(ChartPart.partname_template), CT.DML_CHART, package, serialised(native.part)
    )
    _furnish(part, native)
    identity = page.shapes._next_shape_id
    frame = CT_GraphicalObjectFrame.new_chart_graphicFrame(
        identity, "Chart", page.part.relate_to(part, RT.CHART), *box.emu
    )
    frame.nvGraphicFramePr.cNvPr.set("descr", plain(chart.alt))
    page.shapes._spTree.append(frame)


def fill_chart_part(part: ChartPart, native: NativeChart) -> None:
    """Replace the chart in one part of an opened presentation."""
    for key, relationship in list(part.rels.items()):
        if relationship.reltype in (RT.PACKAGE, RT.CHART_USER_SHAPES, RT.OLE_OBJECT):
            part.rels.pop(key)
    part._element = parse_xml(serialised(native.part))
    part.__dict__.pop("chart_workbook", None)  # python-pptx caches the workbook of the old element
    _furnish(part, native)


def _furnish(part: ChartPart, native: NativeChart) -> None:
    """Add the workbook and the inner shapes to a chart part."""
    part.chart_workbook.update_from_xlsx_blob(native.workbook)
    if native.shapes is not None:
        package = part.package
        place = package.next_partname("/ppt/drawings/drawing%d.xml")
        drawing = Part(place, CT.DML_CHARTSHAPES, package, serialised(native.shapes))
        link = c("userShapes")
        link.set(f"{{{R}}}id", part.relate_to(drawing, RT.CHART_USER_SHAPES))
        part._element.append(link)


def native_chart(chart: Chart, paint: Paint, *, box: Box) -> NativeChart:
    """Return a native chart of this box's size."""
    match chart:
        case BarChart():
            return bar_chart(chart, paint, width=box.width, height=box.height)
        case MapChart():
            return map_chart(chart, paint, width=box.width, height=box.height)
        case _:
            return scatter_chart(chart, paint, width=box.width, height=box.height)


def _figures_below(page: Page, slide: Slide, *, body: Box, paint: Paint) -> Box:
    """Write the verdict and the key figures at the bottom of a narrow body. Return the space above them."""
    shown = slide.figures[:MOST_FIGURES]
    tall = _ROW_POINTS if shown else 0.0
    head = _VERDICT_POINTS * LINE_HEIGHT + 10 if slide.verdict else 0.0
    top = body.bottom - tall - head
    if slide.verdict:
        _verdict(page, slide, column=replace(body, top=top, height=head), paint=paint)
    pitch = (body.width + _COLUMN_GAP) / max(len(shown), 1)
    for k, figure in enumerate(shown):
        column = Box(
            left=body.left + k * pitch, top=top + head, width=pitch - _COLUMN_GAP, height=MOST_FIGURES * tall
        )
        _figures(page, [figure], column=column, paint=paint, first=k + 1)
    return body.head(top - 10 - body.top)


def _verdict(page: Page, slide: Slide, *, column: Box, paint: Paint) -> Box:
    """Write the verdict at the top of a column, and return the space below it."""
    if not slide.verdict:
        return column
    text = f"{SIGNS[slide.tone]}{slide.verdict}"
    size = _VERDICT_POINTS
    while size > 12 and room(text, size=size, bold=True) > column.width:
        size -= 1
    height = lines_needed(text, size=size, width=column.width, bold=True) * size * LINE_HEIGHT + 2
    run = Run(text=text, size=size, ink=tone_ink(slide.tone, paint=paint), bold=True)
    text_box(page, column.head(height), name="Verdict", paragraphs=[[run]])
    return column.below(height + 8)


def _reason(page: Page, slide: Slide, *, column: Box, paint: Paint) -> Box:
    """Write the reason at the bottom of a column if it fits. Return the space above it."""
    lines = lines_needed(slide.reason, size=_REASON_POINTS, width=column.width)
    height = lines * _REASON_POINTS * LINE_HEIGHT + 2
    left = column.height - height - 8
    needed = _LEAST_PITCH * len(slide.figures[:MOST_FIGURES])
    if not slide.reason or left < needed:
        return column
    pitch = min(left / MOST_FIGURES, _MOST_PITCH)
    top = column.top + pitch * len(slide.figures[:MOST_FIGURES]) + 4
    run = Run(text=slide.reason, size=_REASON_POINTS, ink=paint.text)
    text_box(page, replace(column, top=top, height=height), name="Reason", paragraphs=[[run]])
    return column.head(left)


def _figures(
    page: Page, figures: Sequence[tuple[str, str, str]], *, column: Box, paint: Paint, first: int = 1
) -> None:
    pitch = min(column.height / MOST_FIGURES, _MOST_PITCH)
    share = max(0.6, min(1.0, pitch / 86))
    for k, (label, value, interval) in enumerate(figures):
        top = column.top + k * pitch
        rule(page, left=column.left, top=top, width=column.width, ink=paint.grid if k else paint.axis)
        size = 32.0 * share
        wide = room(value, size=size, bold=True)
        size = max(12.0, min(size, _FALLBACK * size * column.width / max(wide, 1.0)))
        paragraphs = [
            [Run(text=label, size=max(10.0, round(13 * share)), ink=paint.quiet)],
            [Run(text=value, size=float(int(size)), ink=paint.text, bold=True)],
        ]
        if interval:
            paragraphs.append([Run(text=interval, size=max(10.0, round(12 * share)), ink=paint.quiet)])
        box = replace(column, top=top + 9, height=pitch - 14)
        text_box(page, box, name=f"Key figure {k + first}", paragraphs=paragraphs, spacing=2)


def _source_box(slide: Slide, frame: Frame) -> Box:
    """Return the box of the source at the bottom of the body, as high as its text."""
    text = f"{slide.source}  {slide.shown_link}"
    lines = min(_MOST_SOURCE_LINES, lines_needed(text, size=SOURCE_POINTS, width=frame.source_width))
    height = lines * SOURCE_POINTS * LINE_HEIGHT + 2
    return Box(left=frame.body.left, top=frame.body.bottom - height, width=frame.source_width, height=height)
