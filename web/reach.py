"""For programs that find their way by custom: /robots.txt, /sitemap.xml and /llms.txt."""

from collections.abc import Callable, Mapping
from functools import partial
from html import escape

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from data.releases import latest, names
from panel.streamlit_names import SESSIONS
from views.view import View
from web import feeds
from web.api import OPENAPI_PATH, VIEWS_PATH
from web.forms import FORMS
from web.paths import PlainPage
from web.settings import Settings
from web.site import origin
from web.templating import template

KEPT = {"Cache-Control": "public, max-age=3600"}
ROBOTS = f"""User-agent: *
Disallow: {SESSIONS}
Disallow: /*.panel.json
Sitemap: {{site}}/sitemap.xml
"""
"""What no crawler needs: sessions, and what open pages ask for. Pages, pictures and data are for all."""


def robots(site: str) -> str:
    """Return what crawlers may ask for."""
    return ROBOTS.format(site=site)


def sitemap(site: str, *, views: Mapping[str, View], plain: Mapping[str, PlainPage]) -> str:
    """Return the address of every page (sitemaps.org, protocol 0.9)."""
    places = "".join(f"<url><loc>{escape(site + path)}</loc></url>\n" for path in (*views, *plain))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{places}</urlset>\n'
    )


def llms(site: str, *, views: Mapping[str, View], plain: Mapping[str, PlainPage]) -> str:
    """Return what there is and how to ask for it, in Markdown (llmstxt.org)."""
    return template("llms.md.j2").render(
        site=site,
        views=views,
        plain=plain,
        forms=FORMS,
        releases=names(),
        newest=latest(),
        views_path=VIEWS_PATH,
        openapi_path=OPENAPI_PATH,
        feed_path=feeds.PATH,
    )


def routes(views: Mapping[str, View], plain: Mapping[str, PlainPage], *, settings: Settings) -> list[Route]:
    """Return the routes of the three files, whose addresses are under the name that the reader knows us by."""

    def route(path: str, media_type: str, *, text: Callable[[str], str]) -> Route:
        async def answer(request: Request) -> Response:
            return Response(text(origin(request, settings)), media_type=media_type, headers=KEPT)

        return Route(path, answer, methods=["GET", "HEAD"])

    return [
        route("/robots.txt", "text/plain", text=robots),
        route("/sitemap.xml", "application/xml", text=partial(sitemap, views=views, plain=plain)),
        route("/llms.txt", "text/markdown", text=partial(llms, views=views, plain=plain)),
    ]
