"""Conversion of a page with its choices into a short token and back. Texts are not validated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from views.short_link import letters
from views.short_link.digits import SHAPES_OF, Digits, EndlessError, Reader, put_value, take_value
from views.short_link.letters import damaged, newer
from views.short_link.recorded import Recorded, newest, pages, since

FORMAT = 2
_FORMATS = 8
MOST_PARTS = 30
_MOST_SETTINGS = 200


@dataclass(frozen=True, kw_only=True)
class Meaning:
    """Content of a token: a page, its settings as texts and, for a deck, its pages.

    ``choices`` are the settings in the token itself; the others are the defaults at the time it was made.
    """

    path: str
    settings: Mapping[str, str]
    choices: Mapping[str, str] = field(default_factory=dict)
    parts: tuple["Meaning", ...] = ()


def token(
    path: str, settings: Mapping[str, str], *, parts: Sequence[tuple[str, Mapping[str, str]]] = ()
) -> str:
    """Return the token of a page with its settings and, for a deck, its pages.

    Settings at their recorded default are omitted. Anything not recorded is spelled out.
    """
    digits = Digits()
    digits.put(FORMAT, _FORMATS)
    _put_page(digits, path, settings=settings)
    digits.put_whole(len(parts))
    for part, own in parts:
        _put_page(digits, part, settings=own)
    return letters.written(digits.number)


def meaning(text: str) -> Meaning:
    """Return a token's content, with every setting as meant when the token was made.

    Raises ShortLinkError if it is damaged, or refers to an unrecorded page or format.
    """
    reader = Reader(letters.read(text))
    format_ = reader.take(_FORMATS)
    if format_ not in SHAPES_OF:
        raise newer()
    reader.shapes = SHAPES_OF[format_]
    try:
        page = _page(reader)
        parts = tuple(_page(reader) for _ in range(reader.take_count(MOST_PARTS)))
    except EndlessError:
        raise damaged(text) from None
    if reader.number:
        raise damaged(text)
    return Meaning(path=page.path, settings=page.settings, choices=page.choices, parts=parts)


def _put_page(digits: Digits, path: str, *, settings: Mapping[str, str]) -> None:
    place = newest(path)
    digits.put_whole(0 if place is None else place + 1)
    if place is None:
        digits.put_text(path)
    page = _NOTHING if place is None else pages()[place]
    off = [
        index
        for index, name in enumerate(page.defaults)
        if settings.get(name, page.defaults[name]) != page.defaults[name]
    ]
    _put_places(digits, off, most=len(page.defaults))
    names = list(page.defaults)
    for index in off:
        put_value(digits, settings[names[index]], words=page.words[names[index]])
    more = {name: text for name, text in settings.items() if name not in page.defaults}
    digits.put_whole(len(more))
    for name, text in more.items():
        digits.put_text(name)
        put_value(digits, text, words=())


def _page(reader: Reader) -> Meaning:
    place = reader.take_whole() - 1
    if place >= len(pages()):
        raise newer()
    page = pages()[place] if place >= 0 else _NOTHING
    path = page.path if place >= 0 else reader.take_text()
    names = list(page.defaults)
    choices = {
        names[index]: take_value(reader, words=page.words[names[index]])
        for index in _taken_places(reader, most=len(names))
    }
    for _ in range(reader.take_count(_MOST_SETTINGS)):
        name = reader.take_text()
        choices[name] = take_value(reader, words=())
    return Meaning(path=path, settings={**_first_defaults(place), **choices}, choices=choices)


def _first_defaults(place: int) -> dict[str, str]:
    """Return a page's recorded defaults. A setting added later has its first recorded default."""
    first: dict[str, str] = {}
    for page in since(place) if place >= 0 else ():
        first = {**page.defaults, **first}
    return first


def _put_places(digits: Digits, chosen: Sequence[int], *, most: int) -> None:
    """Add the chosen indices out of ``most``, as their number and the gaps between them."""
    digits.put(len(chosen), most + 1)
    start = 0
    for number, index in enumerate(chosen):
        left = len(chosen) - number
        digits.put(index - start, most - start - left + 1)
        start = index + 1


def _taken_places(reader: Reader, *, most: int) -> list[int]:
    chosen: list[int] = []
    start = 0
    for left in range(reader.take(most + 1), 0, -1):
        chosen.append(start + reader.take(most - start - left + 1))
        start = chosen[-1] + 1
    return chosen


_NOTHING = Recorded(path="", defaults={}, words={})
"""Placeholder for a page without a record. All its settings are spelled out."""
