"""For programs that find their way by custom: /robots.txt, /sitemap.xml and /llms.txt."""

from collections.abc import Callable, Mapping
from functools import partial
from html import escape

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from data.releases import latest, names
from views.view import View
from web import feeds
from web.api import OPENAPI_PATH, VIEWS_PATH
from web.forms import FORMS
from web.paths import PlainPage
from web.settings import Settings
from web.site import origin

KEPT = {"Cache-Control": "public, max-age=3600"}
ROBOTS = """User-agent: *
Disallow: /_stcore/
Disallow: /*.panel.json
Sitemap: {site}/sitemap.xml
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
    asked = "\n".join(f"- [{view.title}]({site}{path}): {view.question}" for path, view in views.items())
    further = "\n".join(f"- [{page.title}]({site}{path}): {page.question}" for path, page in plain.items())
    forms = "\n".join(f"- `.{extension}`: {form.what}" for extension, form in FORMS.items())
    return f"""# Scaling Gap

> Growth of AI training compute, memory bandwidth and what lies between, from curated data with a source in every row. \
Every rate states its rule, window, estimator, interval and release.

A view answers one question. Its address with a form's extension gives the same answer in that form, with the same \
settings in the query: `{site}/growth-gap.json?since=2018`. A setting that cannot be used is answered with status 422 \
and what is allowed. The answer's `link` names every setting and the release, and never changes its meaning: cite it. \
`{site}{VIEWS_PATH}` lists the settings of each view as JSON Schema. Releases: {", ".join(names())}; newest: {latest()}.

Data from Epoch AI is CC BY 4.0; credit it.

## Views

{asked}

## Forms

{forms}

## Further

{further}
- [OpenAPI]({site}{OPENAPI_PATH}): the same as a description for programs
- [What moved]({site}{feeds.PATH}): figures that left their earlier interval, as a feed; of one view, with its \
settings: `{site}/growth-gap.atom`
"""


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
