"""Texts that are the same whatever a reader chooses: Markdown files beside the code that shows them."""

import tomllib
from pathlib import Path
from typing import Any


def text(module: str, *, name: str) -> str:
    """Return the text of the file ``name`` beside a module, given by its ``__file__``."""
    return Path(module).with_name(name).read_text(encoding="utf-8")


def method(module: str) -> tuple[str, ...]:
    """Return how a view is made, a paragraph each: method.md in its folder, else the file with the module's name."""
    path = Path(module)
    name = "method.md" if path.name == "view.py" else f"{path.stem}.md"
    return paragraphs(module, name=name)


def paragraphs(module: str, *, name: str) -> tuple[str, ...]:
    """Return the paragraphs of the file ``name`` beside a module, each on one line."""
    return tuple(" ".join(paragraph.split()) for paragraph in text(module, name=name).strip().split("\n\n"))


def toml(module: str, *, name: str) -> dict[str, Any]:
    """Return the tables of the TOML file ``name`` beside a module."""
    return tomllib.loads(text(module, name=name))
