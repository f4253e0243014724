"""Encoding of choices as one number. Each choice is a digit with its own base.

The first digit read is the number's remainder, so the base of a digit may depend on earlier digits, and trailing zeros
take no room.
"""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from math import log2

LONGEST_TEXT = 400
_FIRST, _PLAIN = 0x20, 95
"""Printable ASCII characters, from the space to the tilde. Each is encoded as one digit."""
_WIDER = (0x800, 0x110000)
"""Other characters, encoded as two digits: those with two bytes in UTF-8, and all others."""
_GROUP = 8


class Digits:
    """Writer of digits, from first to last."""

    def __init__(self) -> None:
        self.pairs: list[tuple[int, int]] = []

    def put(self, digit: int, base: int) -> None:
        """Add one digit, which must be below its base."""
        if not 0 <= digit < base:
            raise ValueError(f"A digit lies between 0 and its base {base}; got {digit}.")
        self.pairs.append((digit, base))

    def put_whole(self, number: int) -> None:
        """Add a whole number of any size, three bits at a time with a continuation flag."""
        while True:
            number, group = divmod(number, _GROUP)
            self.put(group + (_GROUP if number else 0), 2 * _GROUP)
            if not number:
                return

    def put_text(self, text: str) -> None:
        """Add a text of up to 400 characters."""
        if len(text) > LONGEST_TEXT:
            raise ValueError(f"A text has at most {LONGEST_TEXT} characters here; got {len(text)}.")
        self.put_whole(len(text))
        for sign in map(ord, text):
            if _FIRST <= sign < _FIRST + _PLAIN:
                self.put(sign - _FIRST, _PLAIN + len(_WIDER))
            else:
                wider = sum(sign >= many for many in _WIDER)
                self.put(_PLAIN + wider, _PLAIN + len(_WIDER))
                self.put(sign, _WIDER[wider])

    @property
    def size(self) -> float:
        """Return the maximum size of the digits. [bit]"""
        return sum(log2(base) for _, base in self.pairs)

    @property
    def number(self) -> int:
        """Return the digits as one number."""
        number = 0
        for digit, base in reversed(self.pairs):
            number = number * base + digit
        return number


class EndlessError(ValueError):
    """Raised for a number with content that no link can have, such as a text that is too long."""


class Reader:
    """Reader of digits, from first to last. Digits after the last are zero."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.shapes = len(_SHAPES)
        """How many encodings of a text were known when the number was made."""

    def take(self, base: int) -> int:
        """Return the next digit, given its base."""
        self.number, digit = divmod(self.number, base)
        return digit

    def take_whole(self) -> int:
        """Read a whole number from the next digits."""
        number, worth = 0, 1
        while True:
            more, group = divmod(self.take(2 * _GROUP), _GROUP)
            number += group * worth
            worth *= _GROUP
            if not more:
                return number

    def take_count(self, most: int) -> int:
        """Read a count from the next digits. Raises EndlessError if it exceeds ``most``."""
        count = self.take_whole()
        if count > most:
            raise EndlessError(f"A count here is at most {most}; got {count}.")
        return count

    def take_text(self) -> str:
        """Read a text from the next digits."""
        signs = []
        for _ in range(self.take_count(LONGEST_TEXT)):
            place = self.take(_PLAIN + len(_WIDER))
            signs.append(_FIRST + place if place < _PLAIN else self.take(_WIDER[place - _PLAIN]))
        return "".join(map(chr, signs))


_MOST_PLACES = 9
_FIRST_YEAR, _YEARS, _MONTHS = 1900, 256, 13


def put_value(digits: Digits, text: str, *, words: Sequence[str]) -> None:
    """Add a setting's text in the shortest form that is read back unchanged. ``words`` are the setting's options."""
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
    """Read a setting's text from the next digits, given the known options ``words``."""
    place = reader.take(len(words) + reader.shapes)
    return words[place] if place < len(words) else _SHAPES[place - len(words)][1](reader)


def _put_whole(digits: Digits, text: str) -> bool:
    if not re.fullmatch("[0-9]{1,18}", text, flags=re.ASCII):
        return False
    digits.put_whole(int(text))
    return True


def _take_whole(reader: Reader) -> str:
    return str(min(reader.take_whole(), 10**18))


def _put_decimal(digits: Digits, text: str) -> bool:
    """Add the decimal number in a text as its digits and the position of its point. Return whether there is one."""
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


def _put_correction(digits: Digits, text: str) -> bool:
    month, _, number = text.partition(".")
    return _put_month(digits, month) and _put_whole(digits, number)


def _put_text(digits: Digits, text: str) -> bool:
    digits.put_text(text)
    return True


_SHAPES: tuple[tuple[Callable[[Digits, str], bool], Callable[[Reader], str]], ...] = (
    (_put_whole, _take_whole),
    (_put_decimal, _take_decimal),
    (_put_month, _take_month),
    (_put_text, Reader.take_text),
    (_put_correction, lambda reader: f"{_take_month(reader)}.{_take_whole(reader)}"),
)
"""Other encodings of texts. Their order is part of every token and never changes."""
SHAPES_OF = {1: 4, 2: len(_SHAPES)}
"""Number of these encodings in each token format, keyed by format."""
