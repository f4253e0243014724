"""Colours, markers and opacities of roles, on light and on dark backgrounds."""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from charts.chart import Bar, MapChoice, Role, Strength

Theme = Literal["light", "dark"]
Marker = Literal["circle", "square", "diamond", "triangle", "cross"]

ROLES: tuple[Role, ...] = ("compute", "memory", "links", "edge", "context")
"""Every role, in the order of use for a chart's colours."""

MARKERS: dict[Role, Marker] = {
    "compute": "circle",
    "memory": "square",
    "links": "diamond",
    "edge": "triangle",
    "context": "cross",
}
"""The marker of each role, so that roles differ in more than colour."""

BAND_OPACITY: dict[Strength, float] = {"confidence": 0.26, "prediction": 0.09}
POINT_OPACITY = 0.62
QUIET_BAR_OPACITY = 0.38
TONE_OPACITY = (0.9, 0.62, 0.42, 0.26, 0.13)
"""Opacity of a role's colour for the choices of a map, by tone from 0 on."""
HATCH_OPACITY = 0.16
"""Opacity of hatching lines, added to the fill's or subtracted to keep text readable."""
READABLE = 4.5
"""Minimum contrast of text: WCAG 2.2, success criterion 1.4.3. [1]"""
FADED = 0.45
"""Factor on the opacity of marks beyond the range of the data. [1]"""


@dataclass(frozen=True, kw_only=True)
class Palette:
    """The colours of one theme, as #rrggbb.

    ``mark`` colours points, lines and fills by role; ``words`` is the same hue for text, dark or light enough for a
    contrast of 4.5:1 against ``background`` (WCAG 2.2, success criterion 1.4.3).
    """

    background: str
    text: str
    quiet: str
    grid: str
    axis: str
    mark: dict[Role, str]
    words: dict[Role, str]


_TABLES = tomllib.loads(Path(__file__).with_name("palettes.toml").read_text(encoding="utf-8"))
PALETTES: dict[Theme, Palette] = {theme: Palette(**_TABLES[theme]) for theme in ("light", "dark")}


def blend(colour: str, background: str, *, opacity: float) -> str:
    """Return the colour that results from ``colour`` over ``background`` at an opacity in [0, 1].

    Raises ValueError if ``opacity`` is not within [0, 1].
    """
    if not 0 <= opacity <= 1:
        raise ValueError(f"opacity is a share between 0 and 1; got {opacity}. For 30% pass 0.3.")
    over, under = channels(colour), channels(background)
    mixed = (round(opacity * o + (1 - opacity) * u) for o, u in zip(over, under, strict=True))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def bar_colour(bar: Bar, palette: Palette, *, quiet: bool) -> str:
    """Return the colour of a bar. It is pale if ``quiet`` is set and the bar is not emphasised."""
    colour = palette.mark[bar.role]
    if bar.emphasised or not quiet:
        return colour
    return blend(colour, palette.background, opacity=QUIET_BAR_OPACITY)


@dataclass(frozen=True, kw_only=True)
class Tile:
    """Appearance of a choice's cells: the fill, any hatching lines, and the text colour."""

    fill: str
    hatch: str | None
    ink: str


def tile_of(choice: MapChoice, palette: Palette) -> Tile:
    """Return the appearance of a choice's cells in a palette."""

    def shade(opacity: float) -> str:
        return blend(palette.mark[choice.role], palette.background, opacity=opacity)

    hatch, ink = hatch_and_ink(choice, shade=shade, inks=(palette.text, palette.background))
    fill = shade(TONE_OPACITY[choice.tone])
    return Tile(fill=fill, hatch=None if hatch is None else shade(hatch), ink=ink)


def hatch_and_ink(
    choice: MapChoice, *, shade: Callable[[float], str], inks: Sequence[str]
) -> tuple[float | None, str]:
    """Return the opacity of a choice's hatching (None if it has none), and a text colour that is readable on its cells.

    ``shade`` returns the colour of the choice's role at an opacity.
    """
    opacity = TONE_OPACITY[choice.tone]
    if not choice.hatched:
        return None, ink_on([shade(opacity)], inks=inks)
    stronger, paler = min(1.0, opacity + HATCH_OPACITY), max(0.0, opacity - HATCH_OPACITY)
    ink = ink_on([shade(opacity), shade(stronger)], inks=inks)
    if _least_contrast(ink, [shade(opacity), shade(stronger)]) >= READABLE:
        return stronger, ink
    return paler, ink_on([shade(opacity), shade(paler)], inks=inks)


def ink_on(grounds: Sequence[str], *, inks: Sequence[str]) -> str:
    """Return the first of the ``inks`` that is readable on all backgrounds. If none is, return black or white."""
    best = max(("#000000", "#ffffff"), key=lambda ink: _least_contrast(ink, grounds))
    return next((ink for ink in inks if _least_contrast(ink, grounds) >= READABLE), best)


def _least_contrast(ink: str, grounds: Sequence[str]) -> float:
    return min(contrast(ink, ground) for ground in grounds)


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    shares = [value / 255 for value in channels(colour)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def channels(colour: str) -> tuple[int, int, int]:
    """Return the red, green and blue channels of a #rrggbb colour, each 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def translucent(colour: str, *, opacity: float) -> str:
    """Return ``colour`` with an opacity in [0, 1], as the CSS function rgba()."""
    red, green, blue = channels(colour)
    return f"rgba({red},{green},{blue},{opacity:.3g})"
