"""How a number is written in few letters so that any damage to them shows.

The letters are Crockford's base 32: no i, l, o or u, and capitals mean the same, so that a link can be read off a
picture and typed, and nothing in it looks like markup or ends a word.
The check is the CRC-32 of the number's bytes, appended low byte first as its polynomial has them: damage within
five neighbouring letters is always found, any other but for one case in 2 ** 32.
"""

import zlib

from views.written import toml

WORDS = toml(__file__, name="letters.toml")
SHOWN_LENGTH = 24


class ShortLinkError(ValueError):
    """A short link cannot be followed; the message says what it is, what came and what to do.

    ``link`` is the long link of what can still be read of it; empty where nothing can.
    """

    def __init__(self, message: str, *, link: str = "") -> None:
        self.link = link
        super().__init__(message)


def damaged(text: str) -> ShortLinkError:
    """Return the error of a short link whose letters are not those it was made with."""
    short = text if len(text) <= SHOWN_LENGTH else text[:SHOWN_LENGTH] + "…"
    seen = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in short)
    return ShortLinkError(WORDS["damaged"].format(seen=seen))


def newer() -> ShortLinkError:
    """Return the error of a short link that speaks of what this program does not know yet."""
    return ShortLinkError(WORDS["newer"])


LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
LONGEST = 2000
"""Most letters that are read. [character]"""

_ALIKE = str.maketrans("ABCDEFGHIJKLMNOPQRSTVWXYZilo", "abcdefgh1jk1mn0pqrstvwxyz110")
_TO_PYTHON = str.maketrans(LETTERS, "0123456789abcdefghijklmnopqrstuv")
_BITS = 5
_CHECK_BYTE = 4


def written(number: int) -> str:
    """Return a positive number and its check as letters."""
    count = -(-(number.bit_length() + 8 * _CHECK_BYTE) // _BITS)
    content = number.to_bytes(-(-_BITS * count // 8) - _CHECK_BYTE, "big")
    checked = int.from_bytes(content + zlib.crc32(content).to_bytes(_CHECK_BYTE, "little"), "big")
    return "".join(LETTERS[checked >> _BITS * place & 31] for place in reversed(range(count)))


def read(text: str) -> int:
    """Return the number that letters stand for.

    ShortLinkError where the letters are not as :func:`written` gave them, but for capitals and look-alikes.
    """
    plain = text.translate(_ALIKE) if text.isascii() and len(text) <= LONGEST else ""
    if not plain or not set(plain) <= set(LETTERS):
        raise damaged(text)
    checked = int(plain.translate(_TO_PYTHON), 32)
    content = checked >> 8 * _CHECK_BYTE
    if not content or written(content) != plain:
        raise damaged(text)
    return content
