"""What the pages say, and text from data or a link, made safe to stand in Markdown."""

import re

from panel.terms import as_set
from views import written

WORDS = written.toml(__file__, name="words.toml")
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$:~&])")


def plain(text: str) -> str:
    """Return ``text`` such that Markdown shows it to the letter: no markup, no formula, no emoji code."""
    return _SPECIAL.sub(r"\\\1", as_set(" ".join(text.split())))
