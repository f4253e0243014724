"""OpenAPI 3.1 description of all our routes."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from data.releases import TABLES, names
from views.deck import DEFAULTS, MOST_VIEWS, SETTINGS, VIEW_ALLOWED
from views.deck import LONGEST_QUERY as DECK_QUERY
from views.settings import LONGEST_QUERY
from views.settings import Settings as ViewSettings
from views.short_link.letters import LONGEST
from views.view import SHORT, View, link, short
from web import api
from web.deck import FILE_PATH
from web.forms import FORMS, Form
from web.problem import MEDIA_TYPE

FIXED = Path(__file__).with_name("openapi.json")
"""Parts that depend on no view: title, licence, health, and schemas of results and problems."""
BINARY: dict[str, Any] = {}
"""Schema of a binary file. OpenAPI 3.1 leaves it empty for a binary media type."""
PROBLEM = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
PROBLEMS = {
    status: text.format(query=LONGEST_QUERY, deck=DECK_QUERY)
    for status, text in api.WORDS["problems"].items()
}


def openapi(views: Mapping[str, View]) -> dict[str, Any]:
    """Return the document, generated from the views and forms."""
    example = next(iter(views.values()))
    release = _parameter("release", {"type": "string", "enum": list(names())}, where="path")
    table = _parameter("table", {"type": "string", "enum": list(TABLES)}, where="path")
    document: Any = partial(
        _operation, media_type="application/json", schema={"type": "object"}, fails="", parameters=[]
    )
    operations = {
        **{
            f"/{view.name}.{form.extension}": _view_file(view, form)
            for view in views.values()
            for form in FORMS.values()
        },
        FILE_PATH: _deck(example),
        **{
            path: _operation(
                **one, parameters=[release, table] if "{table}" in path else [release], fails="404"
            )
            for path, one in api.WORDS["data"].items()
        },
        api.VIEWS_PATH: document("views", "Every view with its settings as JSON Schema, and its forms"),
        api.OPENAPI_PATH: document("openapi", "This document"),
        f"{SHORT}{{token}}": _short_link(example),
    }
    fixed = json.loads(FIXED.read_text(encoding="utf-8"))
    return fixed | {"paths": {path: _both(one) for path, one in operations.items()} | fixed["paths"]}


def _view_file(view: View, form: Form) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Result"} if form.extension == "json" else None
    return _operation(
        f"{view.name}-{form.extension}",
        f"{view.question} {form.what}.",
        media_type=form.media_type.partition(";")[0],
        schema=schema,
        parameters=[*_parameters(view.settings, comparable=view.comparable), *_parameters(form.options)],
        fails="422",
        tag=view.title,
    )


def _deck(example: View) -> dict[str, Any]:
    views = {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 1,
        "maxItems": MOST_VIEWS,
        "default": [link(example, example.settings())],
        "description": f"{VIEW_ALLOWED}. Slides come in the order of the links.",
    }
    schemas = {name: one.json_schema() | {"default": DEFAULTS[name]} for name, one in SETTINGS.items()}
    return _operation(
        "deck",
        "Several views as one presentation: title, contents, a slide a view, what moved, sources.",
        media_type=FORMS["pptx"].media_type,
        parameters=[_parameter(name, schema) for name, schema in {"view": views, **schemas}.items()],
        fails="422",
        tag="Deck",
    )


def _short_link(example: View) -> dict[str, Any]:
    token = {
        "type": "string",
        "maxLength": LONGEST,
        "examples": [short(example, example.settings())[len(SHORT) :]],
        "description": "The letters of a short link; with .png, .json or another form behind them.",
    }
    operation = _operation(
        "short-link",
        "The view or deck that a short permanent link stands for; what is given beside it stands in place of its own",
        media_type="",
        parameters=[_parameter("token", token, where="path")],
        fails="404",
    )
    where = {"Location": {"description": "Every setting spelled out, pinned.", "schema": {"type": "string"}}}
    there = {"description": "The permanent address of the view or deck.", "headers": where}
    failing = {status: one for status, one in operation["responses"].items() if status not in ("200", "304")}
    return {**operation, "responses": {"308": there, **failing}}


def _parameters(settings: type[ViewSettings], *, comparable: bool = False) -> list[dict[str, Any]]:
    properties = api.schema(settings, comparable=comparable)["properties"]
    return [_parameter(name, schema) for name, schema in properties.items()]


def _parameter(name: str, schema: Mapping[str, Any], *, where: str = "query") -> dict[str, Any]:
    """Return a parameter with this schema. If the schema is nullable, the parameter may be empty or left out."""
    words = {"description": schema["description"]} if "description" in schema else {}
    own = {key: value for key, value in schema.items() if key not in ("description", "oneOf")}
    if "null" in own["type"]:
        own = {key: value for key, value in own.items() if key != "default"} | {"type": own["type"][0]}
    return {"name": name, "in": where, "required": where == "path", "schema": own, **words}


def _operation(
    name: str,
    summary: str,
    *,
    media_type: str,
    fails: str,
    parameters: list[dict[str, Any]],
    schema: Mapping[str, Any] | None = None,
    tag: str = "",
) -> dict[str, Any]:
    text = media_type.startswith("text/") or "bibtex" in media_type or "svg" in media_type
    content = dict(schema) if schema else ({"type": "string"} if text else BINARY)
    failing = [status for status in (fails, "405", "414", "500", "503") if status]
    return {
        "operationId": name,
        "summary": summary,
        **({"tags": [tag]} if tag else {}),
        "parameters": parameters,
        "responses": {
            "200": {
                "description": summary,
                "headers": {
                    "ETag": {"schema": {"type": "string"}},
                    "Cache-Control": {"schema": {"type": "string"}},
                },
                "content": {media_type: {"schema": content}},
            },
            "304": {"description": "Not modified: If-None-Match names the current ETag."},
            **{status: {"description": PROBLEMS[status], "content": PROBLEM} for status in failing},
        },
    }


def _both(operation: dict[str, Any]) -> dict[str, Any]:
    """Return a path item for this GET operation and for HEAD. Responses to HEAD have no body."""
    head = {**operation, "operationId": f"{operation['operationId']}-head"}
    head["responses"] = {
        status: {key: value for key, value in answer.items() if key != "content"}
        for status, answer in operation["responses"].items()
    }
    return {"get": operation, "head": head}
