"""Text from data or a link, made safe to stand in Markdown."""

import re

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$:~&])")

NO_BREAK = "\N{NO-BREAK SPACE}"
"""Keeps a number and its per cent sign on one line."""


def plain(text: str) -> str:
    """Return ``text`` such that Markdown shows it to the letter: no markup, no formula, no emoji code."""
    words = " ".join(text.split()).replace(" %", NO_BREAK + "%")
    return _SPECIAL.sub(r"\\\1", words)
