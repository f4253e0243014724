"""The mark as a browser asks for it: for its tabs, its bookmarks and the screen of a phone."""

from collections.abc import Callable
from functools import cache
from io import BytesIO

from PIL import Image, ImageDraw
from starlette.requests import Request
from starlette.responses import Response

from charts.colours import PALETTES
from charts.mark import LINES, SIDE, WIDTH, svg

SMALL = 32
TOUCH = 180
"""Sides of the icon of a tab and of that on a phone's screen. [px]"""
FINER = 8
"""How much larger a picture is drawn than it is sent, for smooth edges."""
LINKS = (
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">\n'
    '<link rel="alternate icon" href="/favicon.ico" sizes="32x32">\n'
    f'<link rel="apple-touch-icon" href="/apple-touch-icon.png" sizes="{TOUCH}x{TOUCH}">\n'
)
"""What the head of every document says of them."""


def _drawn(side: int, *, ground: str | None = None, margin: float = 0.0) -> Image.Image:
    """Return the mark as a square picture; ``margin`` is the share of the side left free all round."""
    large = side * FINER
    scale = large * (1 - 2 * margin) / SIDE
    picture = Image.new("RGBA", (large, large), ground or (0, 0, 0, 0))
    pen = ImageDraw.Draw(picture)
    radius = WIDTH * scale / 2
    for role, line in LINES.items():
        colour = PALETTES["light"].mark[role]
        ends = [(large * margin + x * scale, large * margin + y * scale) for x, y in line]
        pen.line(ends, fill=colour, width=round(2 * radius))
        for x, y in ends:
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)
    return picture.resize((side, side), Image.Resampling.LANCZOS)


def _file(picture: Image.Image, kind: str) -> bytes:
    file = BytesIO()
    picture.save(file, format=kind)
    return file.getvalue()


FORMS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "/favicon.svg": ("image/svg+xml", lambda: svg(alone=True).encode()),
    "/favicon.ico": ("image/x-icon", lambda: _file(_drawn(SMALL), "ICO")),
    "/favicon.png": ("image/png", lambda: _file(_drawn(SMALL), "PNG")),
    "/apple-touch-icon.png": (
        "image/png",
        lambda: _file(_drawn(TOUCH, ground=PALETTES["light"].background, margin=0.14), "PNG"),
    ),
}
"""Each address, with the media type and how it is made. Streamlit's page asks for the one ending in png."""


@cache
def made(path: str) -> bytes:
    """Return the icon at an address, drawn once."""
    return FORMS[path][1]()


async def icon(request: Request) -> Response:
    """Return the icon at the address of a request."""
    path = request.scope["path"]
    return Response(made(path), media_type=FORMS[path][0], headers={"Cache-Control": "public, max-age=86400"})
