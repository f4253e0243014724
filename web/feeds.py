"""What moved, to subscribe to: `/feed.atom` for all views, `/<view>.atom` for one with its choices (RFC 4287)."""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs, urlencode
from xml.etree import ElementTree

from starlette.requests import Request
from starlette.responses import Response

from data.package import fingerprint
from data.releases import exported_on, latest
from views.moved import Moved, moved, moved_anywhere
from views.registry import SITE
from views.result import Figure
from views.view import LATEST, ReleaseSettings, View, pinned, read
from web import delivery
from web.problem import UnusableError
from web.renderings import Renderings
from web.settings import Settings
from web.site import origin, query_of

PATH = "/feed.atom"
ATOM = "http://www.w3.org/2005/Atom"
MEDIA_TYPE = "application/atom+xml"
RIGHTS = "Data: Epoch AI, CC BY 4.0, curated by Scaling Gap."

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

ElementTree.register_namespace("", ATOM)


def feed_address(view: View, settings: ReleaseSettings) -> str:
    """Return the address of the feed of a view: it names the choices off their default, and no release."""
    default = view.settings().described()
    chosen = {name: text for name, text in settings.described().items() if text != default[name]}
    chosen.pop("release", None)
    return f"/{view.name}.atom" + (f"?{urlencode(chosen)}" if chosen else "")


def atom(entries: Sequence[Moved], *, address: str, page: str, title: str, site: str) -> bytes:
    """Return the feed of these entries; ``address`` is its own, ``page`` that of what it is about."""
    feed = ElementTree.Element(f"{{{ATOM}}}feed", {"{http://www.w3.org/XML/1998/namespace}lang": "en-GB"})
    _text(feed, "id", says=f"{site}{address}")
    _text(feed, "title", says=title)
    _text(
        feed, "subtitle", says="Key figures that a data release moved outside the interval they had before."
    )
    _text(feed, "updated", says=_at(max((entry.on for entry in entries), default=exported_on(latest()))))
    _text(feed, "rights", says=RIGHTS)
    _link(feed, f"{site}{address}", rel="self", type=MEDIA_TYPE)
    _link(feed, f"{site}{page}", rel="alternate", type="text/html")
    author = ElementTree.SubElement(feed, f"{{{ATOM}}}author")
    _text(author, "name", says=SITE)
    for entry in entries:
        _entry(feed, entry, site=site)
    return ElementTree.tostring(feed, encoding="utf-8", xml_declaration=True) + b"\n"


def _entry(feed: ElementTree.Element, moved: Moved, *, site: str) -> None:
    entry = ElementTree.SubElement(feed, f"{{{ATOM}}}entry")
    was, now = moved.figures[0]
    _text(entry, "id", says=f"{site}{moved.after.short_link}")
    _text(entry, "title", says=f"{moved.view.title}: {_change(was, now)}")
    _text(entry, "updated", says=_at(moved.on))
    _link(entry, f"{site}{moved.after.link}", rel="alternate", type="text/html")
    _link(
        entry,
        f"{site}{moved.before.link}",
        rel="related",
        type="text/html",
        title=f"In {moved.before.release}",
    )
    lines = [f"{_change(was, now)}." for was, now in moved.figures]
    _text(
        entry,
        "summary",
        says=f"Release {moved.after.release} against {moved.before.release}. {' '.join(lines)} {moved.after.headline}. "
        f"{moved.after.settings_line}",
    )


def _change(was: Figure, now: Figure) -> str:
    interval = f" ({was.interval_text})" if was.interval_text else ""
    return f"{now.label} is {now.text}, it was {was.text}{interval}"


def _at(day: str) -> str:
    return f"{day}T00:00:00Z"


def _text(parent: ElementTree.Element, name: str, *, says: str) -> None:
    ElementTree.SubElement(parent, f"{{{ATOM}}}{name}").text = _NO_XML.sub("\N{REPLACEMENT CHARACTER}", says)


def _link(parent: ElementTree.Element, address: str, **attributes: str) -> None:
    ElementTree.SubElement(parent, f"{{{ATOM}}}link", {"href": address, **attributes})


class Feeds(delivery.FileRoute):
    """Our route for all feeds."""

    def __init__(self, views: Mapping[str, View], *, settings: Settings, renderings: Renderings) -> None:
        self.views = {f"/{view.name}.atom": view for view in views.values()}
        super().__init__({PATH, *self.views}, settings=settings, renderings=renderings)

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
            address, page = feed_address(view, settings), _page(view, settings)
            title = f"{SITE}: {view.question}"

        def make() -> bytes:
            entries = moved(view, settings) if view and settings else moved_anywhere()
            return atom(entries, address=address, page=page, title=title, site=site)

        return await delivery.deliver(
            request,
            identity=delivery.tag("feed", address, site, fingerprint()),
            make=make,
            kind="feed",
            expensive=not (view and settings) or view.dear(pinned(settings)),
            renderings=self.renderings,
            headers={"Content-Type": f"{MEDIA_TYPE}; charset=utf-8", "Cache-Control": "public, max-age=3600"},
        )


def _page(view: View, settings: ReleaseSettings) -> str:
    query = feed_address(view, settings).partition("?")[2]
    return f"{view.path}?{query}" if query else view.path
