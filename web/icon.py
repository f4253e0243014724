"""The mark as a browser asks for it: for its tabs, its bookmarks and the screen of a phone.

The pictures in ``web/icons`` are the mark in the colours of the light theme, for a phone on its ground.
"""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from charts.mark import svg

FOLDER = Path(__file__).with_name("icons")
TYPES = {
    "/favicon.svg": "image/svg+xml",
    "/favicon.ico": "image/x-icon",
    "/favicon.png": "image/png",
    "/apple-touch-icon.png": "image/png",
}
"""Each address, with its media type. Streamlit's page asks for the favicon ending in png."""
LINKS = (FOLDER / "links.html").read_text(encoding="utf-8")
"""What the head of every document says of them."""


async def icon(request: Request) -> Response:
    """Return the icon at the address of a request."""
    path = request.scope["path"]
    body = svg(alone=True).encode() if path.endswith(".svg") else (FOLDER / path[1:]).read_bytes()
    return Response(body, media_type=TYPES[path], headers={"Cache-Control": "public, max-age=86400"})
