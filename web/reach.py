"""For programs that find their way by custom: /robots.txt, /sitemap.xml (sitemaps.org) and /llms.txt (llmstxt.org).

No crawler needs sessions, nor what open pages ask for; pages, pictures and data are for all.
"""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from data.releases import latest, names
from panel.streamlit_names import SESSIONS
from views.registry import VIEWS
from web import feeds
from web.api import OPENAPI_PATH, VIEWS_PATH
from web.forms import FORMS
from web.paths import PLAIN_PAGES
from web.settings import Settings
from web.site import origin
from web.templating import template

KEPT = {"Cache-Control": "public, max-age=3600"}
FILES = {
    "/robots.txt": ("text/plain", "robots.txt.j2"),
    "/sitemap.xml": ("application/xml", "sitemap.xml.j2"),
    "/llms.txt": ("text/markdown", "llms.md.j2"),
}
"""The media type and the template of each file."""


def routes(settings: Settings) -> list[Route]:
    """Return the routes of the three files, whose addresses are under the name that the reader knows us by."""

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

    return [Route(path, answer, methods=["GET", "HEAD"]) for path in FILES]
