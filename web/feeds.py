"""Feeds of changes (RFC 4287): `/feed.atom` for all views, `/<view>.atom` for one with its choices."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, quote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from data.package import fingerprint
from data.releases import exported_on, latest
from panel.controls import own_query
from views.moved import TELL, Condition, moved, moved_anywhere
from views.registry import SITE
from views.setting_kinds import SettingError
from views.view import LATEST, ReleaseSettings, View, answer, pinned, read
from web import delivery
from web.problem import UnusableError
from web.site import origin, query_of
from web.templating import template

PATH = "/feed.atom"
MEDIA_TYPE = "application/atom+xml"


def feed_address(view: View, settings: ReleaseSettings) -> str:
    """Return the address of a view's feed, with choices that differ from the defaults but without the release."""
    chosen = own_query(replace(settings, release=LATEST, note=""))
    return f"/{view.name}.atom" + (f"?{urlencode(chosen)}" if chosen else "")


def feed_settings(view: View, query: str) -> tuple[ReleaseSettings, Condition | None, str]:
    """Return a feed's choices, and its condition as an object and as text. Raises ValueError if either is invalid."""
    parameters = parse_qs(query, keep_blank_values=True, errors="replace")
    condition = parameters.pop(TELL, [""])[-1]
    settings, ignored = read(view, parameters | {"release": [LATEST], "note": []})
    if ignored:
        raise UnusableError(ignored)
    return settings, Condition.parse(condition) if condition else None, condition


class Feeds(delivery.FileRoute):
    """Route for all feeds."""

    def __init__(self, views: Mapping[str, View], **parts: Any) -> None:
        self.views = {f"/{view.name}.atom": view for view in views.values()}
        super().__init__({PATH, *self.views}, **parts)

    async def file(self, request: Request) -> Response:
        """Return the requested feed."""
        site, view = origin(request, self.settings), self.views.get(request.scope["path"])
        settings, tell, condition = None, None, ""
        if view is None:
            address, page, title = PATH, "/", f"{SITE}: what moved"
        else:
            settings, tell, condition = feed_settings(view, query_of(request.scope))
            address = feed_address(view, settings)
            page = view.path + address.removeprefix(f"/{view.name}.atom")
            title = f"{SITE}: {f'{view.title}, {condition}' if tell else view.question}"
            address += f"{'&' if '?' in address else '?'}{TELL}={quote(condition)}" if tell else ""

        def make() -> bytes:
            if tell and view and settings:
                names = [figure.name for figure in answer(view, settings).figures]
                if tell.figure not in names:
                    allowed = f"a figure of this view: {', '.join(names)}"
                    raise SettingError(TELL, tell.figure, allowed=allowed)
            entries = moved(view, settings, tell=tell) if view and settings else moved_anywhere()
            updated = max((entry.on for entry in entries), default=exported_on(latest()))
            words = {"title": title, "site": site, "name": SITE, "updated": updated, "condition": condition}
            feed = template("feed.xml.j2").render(entries=entries, address=address, page=page, **words)
            return feed.encode()

        return await delivery.deliver(
            request,
            identity=delivery.tag("feed", address, site, fingerprint()),
            make=make,
            kind="feed",
            expensive=not (view and settings) or view.takes_long(pinned(settings)),
            renderings=self.renderings,
            headers={"Content-Type": f"{MEDIA_TYPE}; charset=utf-8", "Cache-Control": "public, max-age=3600"},
        )
