"""What does each term of the product mean, in one line?"""

import re
import tomllib
from functools import cache

from views import written

TEXT = written.text(__file__, name="glossary.md")

FORMS = {
    start: tuple(forms) for start, forms in tomllib.loads(written.text(__file__, name="forms.toml")).items()
}
"""The terms of art a page explains where they first stand, by the start of their entry, in the forms they stand in."""


@cache
def entries() -> dict[str, str]:
    """Return what each entry says, as plain text, by its start: the terms before the first colon."""
    meanings: dict[str, str] = {}
    for line in re.sub(r"\n  ", " ", TEXT).strip().split("\n"):
        text = re.sub(r"\[(.+?)\]\(.*?\)", r"\1", line.removeprefix("- ")).replace("**", "")
        start, _, meaning = text.partition(": ")
        meanings[start] = meaning
    return meanings


def meaning(start: str) -> str:
    """Return the entry of a term, whole: its start, which may name other terms too, and what it means."""
    whole = next(entry for entry in entries() if re.match(rf"{re.escape(start)}(?:,|$)", entry))
    return f"{whole}: {entries()[whole]}"
