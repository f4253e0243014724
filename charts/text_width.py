"""How wide is a text in Source Sans, the app's font? Known without opening a font or a browser."""

import textwrap
import unicodedata

# Advance widths of the printable ASCII characters, in order from the space [1/1000 em].
# Source Sans Pro 2.0 (charts/fonts), horizontal metrics table.
_REGULAR = (
    *(200, 289, 425, 497, 497, 824, 609, 249, 303, 303, 418, 497, 249, 311, 249, 350, 497, 497, 497),
    *(497, 497, 497, 497, 497, 497, 497, 249, 249, 497, 497, 497, 425, 847, 544, 588, 571, 615, 527),
    *(494, 617, 652, 263, 480, 579, 486, 727, 647, 664, 566, 664, 569, 534, 536, 645, 515, 786, 513),
    *(476, 539, 303, 350, 303, 497, 500, 542, 504, 553, 456, 555, 496, 292, 504, 544, 246, 247, 495),
    *(255, 829, 547, 542, 555, 555, 347, 419, 338, 544, 467, 718, 446, 467, 425, 303, 241, 303, 497),
)
_BOLD = (
    *(200, 340, 536, 528, 528, 857, 667, 300, 344, 344, 457, 528, 300, 332, 300, 339, 528, 528, 528),
    *(528, 528, 528, 528, 528, 528, 528, 300, 300, 528, 528, 528, 463, 903, 573, 605, 582, 635, 548),
    *(524, 638, 674, 301, 509, 614, 518, 762, 665, 684, 596, 684, 613, 556, 556, 665, 556, 813, 567),
    *(525, 541, 344, 339, 344, 528, 500, 555, 527, 573, 467, 573, 518, 341, 534, 571, 276, 278, 548),
    *(286, 857, 572, 555, 573, 573, 398, 443, 383, 568, 523, 776, 514, 521, 460, 344, 268, 344, 528),
)
_OTHER = {"×": 500, "−": 500, "·": 260, "–": 480, "—": 800, "…": 950} | dict.fromkeys("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", 370)
_UNKNOWN, _WIDE = 560, 1000


def text_width(text: str, *, size: float, bold: bool = False) -> float:
    """Return the width of one line of ``text`` set in Source Sans at ``size``. [px]

    Exact to the unit for ASCII apart from kerning; a letter with an accent counts as its base letter, and an
    East Asian character as a full em.
    """
    table = _BOLD if bold else _REGULAR
    return size / 1000 * sum(_advance(character, table) for character in text)


def _advance(character: str, table: tuple[int, ...]) -> int:
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
    """Return ``text`` broken at spaces into lines at most ``width`` wide; a longer word is cut. [px]"""
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
    """Return at most that many of the lines, the last ending in an ellipsis if more were there."""
    return lines if len(lines) <= most else (*lines[: most - 1], f"{lines[most - 1]} …")


def balanced(text: str, *, width: float, size: float, bold: bool = False) -> tuple[str, ...]:
    """Return ``text`` in as few lines as fit, all about equally long: no last word stands alone. [px]"""
    lines = wrapped(text, width=width, size=size, bold=bold)
    low, high = 0.4 * width, width
    while high - low > 0.02 * width:
        middle = (low + high) / 2
        if len(wrapped(text, width=middle, size=size, bold=bold)) == len(lines):
            high = middle
        else:
            low = middle
    return wrapped(text, width=high, size=size, bold=bold)
