"""Requests from an open page of a view: `/training-compute.panel.json?since=2018`."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from data.package import fingerprint
from panel.answer import PanelSettings, answer_of
from views.settings import parse
from views.view import View, link, read
from web import delivery
from web.code_version import program
from web.problem import UnusableError
from web.site import origin, query_of
from web.view_files import split_query

EXTENSION = ".panel.json"

BY = "by"
"""Name of the parameter with the program version of the requesting page."""


class PanelAnswers(delivery.FileRoute):
    """Route for the requests from all views' pages.

    An invalid setting is reported in the response, as on the page, and the view uses its default. A response includes
    the version of its program; ``by`` is the version of the requesting page, for which only it is cached permanently.
    """

    def __init__(self, views: Mapping[str, View], **parts: Any) -> None:
        self.by_path = {f"/{view.name}{EXTENSION}": view for view in views.values()}
        super().__init__(self.by_path, **parts)

    async def file(self, request: Request) -> Response:
        """Return the requested part of a page."""
        view = self.by_path[request.scope["path"]]
        own, of_view = split_query(query_of(request.scope), options=PanelSettings)
        by = of_view.pop(BY, [""])[-1]
        wanted, faults = parse(PanelSettings, own)
        if faults:
            raise UnusableError(faults)
        settings, ignored = read(view, of_view)
        site, day = (origin(request, self.settings), self.day()) if wanted.part == "share" else ("", None)

        def make() -> bytes:
            answer = answer_of(view, settings, wanted=wanted, ignored=ignored, origin=site, today=day)
            return as_bytes({"program": program(), **answer})

        sentences = "\0".join(item.sentence for item in ignored)
        ingredients = [view.name, "panel", link(view, settings), settings.release, repr(wanted), sentences]
        return await delivery.deliver(
            request,
            identity=delivery.tag(*ingredients, site, str(day), fingerprint()),
            make=make,
            kind=f"{view.name} panel {wanted.part}",
            expensive=view.takes_long(settings),
            renderings=self.renderings,
            headers={"Content-Type": "application/json", "Cache-Control": _kept(by, part=wanted.part)},
        )


def _kept(by: str, *, part: str) -> str:
    """Return the ``Cache-Control`` header for a part requested by a page of program version ``by``."""
    if by not in ("", program()):
        return "no-store"
    return delivery.FOR_GOOD if by and part != "share" else delivery.FOR_NOW


def as_bytes(answer: Mapping[str, Any]) -> bytes:
    """Return an answer as one document of compact JSON."""
    return json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
