"""Encoding of a number and a checksum as a few letters.

The letters are Crockford's base 32: no i, l, o or u, and case does not matter, so that a link can be read off a picture
and typed, and is never mistaken for markup or punctuation. The checksum is the CRC-32 of the number's bytes, appended
low byte first as its polynomial requires: damage within five neighbouring letters is always detected, any other with
one exception in 2 ** 32.
"""

import zlib

from views.written import toml

WORDS = toml(__file__, name="letters.toml")
SHOWN_LENGTH = 24


class ShortLinkError(ValueError):
    """Raised for an invalid short link. The message states the link, the fault and the remedy.

    ``link`` is the long link of the part that can be read; it is empty if no part can.
    """

    def __init__(self, message: str, *, link: str = "") -> None:
        self.link = link
        super().__init__(message)


def damaged(text: str) -> ShortLinkError:
    """Return the error for a short link with changed letters."""
    short = text if len(text) <= SHOWN_LENGTH else text[:SHOWN_LENGTH] + "…"
    seen = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in short)
    return ShortLinkError(WORDS["damaged"].format(seen=seen))


def newer() -> ShortLinkError:
    """Return the error for a short link to something that this version does not know."""
    return ShortLinkError(WORDS["newer"])


LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
LONGEST = 2000
"""Maximum number of letters in a token that is read."""

_ALIKE = str.maketrans("ABCDEFGHIJKLMNOPQRSTVWXYZilo", "abcdefgh1jk1mn0pqrstvwxyz110")
_TO_PYTHON = str.maketrans(LETTERS, "0123456789abcdefghijklmnopqrstuv")
_BITS = 5
_CHECK_BYTE = 4


def written(number: int) -> str:
    """Return a positive number and its checksum as letters."""
    count = -(-(number.bit_length() + 8 * _CHECK_BYTE) // _BITS)
    content = number.to_bytes(-(-_BITS * count // 8) - _CHECK_BYTE, "big")
    checked = int.from_bytes(content + zlib.crc32(content).to_bytes(_CHECK_BYTE, "little"), "big")
    return "".join(LETTERS[checked >> _BITS * place & 31] for place in reversed(range(count)))


def read(text: str) -> int:
    """Return the number encoded by letters.

    Raises ShortLinkError if the letters are not the output of :func:`written`, except for case and look-alikes.
    """
    plain = text.translate(_ALIKE) if text.isascii() and len(text) <= LONGEST else ""
    if not plain or not set(plain) <= set(LETTERS):
        raise damaged(text)
    checked = int(plain.translate(_TO_PYTHON), 32)
    content = checked >> 8 * _CHECK_BYTE
    if not content or written(content) != plain:
        raise damaged(text)
    return content
