"""Which paths exist: everything else gets a real 404, where Streamlit would answer 200 with an empty page."""

from collections.abc import Collection, Iterable
from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

STREAMLIT_ROUTES = (
    "/_stcore/health",
    "/_stcore/host-config",
    "/_stcore/stream",
    "/_stcore/upload_file/",
    "/_stcore/bidi-components/",
    "/media/",
    "/component/",
)
"""Paths, and beginnings of paths that end in `/`, which Streamlit answers itself."""

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title} - Scaling Gap</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1rem/1.5 "Source Sans 3", "Source Sans Pro", system-ui, sans-serif; max-width: 34rem;
  margin: 15vh auto; padding: 0 1rem }}
h1 {{ font-size: 1.6rem; font-weight: 600 }}
</style></head>
<body><main><h1>{heading}</h1>
<p>{words}</p>
<ul>{links}</ul></main></body></html>
"""


def not_found_page(*, title: str, heading: str, words: str, links: Iterable[tuple[str, str]]) -> Response:
    """Return the 404 for a browser; ``links`` are (address, words). All text is escaped here."""
    items = "".join(f'<li><a href="{escape(address)}">{escape(name)}</a></li>' for address, name in links)
    html = PAGE.format(title=escape(title), heading=escape(heading), words=escape(words), links=items)
    return HTMLResponse(html, status_code=404, headers={"Cache-Control": "no-store"})


def reads_pages(request: Request) -> bool:
    """Return whether a request would rather have a page than a problem document."""
    return "text/html" in request.headers.get("accept", "")


class UnknownPath(BaseRoute):
    """The last of our routes: takes what is neither ours, a page, nor a file or route of Streamlit."""

    def __init__(self, pages: Collection[str], *, static_folder: Path) -> None:
        self.pages = tuple(pages)
        files = (path.relative_to(static_folder) for path in static_folder.rglob("*") if path.is_file())
        self.known = {"/", *(f"/{page}" for page in pages), *(f"/{file.as_posix()}" for file in files)}
        self.known -= {"/index.html"}  # Streamlit's own document, which no page of ours is

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return a full match for an unknown path asked for over HTTP, and none for all else."""
        if scope["type"] != "http" or self.exists(scope["path"]):
            return Match.NONE, {}
        return Match.FULL, {"endpoint": self}

    def exists(self, path: str) -> bool:
        """Return whether somebody answers at this path; one trailing slash is forgiven."""
        if path in self.known or (path.endswith("/") and path.removesuffix("/") in self.known):
            return True
        return any(
            path.startswith(route) if route.endswith("/") else path == route for route in STREAMLIT_ROUTES
        )

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Answer 404: a page for browsers, problem+json for programs."""
        await self.answer(Request(scope))(scope, receive, send)

    def answer(self, request: Request) -> Response:
        """Return the 404 in the form the request asks for; nothing of the request is repeated in it."""
        if reads_pages(request):
            return not_found_page(
                title="Not found",
                heading="There is no such page",
                words="The address may be mistyped or cut short. These pages exist:",
                links=[(f"/{page}", _name(page)) for page in ("", *self.pages)],
            )
        headers = {"Cache-Control": "no-store"}
        problem = {"type": "about:blank", "title": "Not Found", "status": 404, "detail": "No such path."}
        return JSONResponse(problem, status_code=404, headers=headers, media_type="application/problem+json")


def _name(page: str) -> str:
    return page.replace("-", " ").capitalize() or "Start"
