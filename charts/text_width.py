"""Width of text in Source Sans, the app's font, computed without opening a font or browser."""

import textwrap
import tomllib
import unicodedata
from collections.abc import Sequence
from pathlib import Path

_WIDTHS = tomllib.loads(Path(__file__).with_name("fonts").joinpath("widths.toml").read_text(encoding="utf-8"))
_OTHER = {"×": 500, "−": 500, "·": 260, "–": 480, "—": 800, "…": 950} | dict.fromkeys("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", 370)
_UNKNOWN, _WIDE = 560, 1000


def text_width(text: str, *, size: float, bold: bool = False) -> float:
    """Return the width of a line of ``text`` in Source Sans at ``size``. [px]

    It is exact to the unit for ASCII apart from kerning. A letter with an accent counts as its base letter, and an East
    Asian character as a full em.
    """
    table = _WIDTHS["bold" if bold else "regular"]
    return size / 1000 * sum(_advance(character, table) for character in text)


def _advance(character: str, table: Sequence[int]) -> int:
    if " " <= character <= "~":
        return table[ord(character) - 32]
    if character in _OTHER:
        return _OTHER[character]
    if unicodedata.combining(character):
        return 0
    base = unicodedata.normalize("NFD", character)[0]
    if " " <= base <= "~":
        return table[ord(base) - 32]
    return _WIDE if unicodedata.east_asian_width(character) in "WF" else _UNKNOWN


def wrapped(text: str, *, width: float, size: float, bold: bool = False) -> tuple[str, ...]:
    """Return ``text`` broken at spaces into lines at most ``width`` [px] wide. Longer words are split."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size=size, bold=bold) <= width:
            lines[-1] = longer
        elif text_width(word, size=size, bold=bold) <= width:
            lines.append(word)
        else:
            lines.extend(textwrap.wrap(word, max(1, int(width / size))))
    return tuple(lines)


def cut(lines: tuple[str, ...], *, most: int) -> tuple[str, ...]:
    """Return the first lines, at most ``most`` of them. If any were dropped, the last line kept ends in an ellipsis."""
    return lines if len(lines) <= most else (*lines[: most - 1], f"{lines[most - 1]} …")


def balanced(text: str, *, width: float, size: float, bold: bool = False) -> tuple[str, ...]:
    """Return ``text`` in as few lines as possible, all of similar length. The last line is rarely a single word."""
    lines = wrapped(text, width=width, size=size, bold=bold)
    low, high = 0.4 * width, width
    while high - low > 0.02 * width:
        middle = (low + high) / 2
        if len(wrapped(text, width=middle, size=size, bold=bold)) == len(lines):
            high = middle
        else:
            low = middle
    return wrapped(text, width=high, size=size, bold=bold)
