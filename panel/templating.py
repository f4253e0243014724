"""Templates of pages: what they are given leaves escaped, and set as a reader's line needs it."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from panel.terms import as_set, together

TEMPLATES = Path(__file__).with_name("templates")


@cache
def template(name: str) -> Template:
    """Return a template that escapes whatever it is given and refuses what it was not given."""
    loader = FileSystemLoader(TEMPLATES)
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, finalize=set_text, auto_reload=False
    )
    environment.filters["together"] = together
    return environment.get_template(name)


def set_text(value: Any) -> Any:
    """Return text with its numbers and units kept on one line; anything else as it is."""
    return as_set(value) if isinstance(value, str) and not isinstance(value, Markup) else value
