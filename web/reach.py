"""Files at conventional addresses: /healthz, /robots.txt, /sitemap.xml (sitemaps.org), /llms.txt (llmstxt.org).

Crawlers are kept from sessions and requests of open pages; pages, pictures and data are open to all.
"""

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from data.releases import latest, names
from panel.menu import PLAIN_PAGES
from panel.streamlit_names import SESSIONS
from views.registry import VIEWS
from web import feeds
from web.api import OPENAPI_PATH, VIEWS_PATH
from web.forms import FORMS
from web.settings import Settings
from web.site import origin
from web.templating import template

HEALTH = "/healthz"
KEPT = {"Cache-Control": "public, max-age=3600"}
FILES = {
    "/robots.txt": ("text/plain", "robots.txt.j2"),
    "/sitemap.xml": ("application/xml", "sitemap.xml.j2"),
    "/llms.txt": ("text/markdown", "llms.md.j2"),
}
"""Media type and template of each file, keyed by its path."""


async def healthz(_request: Request) -> JSONResponse:
    """Return 200 as long as the process responds, for load balancers and containers."""
    return JSONResponse({"status": "ok"}, headers={"Cache-Control": "no-store"})


def routes(settings: Settings) -> list[Route]:
    """Return the routes. Addresses within these files use the request's host name."""

    async def answer(request: Request) -> Response:
        media_type, name = FILES[request.scope["path"]]
        text = template(name).render(
            site=origin(request, settings),
            sessions=SESSIONS,
            views=VIEWS,
            plain=PLAIN_PAGES,
            forms=FORMS,
            releases=names(),
            newest=latest(),
            views_path=VIEWS_PATH,
            openapi_path=OPENAPI_PATH,
            feed_path=feeds.PATH,
        )
        return Response(text, media_type=media_type, headers=KEPT)

    answers = {HEALTH: healthz} | dict.fromkeys(FILES, answer)
    return [Route(path, one, methods=["GET", "HEAD"]) for path, one in answers.items()]
