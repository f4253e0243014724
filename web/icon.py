"""Icons for browser tabs, bookmarks and phone home screens.

The pictures in ``web/icons`` are the logo in the light theme's colours, for phones on its background.
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
"""Media types of icons, keyed by address. Streamlit's page requests the favicon as a PNG."""
LINKS = (FOLDER / "links.html").read_text(encoding="utf-8")
"""Icon links for the head of every document."""


async def icon(request: Request) -> Response:
    """Return the requested icon."""
    path = request.scope["path"]
    body = svg(alone=True).encode() if path.endswith(".svg") else (FOLDER / path[1:]).read_bytes()
    return Response(body, media_type=TYPES[path], headers={"Cache-Control": "public, max-age=86400"})
