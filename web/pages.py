"""The pages themselves: Streamlit's own document, with the preview of exactly the view that was asked for."""

import logging
from collections.abc import Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from views import deck
from views.view import View, answer, link, pinned, read
from web import delivery
from web.deck import LONGEST_QUERY as LONGEST_DECK_QUERY
from web.forms import FORMS
from web.paths import PlainPage
from web.preview import Preview, with_preview
from web.problem import wrong_method
from web.renderings import Busy, Renderings
from web.settings import Settings
from web.site import origin, query_of

BROWSER_PATIENCE_S = 0.15
CRAWLER_PATIENCE_S = 2.0
READING = ("GET", "HEAD")

log = logging.getLogger(__name__)


class Pages(BaseRoute):
    """Our route for the addresses of pages; what they load and say is Streamlit's."""

    def __init__(
        self,
        views: Mapping[str, View],
        plain: Mapping[str, PlainPage],
        *,
        settings: Settings,
        index_html: Path,
        headlines: Renderings,
    ) -> None:
        self.views = views
        self.plain = plain
        self.settings = settings
        self.html = index_html.read_text(encoding="utf-8")
        self.headlines = headlines

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return a full match for the address of a page."""
        if scope["type"] != "http" or (scope["path"] not in self.views and scope["path"] not in self.plain):
            return Match.NONE, {}
        return Match.FULL, {"endpoint": self}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Answer with the page."""
        await (await self.answer(Request(scope)))(scope, receive, send)

    async def answer(self, request: Request) -> Response:
        """Return the page, with its preview."""
        if request.method not in READING:
            return wrong_method(READING)
        path, site = request.scope["path"], origin(request, self.settings)
        if path == deck.PATH:
            preview = self._of_deck(request, site=site)
        elif path in self.views:
            preview = await self._of_view(self.views[path], request, site=site)
        else:
            page = self.plain[path]
            preview = Preview(title=page.title, description=page.question, address=f"{site}{path}")
        return HTMLResponse(with_preview(self.html, preview), headers={"Cache-Control": "no-cache"})

    def _of_deck(self, request: Request, *, site: str) -> Preview:
        query = query_of(request.scope)
        chosen, _ = deck.parse_deck(query if len(query) <= LONGEST_DECK_QUERY else "")
        if not chosen.items:
            page = self.plain[deck.PATH]
            return Preview(title=page.title, description=page.question, address=f"{site}{deck.PATH}")
        first = chosen.items[0]
        return Preview(
            title=chosen.title,
            description=" · ".join(item.view.question for item in chosen.items),
            address=f"{site}{deck.deck_link(chosen)}",
            picture=_picture(first.view, first.link, site=site),
        )

    async def _of_view(self, view: View, request: Request, *, site: str) -> Preview:
        query = query_of(request.scope)
        settings = pinned(read(view, query if len(query) <= delivery.LONGEST_QUERY else "")[0])
        address = link(view, settings)
        patience = BROWSER_PATIENCE_S if "sec-fetch-mode" in request.headers else CRAWLER_PATIENCE_S

        def headline() -> bytes:
            return answer(view, settings).headline.encode()

        try:
            said = (await self.headlines.get(address, headline, patience_s=patience)).decode()
        except Busy:
            said = view.question
        except Exception:
            log.exception("A headline could not be made.")
            said = view.question
        pinned_query = address.partition("?")[2]
        return Preview(
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
        )


def _picture(view: View, address: str, *, site: str) -> str:
    """Return the address of the picture of a preview, for a pinned link of a view."""
    return f"{site}/{view.name}.png?{address.partition('?')[2]}&size=wide"
