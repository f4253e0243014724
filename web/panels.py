"""What the open page of a view asks for: `/training-compute.panel.json?since=2018`."""

import json
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from data.package import fingerprint
from panel.answer import PanelSettings, answer_of
from views.setting_kinds import SettingError
from views.settings import Ignored, definitions, parse
from views.view import View, link, read
from web import delivery
from web.code_version import program
from web.problem import UnusableError
from web.renderings import Renderings
from web.settings import Settings
from web.site import origin, query_of
from web.view_files import today

EXTENSION = ".panel.json"

BY = "by"
"""The parameter in which a page says by which program it is shown."""


class PanelAnswers(BaseRoute):
    """Our route for the answers of all views' pages; takes no other path.

    A setting that cannot be used is told in the answer, as on the page, and the view stands at its default. An answer
    names the program that made it; ``by`` is the program of the page that asks, for which alone it is kept for good.
    """

    def __init__(
        self,
        views: Mapping[str, View],
        *,
        settings: Settings,
        renderings: Renderings,
        day: Callable[[], date] = today,
    ) -> None:
        self.by_path = {f"/{view.name}{EXTENSION}": view for view in views.values()}
        self.settings = settings
        self.renderings = renderings
        self.day = day

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return a full match for the address of a view's answers."""
        if scope["type"] != "http" or scope["path"] not in self.by_path:
            return Match.NONE, {}
        return Match.FULL, {"endpoint": self}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Answer with the JSON document, or with a problem document that says what to do."""
        request = Request(scope, receive)
        response = await delivery.answered(request, lambda: self._answer(request))
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        view = self.by_path[request.scope["path"]]
        given = parse_qs(query_of(request.scope), keep_blank_values=True, errors="replace")
        by = given.pop(BY, [""])[-1]
        own = definitions(PanelSettings)
        wanted, faults = parse(PanelSettings, {name: given[name] for name in given if name in own})
        if faults:
            raise UnusableError(faults)
        of_view = {name: given[name] for name in given if name not in own}
        settings, ignored = read(view, of_view)
        site, day = (origin(request, self.settings), self.day()) if wanted.part == "share" else ("", None)

        def make() -> bytes:
            try:
                answer = answer_of(view, settings, wanted=wanted, ignored=ignored, origin=site, today=day)
            except SettingError as fault:
                unusable = Ignored(setting=fault.setting, value=fault.value, allowed=fault.allowed)
                raise UnusableError([unusable]) from fault
            return as_bytes({"program": program(), **answer})

        told = "\0".join(item.sentence for item in ignored)
        ingredients = [view.name, "panel", link(view, settings), settings.release, repr(wanted), told]
        return await delivery.deliver(
            request,
            identity=delivery.tag(*ingredients, site, str(day), fingerprint()),
            make=make,
            kind=f"{view.name} panel {wanted.part}",
            expensive=view.dear(settings),
            renderings=self.renderings,
            headers={"Content-Type": "application/json", "Cache-Control": _kept(by, part=wanted.part)},
        )


def _kept(by: str, *, part: str) -> str:
    """Return how long an answer is kept that the page of a program asks for; Share has today's date."""
    if by not in ("", program()):
        return "no-store"
    return delivery.FOR_GOOD if by and part != "share" else delivery.FOR_NOW


def as_bytes(answer: Mapping[str, Any]) -> bytes:
    """Return an answer as it is sent: JSON without spaces, one document."""
    return json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
