"""How the text of one setting becomes digits: a known word, a number, a month, or else its letters."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal

from views.short_link.digits import Digits, Reader

_MOST_PLACES = 9
_FIRST_YEAR, _YEARS, _MONTHS = 1900, 256, 13


def put_value(digits: Digits, text: str, *, words: Sequence[str]) -> None:
    """Add the text of a setting for which ``words`` are known, in the shortest way that reads back the same."""
    if text in words:
        digits.put(words.index(text), len(words) + len(_SHAPES))
        return
    ways = []
    for shape, (put, take) in enumerate(_SHAPES):
        way = Digits()
        way.put(len(words) + shape, len(words) + len(_SHAPES))
        if put(way, text):
            again = Reader(way.number)
            again.take(len(words) + len(_SHAPES))
            if take(again) == text:
                ways.append(way)
    digits.pairs += min(ways, key=lambda way: way.size).pairs


def take_value(reader: Reader, *, words: Sequence[str]) -> str:
    """Return the next text of a setting for which ``words`` are known."""
    place = reader.take(len(words) + len(_SHAPES))
    return words[place] if place < len(words) else _SHAPES[place - len(words)][1](reader)


def _put_whole(digits: Digits, text: str) -> bool:
    if not re.fullmatch("[0-9]{1,18}", text, flags=re.ASCII):
        return False
    digits.put_whole(int(text))
    return True


def _take_whole(reader: Reader) -> str:
    return str(min(reader.take_whole(), 10**18))


def _put_decimal(digits: Digits, text: str) -> bool:
    """Add a number as its figures and how far the point stands behind or before them."""
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text, flags=re.ASCII) or not float(text):
        return False
    _, figures, places = Decimal(text).normalize().as_tuple()
    digits.put(int(places) + _MOST_PLACES, 2 * _MOST_PLACES + 1)
    digits.put_whole(int("".join(map(str, figures))))
    return True


def _take_decimal(reader: Reader) -> str:
    places = reader.take(2 * _MOST_PLACES + 1) - _MOST_PLACES
    return f"{Decimal(min(reader.take_whole(), 10**18)).scaleb(places):f}"


def _put_month(digits: Digits, text: str) -> bool:
    match = re.fullmatch("([0-9]{4})(?:-([0-9]{2}))?", text, flags=re.ASCII)
    year, month = (int(match[1]) - _FIRST_YEAR, int(match[2] or 0)) if match else (-1, 0)
    if not 0 <= year < _YEARS or not 0 <= month < _MONTHS:
        return False
    digits.put(year, _YEARS)
    digits.put(month, _MONTHS)
    return True


def _take_month(reader: Reader) -> str:
    year, month = reader.take(_YEARS) + _FIRST_YEAR, reader.take(_MONTHS)
    return f"{year}-{month:02d}" if month else str(year)


def _put_text(digits: Digits, text: str) -> bool:
    digits.put_text(text)
    return True


_SHAPES: tuple[tuple[Callable[[Digits, str], bool], Callable[[Reader], str]], ...] = (
    (_put_whole, _take_whole),
    (_put_decimal, _take_decimal),
    (_put_month, _take_month),
    (_put_text, Reader.take_text),
)
"""How else a text is put and taken; the order is part of every token and never changes."""
