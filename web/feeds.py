"""What moved, to subscribe to: `/feed.atom` for all views, `/<view>.atom` for one with its choices (RFC 4287)."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlencode

from starlette.requests import Request
from starlette.responses import Response

from data.package import fingerprint
from data.releases import exported_on, latest
from panel.controls import own_query
from views.moved import Moved, moved, moved_anywhere
from views.registry import SITE
from views.view import LATEST, ReleaseSettings, View, pinned, read
from web import delivery
from web.problem import UnusableError
from web.site import origin, query_of
from web.templating import template

PATH = "/feed.atom"
MEDIA_TYPE = "application/atom+xml"


def feed_address(view: View, settings: ReleaseSettings) -> str:
    """Return the address of the feed of a view: it names the choices off their default, and no release."""
    chosen = {name: text for name, text in own_query(settings).items() if name != "release"}
    return f"/{view.name}.atom" + (f"?{urlencode(chosen)}" if chosen else "")


def atom(entries: Sequence[Moved], *, address: str, page: str, title: str, site: str) -> bytes:
    """Return the feed of these entries; ``address`` is its own, ``page`` that of what it is about."""
    feed = template("feed.xml.j2").render(
        entries=entries,
        address=address,
        page=page,
        title=title,
        site=site,
        name=SITE,
        updated=max((entry.on for entry in entries), default=exported_on(latest())),
    )
    return feed.encode()


class Feeds(delivery.FileRoute):
    """Our route for all feeds."""

    def __init__(self, views: Mapping[str, View], **parts: Any) -> None:
        self.views = {f"/{view.name}.atom": view for view in views.values()}
        super().__init__({PATH, *self.views}, **parts)

    async def file(self, request: Request) -> Response:
        """Return the file that a request asks for."""
        site, view = origin(request, self.settings), self.views.get(request.scope["path"])
        settings = None
        if view is None:
            address, page, title = PATH, "/", f"{SITE}: what moved"
        else:
            query = parse_qs(query_of(request.scope), keep_blank_values=True, errors="replace")
            settings, ignored = read(view, query | {"release": [LATEST]})
            if ignored:
                raise UnusableError(ignored)
            address = feed_address(view, settings)
            page = view.path + address.removeprefix(f"/{view.name}.atom")
            title = f"{SITE}: {view.question}"

        def make() -> bytes:
            entries = moved(view, settings) if view and settings else moved_anywhere()
            return atom(entries, address=address, page=page, title=title, site=site)

        return await delivery.deliver(
            request,
            identity=delivery.tag("feed", address, site, fingerprint()),
            make=make,
            kind="feed",
            expensive=not (view and settings) or view.takes_long(pinned(settings)),
            renderings=self.renderings,
            headers={"Content-Type": f"{MEDIA_TYPE}; charset=utf-8", "Cache-Control": "public, max-age=3600"},
        )
