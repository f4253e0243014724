"""Record of each page's settings over time, so that short links keep their meaning.

``recorded.json`` is a list that only grows. A short link refers to its page by the index in the list, so a released
line is never changed, moved or removed. ``python -m scripts.records defaults`` adds what has changed.
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
    """A page at some time: its address, and its settings' defaults and options, as written in links."""

    path: str
    defaults: Mapping[str, str]
    words: Mapping[str, tuple[str, ...]]


def digest(page: Recorded) -> str:
    """Return a digest of a recorded page."""
    settings = [[name, default, *page.words[name]] for name, default in page.defaults.items()]
    return hashlib.sha256(json.dumps([page.path, settings]).encode()).hexdigest()[:16]


def from_json(item: Mapping) -> Recorded:
    """Return the page in an entry of the file. Raises ValueError if the entry was changed."""
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
    """Return every recorded page, oldest first."""
    return tuple(from_json(item) for item in json.loads(FILE.read_text(encoding="utf-8")))


def newest(path: str) -> int | None:
    """Return the index of a page's newest record. None if the page was never recorded."""
    return next((place for place, page in reversed(list(enumerate(pages()))) if page.path == path), None)


def since(place: int) -> Sequence[Recorded]:
    """Return the records of one page from an index on, oldest first."""
    return [page for page in pages()[place:] if page.path == pages()[place].path]


def as_text(recorded: Sequence[Recorded]) -> str:
    """Return the file's text for these pages, with one line per setting."""
    return "[" + ",".join(map(_entry, recorded)) + "\n]\n"


def _entry(page: Recorded) -> str:
    settings = ",".join(
        f"\n  {json.dumps(name)}: "
        + json.dumps({"default": default, "words": page.words[name]}, ensure_ascii=False)
        for name, default in page.defaults.items()
    )
    return f'\n{{"path": {json.dumps(page.path)}, "digest": "{digest(page)}", "settings": {{{settings}}}}}'
