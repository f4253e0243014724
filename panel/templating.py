"""Page templates, which escape values and format them for readers."""

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from panel.terms import as_set, together

TEMPLATES = Path(__file__).with_name("templates")


@cache
def template(name: str) -> Template:
    """Return a template that escapes values. Missing values raise an error."""
    loader = FileSystemLoader(TEMPLATES)
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, finalize=set_text, auto_reload=False
    )
    environment.filters["together"] = together
    return environment.get_template(name)


def set_text(value: Any) -> Any:
    """Return text in the page's typography. Values other than plain text are unchanged."""
    return as_set(value) if isinstance(value, str) and not isinstance(value, Markup) else value
