"""Which paths exist: everything else gets a real 404, where Streamlit would answer 200 with an empty page."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import Receive, Scope, Send

from charts import mark
from views.registry import SITE, tab_title
from web.delivery import PathRoute
from web.icon import LINKS
from web.middleware.compress_once import files_below
from web.paths import MENU
from web.problem import REQUEST

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

START = "Start"
"""What the group of the start page is called here; in the menu it has no name."""
LONGEST_NAME = 40

PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
{icons}<style>
:root {{ color-scheme: light dark; --ink: light-dark(#1a2230, #e8ebf0); --quiet: light-dark(#5a6272, #a6aebb);
  --link: light-dark(#1d5fa8, #6aa9f0); --edge: light-dark(#e1e4e9, #2e3642) }}
body {{ font: 1rem/1.5 "Source Sans", "Source Sans 3", "Source Sans Pro", system-ui, sans-serif; max-width: 46rem;
  margin: 0 auto; padding: 1.5rem 1rem 3rem; background: light-dark(#ffffff, #12161d); color: var(--ink) }}
a {{ color: var(--link); text-underline-offset: 2px }}
:focus-visible {{ outline: 2px solid var(--link); outline-offset: 2px }}
.home {{ display: inline-flex; align-items: center; gap: 8px; font-weight: 600; font-size: 1.05rem; color: inherit;
  text-decoration: none; min-height: 44px }}
.mark {{ width: 24px; height: 24px }}
h1 {{ font-size: 1.5rem; line-height: 1.25; font-weight: 600; margin: 12vh 0 .4rem }}
h2 {{ font-size: .9rem; font-weight: 600; color: var(--quiet); margin: 1rem 0 .2rem }}
.next {{ padding: 0; list-style: none; font-size: 1.1rem; margin: 1rem 0 2rem }}
nav {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: 0 1.5rem;
  border-top: 1px solid var(--edge) }}
nav ul {{ padding: 0; margin: 0; list-style: none }}
li {{ margin: .3rem 0 }}
</style></head>
<body><a class="home" href="/">{mark}{site}</a>
<main><h1>{heading}</h1>
<p>{words}</p>
<ul class="next">{links}</ul></main>
<nav aria-label="Pages">{menu}</nav></body></html>
"""


def not_found_page(*, title: str, heading: str, words: str, links: Iterable[tuple[str, str]]) -> Response:
    """Return the 404 for a browser; ``links`` are (address, words). All text is escaped here."""
    html = PAGE.format(
        title=escape(tab_title(title)),
        icons=LINKS,
        mark=mark.svg(),
        site=escape(SITE),
        heading=escape(heading),
        words=escape(words),
        links=_items(links),
        menu="".join(
            f"<section><h2>{escape(group or START)}</h2><ul>{_items(pages)}</ul></section>"
            for group, pages in MENU.items()
        ),
    )
    return HTMLResponse(html, status_code=404, headers={"Cache-Control": "no-store"})


def _items(links: Iterable[tuple[str, str]]) -> str:
    return "".join(f'<li><a href="{escape(address)}">{escape(name)}</a></li>' for address, name in links)


def nearest(path: str) -> list[tuple[str, str]]:
    """Return address and title of the page that an address most likely meant; none where it is like no other."""
    titles = {address.strip("/"): (address, title) for pages in MENU.values() for address, title in pages}
    word = path.strip("/").partition("/")[0].partition(".")[0].lower().replace("_", "-")
    return [titles[name] for name in get_close_matches(word[:LONGEST_NAME], filter(None, titles), n=1)]


def reads_pages(request: Request) -> bool:
    """Return whether a request would rather have a page than a problem document."""
    return "text/html" in request.headers.get("accept", "")


class UnknownPath(PathRoute):
    """The last of our routes: takes what is neither ours, a page, nor a file or route of Streamlit."""

    def __init__(self, pages: Collection[str], *, static_folder: Path) -> None:
        self.known = {"/", *(f"/{page}" for page in pages), *files_below(static_folder)}
        self.known -= {"/index.html"}  # Streamlit's own document, which no page of ours is

    def takes(self, path: str) -> bool:
        """Return whether nobody else answers at a path."""
        return not self.exists(path)

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
            near = [(address, f"Did you mean {title}?") for address, title in nearest(request.url.path)]
            return not_found_page(
                title="Not found",
                heading="There is no such page",
                words="The address may be mistyped or cut short.",
                links=[*near, ("/", "Go to the overview")],
            )
        headers = {"Cache-Control": "no-store"}
        problem = {"type": "about:blank", "title": "Not Found", "status": 404, "detail": "No such path."}
        problem |= {"request": REQUEST.get()} if REQUEST.get() else {}
        return JSONResponse(problem, status_code=404, headers=headers, media_type="application/problem+json")
