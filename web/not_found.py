"""Known paths. Others get a real 404; Streamlit would respond with 200 and an empty page."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from pathlib import Path

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from charts import mark
from panel.assets import PREFIX
from panel.menu import TITLES
from panel.streamlit_names import ROUTES
from views import deck
from views.registry import MENU, SITE, tab_title
from web.delivery import PathRoute
from web.icon import LINKS
from web.immutable_files import files_below
from web.problem import problem
from web.templating import template

LONGEST_NAME = 40


def not_found_page(*, title: str, heading: str, words: str, links: Iterable[tuple[str, str]]) -> Response:
    """Return the 404 page for browsers. ``links`` are pairs of address and label."""
    html = template("not_found.html.j2").render(
        title=tab_title(title),
        icons=Markup(LINKS),
        mark=Markup(mark.svg()),
        site=SITE,
        heading=heading,
        words=words,
        links=list(links),
        menu={**MENU, deck.TITLE: {deck.TITLE: deck.PATH}},
    )
    return HTMLResponse(html, status_code=404, headers={"Cache-Control": "no-store"})


def nearest(path: str) -> list[tuple[str, str]]:
    """Return the address and title of the page with the most similar address. Empty if none is similar."""
    titles = {address.strip("/"): (address, title) for address, title in TITLES.items()}
    word = path.strip("/").partition("/")[0].partition(".")[0].lower().replace("_", "-")
    return [titles[name] for name in get_close_matches(word[:LONGEST_NAME], filter(None, titles), n=1)]


def reads_pages(request: Request) -> bool:
    """Return whether the client's Accept header prefers a page to a problem document."""
    return "text/html" in request.headers.get("accept", "")


class UnknownPath(PathRoute):
    """Last of our routes, for paths that belong neither to us, nor to a page, nor to Streamlit."""

    def __init__(self, pages: Collection[str], *, static_folder: Path) -> None:
        self.known = {"/", *(f"/{page}" for page in pages), *files_below(static_folder)}
        self.known -= {"/index.html"}  # Streamlit's own document, which is not one of our pages

    def takes(self, path: str) -> bool:
        """Return whether no other route handles a path."""
        return not self.exists(path)

    def exists(self, path: str) -> bool:
        """Return whether a route handles this path. One trailing slash is ignored."""
        if path in self.known or (path.endswith("/") and path.removesuffix("/") in self.known):
            return True
        return any(path.startswith(route) if route.endswith("/") else path == route for route in ROUTES)

    async def answer(self, request: Request) -> Response:
        """Return a 404 that repeats nothing of the request: a page for browsers, problem+json otherwise."""
        if request.scope["path"].startswith(PREFIX):
            return problem(
                404, "There is no such file. If the page was opened before a new version, reload it."
            )
        if reads_pages(request):
            near = [(address, f"Did you mean {title}?") for address, title in nearest(request.url.path)]
            return not_found_page(
                title="Not found",
                heading="There is no such page",
                words="The address may be mistyped or cut short.",
                links=[*near, ("/", "Go to the overview")],
            )
        return problem(404, "There is no such address.")
