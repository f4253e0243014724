"""Every page as it once was: its settings, their defaults and words, so that a short link keeps its meaning.

``recorded.json`` is a list that only grows. A short link names its page by the place in it, so a line once released is
never changed, moved or removed. ``python -m scripts.records defaults`` adds what changed since.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from views.short_link.letters import WORDS

FILE = Path(__file__).with_name("recorded.json")


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """A page as it was: address, each setting's default, and the words it could take, all as links say them."""

    path: str
    defaults: Mapping[str, str]
    words: Mapping[str, tuple[str, ...]]


def digest(page: Recorded) -> str:
    """Return a short text that any change of a recorded page changes."""
    settings = [[name, default, *page.words[name]] for name, default in page.defaults.items()]
    return hashlib.sha256(json.dumps([page.path, settings]).encode()).hexdigest()[:16]


def from_json(item: Mapping) -> Recorded:
    """Return a page as the file has it; ValueError where it is not what was recorded."""
    page = Recorded(
        path=item["path"],
        defaults={name: setting["default"] for name, setting in item["settings"].items()},
        words={name: tuple(setting["words"]) for name, setting in item["settings"].items()},
    )
    if digest(page) != item["digest"]:
        raise ValueError(WORDS["record"].format(file=FILE.name, path=page.path, digest=item["digest"]))
    return page


@cache
def pages() -> tuple[Recorded, ...]:
    """Return every page as it was at some time, oldest first."""
    return tuple(from_json(item) for item in json.loads(FILE.read_text(encoding="utf-8")))


def newest(path: str) -> int | None:
    """Return the place of the newest record of a page; None where it was never recorded."""
    return next((place for place, page in reversed(list(enumerate(pages()))) if page.path == path), None)


def since(place: int) -> Sequence[Recorded]:
    """Return the records of the same page from this one on, oldest first."""
    return [page for page in pages()[place:] if page.path == pages()[place].path]


def as_text(recorded: Sequence[Recorded]) -> str:
    """Return the file of these pages, a line a setting."""
    return "[" + ",".join(map(_entry, recorded)) + "\n]\n"


def _entry(page: Recorded) -> str:
    settings = ",".join(
        f"\n  {json.dumps(name)}: "
        + json.dumps({"default": default, "words": page.words[name]}, ensure_ascii=False)
        for name, default in page.defaults.items()
    )
    return f'\n{{"path": {json.dumps(page.path)}, "digest": "{digest(page)}", "settings": {{{settings}}}}}'
