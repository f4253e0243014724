"""Texts of the pages, and escaping of foreign text for Markdown."""

import re

from panel.terms import as_set
from views import written

WORDS = written.toml(__file__, name="words.toml")
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$:~&])")


def plain(text: str) -> str:
    """Return ``text`` escaped for Markdown, so that it is shown without markup, formulas or emoji."""
    return _SPECIAL.sub(r"\\\1", as_set(" ".join(text.split())))
