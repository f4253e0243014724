"""The app's font for pictures, from the files packaged beside, and the text it can set."""

from functools import cache
from pathlib import Path

from matplotlib.font_manager import FontProperties, fontManager, get_font

_FOLDER = Path(__file__).parent.parent / "fonts"
_FACES = ("SourceSansPro-Regular.ttf", "SourceSansPro-Bold.ttf")
_FAMILIES = ["Source Sans Pro", "DejaVu Sans"]  # the second ships with matplotlib and has the rarer signs
_MISSING = "□"

for _face in _FACES:
    fontManager.addfont(_FOLDER / _face)


@cache
def font(size: float, *, bold: bool = False) -> FontProperties:
    """Return the font at this size. [points]"""
    return FontProperties(family=_FAMILIES, weight=700 if bold else 400, size=size)


@cache
def _known() -> frozenset[int]:
    paths = [
        fontManager.findfont(FontProperties(family=family), fallback_to_default=False) for family in _FAMILIES
    ]
    return frozenset(code for path in paths for code in get_font(path).get_charmap())


def settable(text: str) -> str:
    """Return the text in one line, a box in place of each character that no packaged font has."""
    known = _known()
    return "".join(c if ord(c) in known else _MISSING for c in " ".join(text.split()) if c.isprintable())
