"""Catalogue for programs. `/api/views` lists every view with its forms and its settings as JSON Schema."""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from data.package import fingerprint
from data.releases import latest, names
from views import written
from views.settings import Settings as ViewSettings
from views.settings import definitions
from views.view import ReleaseSettings, View, link
from web import delivery
from web.forms import FORMS, json_line
from web.renderings import Renderings

VIEWS_PATH = "/api/views"
OPENAPI_PATH = "/api/openapi.json"


class Document(delivery.FileRoute):
    """Route for a JSON document of the catalogue. The document changes only if the program or its data change."""

    def __init__(self, path: str, *, make: Callable[[], Mapping[str, Any]], renderings: Renderings) -> None:
        super().__init__((path,), renderings=renderings)
        self.path = path
        self.make = make

    async def file(self, request: Request) -> Response:
        """Return the requested document."""
        return await delivery.deliver(
            request,
            identity=delivery.tag(self.path, fingerprint()),
            make=lambda: json_line(self.make()),
            kind="api",
            renderings=self.renderings,
            headers={"Content-Type": "application/json", "Cache-Control": delivery.FOR_NOW},
        )


WORDS: dict[str, Any] = written.toml(__file__, name="api.toml")


def listing(views: Mapping[str, View]) -> dict[str, Any]:
    """Return the releases, and each view's address, name, title, question, settings and forms."""
    return {
        "views": [described(view) for view in views.values()],
        "releases": list(names()),
        "latest": latest(),
    }


def described(view: View) -> dict[str, Any]:
    """Return the catalogue entry of a view."""
    return {
        "path": view.path,
        "name": view.name,
        "title": view.title,
        "question": view.question,
        "link": link(view, view.settings()),
        "settings": schema(view.settings, comparable=view.comparable),
        "forms": [
            {
                "extension": form.extension,
                "path": f"/{view.name}.{form.extension}",
                "media_type": form.media_type.partition(";")[0],
                "what": form.what,
                "settings": schema(form.options),
            }
            for form in FORMS.values()
        ],
    }


def schema(settings: type[ViewSettings], *, comparable: bool = False) -> dict[str, Any]:
    """Return settings as JSON Schema, with their defaults and the other parameters of a view's link."""
    default = settings()
    return {
        "type": "object",
        "properties": {
            name: {"title": setting.label, **setting.json_schema(), "default": getattr(default, name)}
            for name, setting in definitions(settings).items()
        }
        | ({"vs": WORDS["vs"]} if comparable else {})
        | ({"note": WORDS["note"]} if issubclass(settings, ReleaseSettings) else {}),
        "additionalProperties": False,
    }
