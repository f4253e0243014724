"""The chart as a finished picture with its headline and source, in SVG, PNG or PDF."""

import json
import re
import struct
import zlib
from typing import Literal

import typst

from charts.chart import Chart
from charts.colours import PALETTES, Theme
from charts.picture.outlines import FONTS, outlined, settable
from charts.picture.sheet import SHEETS, Frame, Size, frame_of
from charts.plotly import spec
from charts.plotly.axes import SIZE
from charts.svg import sized
from charts.svg.scale import number
from charts.svg.text import plain

__all__ = ["Format", "Size", "drawn", "render"]

Format = Literal["png", "svg", "pdf"]

_FONTS = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[FONTS])
_PRINT_SCALE = 3
_HALO = 3  # px of the chart: the background-coloured stroke around text on marks
_CLASS = re.compile(r' class="([^"]*)"')
_ANCHORS = {"xticks": ' text-anchor="middle"', "yticks": ' text-anchor="end"'}
_SHEET = b"""
#let about = json(bytes(sys.inputs.about))
#set document(title: about.title, description: about.alt, author: "Scaling Gap", date: none)
#set page(width: about.width * 1pt, height: about.height * 1pt, margin: 0pt)
#place(image(bytes(sys.inputs.picture), format: "svg", width: 100%, alt: about.alt))
#for (x, y, width, height) in about.links {
  place(dx: x * 1pt, dy: y * 1pt, link(about.link, box(width: width * 1pt, height: height * 1pt)))
}
"""


def render(
    chart: Chart,
    *,
    format: Format,
    size: Size = "slide",
    theme: Theme = "light",
    footer: str | None = None,
    link: str | None = None,
) -> bytes:
    """Return the picture as a file. Equal arguments give equal bytes in any thread and on any machine.

    ``size`` is slide (1920 x 1080), wide (1200 x 630), square (1080 x 1080) or print (720 x 480 points, and three times
    as many pixels in a PNG). ``footer`` is an additional line below the source; in SVG and PDF it links to ``link``.
    Text remains text in a PDF and becomes outlines in an SVG, because our fonts may be missing.
    """
    picture, frame = drawn(chart, size=size, theme=theme, footer=footer, link=link)
    if format == "svg":
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{outlined(picture)}\n'.encode()
    about = {
        "title": _shown(chart.title),
        "alt": _shown(chart.alt),
        "width": SHEETS[size].width,
        "height": SHEETS[size].height,
        "link": link,
        "links": frame.links,
    }
    scale = _PRINT_SCALE if format == "png" and size == "print" else 1
    inputs = {"picture": picture, "about": json.dumps(about)}
    compiler = typst.Compiler(_SHEET, font_paths=_FONTS, sys_inputs=inputs)
    file = compiler.compile(format=format, ppi=72.0 * scale)
    assert isinstance(file, bytes)  # a document of one page
    return file if format == "pdf" else _with_texts(file, Title=chart.title, Description=chart.alt)


def _shown(text: str) -> str:
    """Return text without the control characters that PDF does not allow."""
    return "".join(character for character in text if character.isprintable())


def _with_texts(png: bytes, **texts: str) -> bytes:
    """Return a PNG with these texts as iTXt chunks after its header (PNG, 11.3.3.4)."""
    chunks = b""
    for keyword, text in {"Software": "Scaling Gap", **texts}.items():
        content = keyword.encode() + b"\0\0\0\0\0" + text.replace("\0", "").encode()
        checksum = zlib.crc32(b"iTXt" + content)
        chunks += struct.pack(f">I4s{len(content)}sI", len(content), b"iTXt", content, checksum)
    header = 33  # bytes of signature and IHDR
    return png[:header] + chunks + png[header:]


def drawn(
    chart: Chart,
    *,
    size: Size = "slide",
    theme: Theme = "light",
    footer: str | None = None,
    link: str | None = None,
) -> tuple[str, Frame]:
    """Return the picture as an SVG document with text elements, and the frame around its chart."""
    sheet, palette = SHEETS[size], PALETTES[theme]
    frame = frame_of(chart, sheet=sheet, theme=theme, footer=footer or "", link=link)
    scale, room = sheet.text / SIZE, frame.bottom - frame.top
    figure = spec(chart, theme=theme, size=(sheet.room / scale, room / scale))
    while figure["layout"]["height"] * scale > 1.001 * room:  # if more rows than fit, scale everything down
        scale = room / figure["layout"]["height"]
        figure = spec(chart, theme=theme, size=(sheet.room / scale, room / scale))
    halo = (
        f' paint-order="stroke" stroke="{palette.background}" stroke-opacity="0.85" stroke-width="{_HALO}" '
        'stroke-linejoin="round"'
    )
    plot = _CLASS.sub(
        lambda match: _ANCHORS.get(match[1], halo if match[1].endswith(" halo") else ""),
        sized(figure, width=sheet.room / scale),
    )
    moved = f"translate({number(sheet.margin)} {number(frame.top)}) scale({number(scale, 4)})"
    box = f'width="{sheet.width}" height="{sheet.height}"'
    document = (
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} viewBox="0 0 {sheet.width} {sheet.height}" role="img" '
        'font-family="Source Sans Pro, DejaVu Sans" stroke-miterlimit="2" xml:space="preserve">'
        f"<title>{plain(chart.title)}</title><desc>{plain(chart.alt)}</desc>"
        f'<rect {box} fill="{palette.background}"/>{frame.markup}'
        f'<g transform="{moved}" style="font-size:{SIZE}px;fill:{palette.quiet}">{plot}</g></svg>'
    )
    return settable(document), frame
