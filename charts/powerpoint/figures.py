"""Key figures, verdict and reason of a slide: in a column beside its chart, or in a row below it."""

from collections.abc import Sequence
from dataclasses import replace

from pptx.slide import Slide as Page

from charts.powerpoint.boxes import Box, Run, rule, text_box
from charts.powerpoint.paint import SIGNS, Paint, tone_ink
from charts.powerpoint.words import LINE_HEIGHT, lines_needed, room
from charts.slide import Slide

MOST_FIGURES = 3

_REASON_POINTS, _VERDICT_POINTS = 12.0, 18.0
_ROW_POINTS, _COLUMN_GAP = 84.0, 16.0
_LEAST_PITCH, _MOST_PITCH = 74.0, 118.0  # from one key figure to the next [pt]


def figures_beside(page: Page, slide: Slide, *, column: Box, paint: Paint) -> None:
    """Write verdict, key figures and reason into a column."""
    column = _verdict(page, slide, column=column, paint=paint)
    column = _reason(page, slide, column=column, paint=paint)
    _figures(page, slide.figures[:MOST_FIGURES], column=column, paint=paint)


def figures_below(page: Page, slide: Slide, *, body: Box, paint: Paint) -> Box:
    """Write verdict and key figures along the foot of a narrow body, and return the room above them."""
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
    """Write the verdict at the head of a column and return the room below it."""
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
    """Write the reason at the foot of a column, where there is room for it, and return what is left above."""
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
        size = max(12.0, min(size, 0.93 * size * column.width / max(wide, 1.0)))
        paragraphs = [
            [Run(text=label, size=max(10.0, round(13 * share)), ink=paint.quiet)],
            [Run(text=value, size=float(int(size)), ink=paint.text, bold=True)],
        ]
        if interval:
            paragraphs.append([Run(text=interval, size=max(10.0, round(12 * share)), ink=paint.quiet)])
        box = replace(column, top=top + 9, height=pitch - 14)
        text_box(page, box, name=f"Key figure {k + first}", paragraphs=paragraphs, spacing=2)
