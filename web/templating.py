"""Templates from web/templates for documents with fixed text."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

FOLDER = Path(__file__).with_name("templates")


@cache
def template(name: str) -> Template:
    """Return a template that escapes values, except in plain text. Missing values raise an error."""
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=lambda name: not (name or "").endswith(".md.j2"),
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    return environment.get_template(name)


def _printable(value: Any) -> Any:
    """Return a text without characters that documents do not allow."""
    if not isinstance(value, str) or isinstance(value, Markup) or value.isprintable():
        return value
    return "".join(sign if sign.isprintable() else " " for sign in value)
