"""The pages themselves: our document with the view that was asked for, which Streamlit's page joins."""

import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Receive, Scope, Send

from data.package import fingerprint
from panel.assets import version
from panel.document import MenuEntry, first_paint, not_yet
from panel.page import Shown
from panel.present import PresentedSlide, presented
from views import deck
from views.registry import SITE
from views.settings import LONGEST_QUERY, Ignored
from views.view import ReleaseSettings, View, answer, link, read
from web import delivery, feeds
from web.forms import FORMS
from web.paths import MENU, PlainPage
from web.preview import Preview, tags, without_scripts
from web.problem import REQUEST, wrong_method
from web.renderings import Busy, Renderings
from web.settings import Settings
from web.shell import Shell
from web.site import origin, query_of

BROWSER_PATIENCE_S = 0.8
CRAWLER_PATIENCE_S = 3.0
READING = ("GET", "HEAD")
LATE = "One moment …"
FAULT = "This view could not be computed. The link is fine: the error is ours and is in our log."
"""What a frame says, which nothing joins that would ask again."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Slides:
    """What fills the screen: one view, or those of a deck, which has a title; ``leave`` is its plain page."""

    items: tuple[deck.Item, ...]
    leave: str
    title: str = ""


class Pages(delivery.PathRoute):
    """Our route for the addresses of pages: a view's carries its finding, every one joins Streamlit's page."""

    def __init__(
        self,
        views: Mapping[str, View],
        plain: Mapping[str, PlainPage],
        *,
        settings: Settings,
        index_html: Path,
        documents: Renderings,
    ) -> None:
        self.views = views
        self.plain = plain
        self.settings = settings
        html = index_html.read_text(encoding="utf-8")
        self.shell = Shell.of(html)
        self.made_by = f"{hashlib.sha256(html.encode()).hexdigest()} {version()}"
        self.documents = documents

    def takes(self, path: str) -> bool:
        """Return whether this is the address of a page."""
        return path in self.views or path in self.plain

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Answer with the page."""
        await (await self.answer(Request(scope, receive)))(scope, receive, send)

    async def answer(self, request: Request) -> Response:
        """Return the page, with its preview."""
        if request.method not in READING:
            return wrong_method(READING)
        path, site = request.scope["path"], origin(request, self.settings)
        if (slides := self._to_present(path, request)) is not None:
            return await self._presented(slides, request, site=site)
        if path in self.views:
            return await self._of_view(self.views[path], request, site=site)
        if path == deck.PATH:
            preview = self._of_deck(request, site=site)
        else:
            page = self.plain[path]
            preview = Preview(
                tab=page.title,
                title=page.title,
                description=page.question,
                address=f"{site}{path}",
                feeds=_feeds(site),
            )
        return _page(self.shell.document(tags=tags(preview), last=without_scripts(preview)))

    def _of_deck(self, request: Request, *, site: str) -> Preview:
        query = query_of(request.scope)
        chosen, _ = deck.parse_deck(query if len(query) <= deck.LONGEST_QUERY else "")
        if not chosen.items:
            page = self.plain[deck.PATH]
            return Preview(
                tab=page.title, title=page.title, description=page.question, address=f"{site}{deck.PATH}"
            )
        first = chosen.items[0]
        return Preview(
            tab=deck.TITLE,
            title=chosen.title,
            description=" · ".join(item.view.question for item in chosen.items),
            address=f"{site}{deck.deck_link(chosen)}",
            picture=_picture(first.view, first.link, site=site),
        )

    async def _of_view(self, view: View, request: Request, *, site: str) -> Response:
        query = query_of(request.scope)
        query = query if len(query) <= LONGEST_QUERY else ""
        settings, ignored = read(view, query)
        embedded = parse_qs(query).get("embed", [""])[0].lower() == "true"
        patience = BROWSER_PATIENCE_S if "sec-fetch-mode" in request.headers else CRAWLER_PATIENCE_S

        def make() -> bytes:
            return self._document(view, settings, ignored=ignored, site=site, embedded=embedded).encode()

        told = "\0".join(item.sentence for item in ignored)
        address = link(view, settings)
        ingredients = [view.name, "page", address, settings.release, told, site, str(embedded), fingerprint()]
        try:
            return await delivery.deliver(
                request,
                identity=delivery.tag(*ingredients, self.made_by),
                make=make,
                renderings=self.documents,
                headers={"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache"},
                patience_s=patience,
                kind=f"{view.name} page",
                expensive=view.dear(settings),
                open_to_all=False,
            )
        except ClientDisconnect:
            return Response(status_code=delivery.CLIENT_GONE)
        except Busy as busy:
            again_s, instead = busy.retry_after_s, LATE
        except Exception:
            log.exception("The page of a view could not be created (request %s).", REQUEST.get())
            again_s, instead = 0, FAULT if embedded else LATE
        preview = self._preview(view, settings, said=view.question, site=site)
        first = not_yet(view.question, path=view.path, menu=_menu(), embedded=embedded, instead=instead)
        # Nobody brings the page later to a frame, which has no Streamlit, nor where no script runs: they ask again.
        again = f'<noscript><meta http-equiv="refresh" content="{again_s}"></noscript>' if again_s else ""
        headers = {"Refresh": str(again_s)} if again_s and embedded else {}
        return _page(self._shown(preview, first=first, embedded=embedded, more=again), **headers)

    def _to_present(self, path: str, request: Request) -> "Slides | None":
        """Return what is to fill the screen; None where a page is asked for."""
        query = query_of(request.scope)
        longest = deck.LONGEST_QUERY if path == deck.PATH else LONGEST_QUERY
        if len(query) > longest or parse_qs(query, max_num_fields=None).get("present", [""])[-1] != "1":
            return None
        if path in self.views:
            settings, _ = read(self.views[path], query)
            return Slides(
                items=(deck.Item(view=self.views[path], settings=settings),),
                leave=link(self.views[path], settings),
            )
        chosen = deck.parse_deck(query)[0] if path == deck.PATH else None
        if chosen is None or not chosen.items:
            return None
        return Slides(items=deck.shown(chosen), title=chosen.title, leave=deck.deck_link(chosen))

    async def _presented(self, slides: "Slides", request: Request, *, site: str) -> Response:
        """Return the document of slides; where the first takes too long, its script asks for it."""
        first = slides.items[0]
        preview = self._preview(first.view, first.settings, said=first.view.question, site=site)
        if slides.title:
            preview = replace(preview, tab=slides.title, title=slides.title, address=f"{site}{slides.leave}")

        def document(shown: Shown | None = None) -> bytes:
            places = [
                PresentedSlide(
                    view=item.view.name,
                    query=item.link.partition("?")[2],
                    question=item.view.question,
                    title=item.title,
                )
                for item in slides.items
            ]
            page = presented(places, title=slides.title, leave=slides.leave, first=shown)
            return self.shell.presentation(tags=tags(preview), slides=page).encode()

        def make() -> bytes:
            result = answer(first.view, first.settings)
            return document(Shown(view=first.view, settings=first.settings, result=result))

        headers = {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-cache"}
        links = [item.link for item in slides.items]
        try:
            return await delivery.deliver(
                request,
                identity=delivery.tag("present", slides.leave, *links, site, fingerprint(), self.made_by),
                make=make,
                renderings=self.documents,
                headers=headers,
                patience_s=BROWSER_PATIENCE_S if "sec-fetch-mode" in request.headers else CRAWLER_PATIENCE_S,
                kind=f"{first.view.name} page",
                expensive=first.view.dear(first.settings),
                open_to_all=False,
            )
        except ClientDisconnect:
            return Response(status_code=delivery.CLIENT_GONE)
        except Busy:
            pass
        except Exception:
            log.exception(
                "The first slide of a presentation could not be created (request %s).", REQUEST.get()
            )
        return Response(document(), headers=headers)

    def _shown(self, preview: Preview, *, first: str, embedded: bool, more: str = "") -> str:
        """Return the document of a page; ``more`` is said in its head besides the preview."""
        last = "" if embedded else without_scripts(preview)
        return self.shell.document(tags=tags(preview) + more, first=first, last=last, alone=embedded)

    def _document(
        self,
        view: View,
        settings: ReleaseSettings,
        *,
        ignored: tuple[Ignored, ...],
        site: str,
        embedded: bool,
    ) -> str:
        result = answer(view, settings, ignored=ignored)
        shown = Shown(view=view, settings=settings, result=result)
        preview = self._preview(view, settings, said=result.headline, site=site)
        first = first_paint(shown, menu=_menu(), embedded=embedded)
        return self._shown(preview, first=first, embedded=embedded)

    def _preview(self, view: View, settings: ReleaseSettings, *, said: str, site: str) -> Preview:
        address = link(view, settings)
        pinned_query = address.partition("?")[2]
        return Preview(
            tab=view.title,
            title=view.question,
            description=said,
            address=f"{site}{address}",
            picture=_picture(view, address, site=site),
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


def _menu() -> Mapping[str, list[MenuEntry]]:
    return {
        group: [MenuEntry(path=path, title=title) for path, title in pages] for group, pages in MENU.items()
    }


def _picture(view: View, address: str, *, site: str) -> str:
    """Return the address of the picture of a preview, for a pinned link of a view."""
    return f"{site}/{view.name}.png?{address.partition('?')[2]}&size=wide"
