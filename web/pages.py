"""The pages. Each is our document with the requested view. Streamlit's page is added to the document later."""

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response

from data.package import fingerprint
from panel.assets import version
from panel.document import WAITING, Slides, first_paint, not_yet, presented
from panel.menu import PlainPage, bar
from panel.page import Shown
from views import deck
from views.registry import SITE
from views.settings import LONGEST_QUERY
from views.view import ReleaseSettings, View, answer, link, read
from web import delivery, feeds, oembed
from web.forms import FORMS
from web.preview import Preview, tags, without_scripts
from web.problem import REQUEST, wrong_method
from web.renderings import Busy, Renderings
from web.settings import Settings
from web.shell import Shell
from web.site import origin, query_of

BROWSER_PATIENCE_S = 0.8
CRAWLER_PATIENCE_S = 3.0
READING = ("GET", "HEAD")
FAULT = "This view could not be computed. The link is fine: the error is ours and is in our log."
"""Message in a frame after an error. Nothing inside a frame would retry."""

log = logging.getLogger(__name__)


class Pages(delivery.PathRoute):
    """Route for pages. The page of a view includes its finding. Streamlit's page is added to every page later."""

    def __init__(
        self,
        views: Mapping[str, View],
        plain: Mapping[str, PlainPage],
        *,
        settings: Settings,
        index_html: Path,
        documents: Renderings,
    ) -> None:
        self.paths = {*views, *plain}
        self.views = views
        self.plain = plain
        self.settings = settings
        html = index_html.read_text(encoding="utf-8")
        self.shell = Shell.of(html)
        self.made_by = f"{hashlib.sha256(html.encode()).hexdigest()} {version()}"
        self.documents = documents

    async def answer(self, request: Request) -> Response:
        """Return the page, with its preview."""
        if request.method not in READING:
            return wrong_method(READING)
        path, site = request.scope["path"], origin(request, self.settings)
        longest = deck.LONGEST_QUERY if path == deck.PATH else LONGEST_QUERY
        query = query_of(request.scope)
        query = query if len(query) <= longest else ""
        fills_screen = parse_qs(query, max_num_fields=None).get("present", [""])[-1] == "1"
        if path in self.views and fills_screen:
            item = deck.Item(view=self.views[path], settings=read(self.views[path], query)[0])
            return await self._presented(Slides(items=(item,), leave=item.link), request, site=site)
        if path in self.views:
            return await self._of_view(self.views[path], request, query=query, site=site)
        chosen = deck.parse_deck(query)[0] if path == deck.PATH else deck.Deck()
        if chosen.items and fills_screen:
            slides = Slides(items=deck.shown(chosen), title=chosen.title, leave=deck.deck_link(chosen))
            return await self._presented(slides, request, site=site)
        preview = self._of_deck(chosen, site=site) if chosen.items else self._of_plain(path, site=site)
        last = without_scripts(preview)
        return _page(self.shell.document(tags=tags(preview), first=bar(path), last=last, charted=False))

    def _of_plain(self, path: str, *, site: str) -> Preview:
        page, address = self.plain[path], f"{site}{path}"
        return Preview(
            tab=page.title, title=page.title, description=page.question, address=address, feeds=_feeds(site)
        )

    def _of_deck(self, chosen: deck.Deck, *, site: str) -> Preview:
        first = chosen.items[0]
        return Preview(
            tab=deck.TITLE,
            title=chosen.title,
            description=" · ".join(item.view.question for item in chosen.items),
            address=f"{site}{deck.deck_link(chosen)}",
            picture=_picture(first.view, first.link, site=site),
        )

    async def _of_view(self, view: View, request: Request, *, query: str, site: str) -> Response:
        settings, ignored = read(view, query)
        embedded = parse_qs(query).get("embed", [""])[0].lower() == "true"

        def make() -> bytes:
            result = answer(view, settings, ignored=ignored)
            shown = Shown(view=view, settings=settings, result=result)
            preview = self._preview(view, settings, description=result.headline, site=site)
            first = first_paint(shown, embedded=embedded)
            return self._shown(preview, first=first, embedded=embedded).encode()

        sentences = "\0".join(item.sentence for item in ignored)
        ingredients = [view.name, "page", link(view, settings), settings.release, sentences, str(embedded)]
        made = await self._delivered(
            request, view, settings=settings, ingredients=[*ingredients, site], make=make
        )
        if isinstance(made, Response):
            return made
        preview = self._preview(view, settings, description=view.question, site=site)
        instead = WAITING if made or not embedded else FAULT
        first = not_yet(view.question, path=view.path, embedded=embedded, instead=instead)
        # A frame has no Streamlit to load the page later, nor does a browser without scripts: these must retry.
        again = f'<noscript><meta http-equiv="refresh" content="{made}"></noscript>' if made else ""
        headers = {"Refresh": str(made)} if made and embedded else {}
        return _page(self._shown(preview, first=first, embedded=embedded, more=again), **headers)

    async def _delivered(
        self,
        request: Request,
        view: View,
        *,
        settings: ReleaseSettings,
        ingredients: Sequence[str],
        make: Callable[[], bytes],
    ) -> Response | int:
        """Return the document of a view, or the seconds until a retry, which are 0 after an internal error."""
        browser = "sec-fetch-mode" in request.headers
        try:
            return await delivery.deliver(
                request,
                identity=delivery.tag(*ingredients, fingerprint(), self.made_by),
                make=make,
                renderings=self.documents,
                headers={"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache"},
                patience_s=BROWSER_PATIENCE_S if browser else CRAWLER_PATIENCE_S,
                kind=f"{view.name} page",
                expensive=view.takes_long(settings),
                open_to_all=False,
            )
        except ClientDisconnect:
            return Response(status_code=delivery.CLIENT_GONE)
        except Busy as busy:
            return busy.retry_after_s
        except Exception:
            log.exception("A page could not be created (request %s).", REQUEST.get())
            return 0

    async def _presented(self, slides: Slides, request: Request, *, site: str) -> Response:
        """Return the document of slides. If the first slide takes too long, the document's script requests it."""
        first = slides.items[0]
        preview = self._preview(first.view, first.settings, description=first.view.question, site=site)
        if slides.title:
            preview = replace(preview, tab=slides.title, title=slides.title, address=f"{site}{slides.leave}")

        def document(shown: Shown | None = None) -> bytes:
            page = presented(slides, first=shown)
            return self.shell.presentation(tags=tags(preview), slides=page).encode()

        def make() -> bytes:
            result = answer(first.view, first.settings)
            return document(Shown(view=first.view, settings=first.settings, result=result))

        ingredients = ["present", slides.leave, *(item.link for item in slides.items), site]
        made = await self._delivered(
            request, first.view, settings=first.settings, ingredients=ingredients, make=make
        )
        return made if isinstance(made, Response) else _page(document().decode())

    def _shown(self, preview: Preview, *, first: str, embedded: bool, more: str = "") -> str:
        """Return the document of a page. ``more`` is added to its head after the preview."""
        last = "" if embedded else without_scripts(preview)
        return self.shell.document(tags=tags(preview) + more, first=first, last=last, alone=embedded)

    def _preview(self, view: View, settings: ReleaseSettings, *, description: str, site: str) -> Preview:
        address = link(view, settings)
        pinned_query = address.partition("?")[2]
        return Preview(
            tab=view.title,
            title=view.question,
            description=description,
            address=f"{site}{address}",
            picture=_picture(view, address, site=site),
            frame=oembed.discovery(f"{site}{address}", site=site),
            files=tuple(
                (
                    form.media_type.partition(";")[0],
                    form.what,
                    f"{site}/{view.name}.{form.extension}?{pinned_query}",
                )
                for form in FORMS.values()
            ),
            feeds=(
                (f"{view.title}: what moved", f"{site}{feeds.feed_address(view, settings)}"),
                *_feeds(site),
            ),
        )


def _feeds(site: str) -> tuple[tuple[str, str], ...]:
    return ((f"{SITE}: what moved", f"{site}{feeds.PATH}"),)


def _page(html: str, **headers: str) -> HTMLResponse:
    return HTMLResponse(html, headers={"Cache-Control": "no-cache", **headers})


def _picture(view: View, address: str, *, site: str) -> str:
    """Return the address of the preview's picture, for a pinned link of a view."""
    return f"{site}/{view.name}.png?{address.partition('?')[2]}&size=wide"
