"""Frames for pages that quote our links, as defined by oembed.com: `/oembed?url=<link of a view>`."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from panel.answer import FRAME_HEIGHT, embed_code
from views.registry import SITE
from views.resolve import LinkError, named
from views.short_link.letters import ShortLinkError
from views.view import link, read
from web.preview import PICTURE_HEIGHT, PICTURE_WIDTH
from web.problem import problem
from web.settings import Settings
from web.site import origin

PATH = "/oembed"
LEAST, WIDTH, WIDEST = 200, 800, 1200
"""Minimum side of a frame, its default width and its maximum width. [px]"""
KEPT = {"Cache-Control": "public, max-age=3600"}


def discovery(address: str, *, site: str) -> str:
    """Return the address where other sites can request an embeddable frame of a page."""
    return f"{site}{PATH}?{urlencode({'url': address})}"


def routes(settings: Settings) -> list[Route]:
    """Return the route. It computes nothing, so many links are served at once."""

    async def oembed(request: Request) -> Response:
        wanted, site = request.query_params, origin(request, settings)
        if wanted.get("format", "json") != "json":
            return problem(501, "The answer is JSON; ask with format=json or without it.")
        address = wanted.get("url", "")
        if not address.startswith((f"{site}/", "/")):
            return problem(404, f"url is the address of a view of {site}; got {address[:200]!r}.")
        try:
            view, query = named(address)
        except (LinkError, ShortLinkError) as error:
            return problem(404, str(error))
        canonical = link(view, read(view, query)[0])
        width, height = WIDTH, FRAME_HEIGHT
        if wanted.get("maxwidth", "").isdecimal():
            width = min(max(int(wanted["maxwidth"]), LEAST), WIDEST)
        if wanted.get("maxheight", "").isdecimal():
            height = min(max(int(wanted["maxheight"]), LEAST), FRAME_HEIGHT)
        html = embed_code(canonical, headline=view.question, origin=site, width=str(width), height=height)
        answer = {
            "version": "1.0",
            "type": "rich",
            "title": view.question,
            "provider_name": SITE,
            "provider_url": f"{site}/",
            "cache_age": 3600,
            "html": html,
            "width": width,
            "height": height,
            "thumbnail_url": f"{site}/{view.name}.png?{canonical.partition('?')[2]}&size=wide",
            "thumbnail_width": PICTURE_WIDTH,
            "thumbnail_height": PICTURE_HEIGHT,
        }
        return JSONResponse(answer, headers=KEPT)

    return [Route(PATH, oembed, methods=["GET", "HEAD"])]
