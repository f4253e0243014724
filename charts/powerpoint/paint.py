"""Colours of a slide in our design or in a company's template."""

import colorsys
import math
from dataclasses import dataclass

from charts.chart import Role
from charts.colours import PALETTES, READABLE, ROLES, blend, channels, contrast
from charts.powerpoint.drawingml import Element, a
from charts.slide import Tone

SIGNS: dict[Tone, str] = {"good": "✓ ", "part": "~ ", "bad": "✕ ", "none": ""}
"""Symbol before each verdict, so that verdicts differ in more than colour."""
_TONES: dict[Tone, tuple[str, str]] = {
    "good": ("#1c6b34", "#7fd096"),
    "part": ("#7d5400", "#e8bb5c"),
    "bad": ("#a3261d", "#ff9c92"),
}
_LEAST_CONTRAST_MARK = 2.0
_NEARLY_THE_SAME = 1.08  # contrast with white or black
_LEAST_ON_DARK = 0.18  # of a tint on a dark slide: less is indistinguishable from the background
_LEAST_SATURATION = 0.15  # greys are for context
_LEAST_DISTANCE = 90.0  # between two roles in RGB: accents of a one-hue theme are too similar


@dataclass(frozen=True, kw_only=True)
class Ink:
    """A colour as #rrggbb, and the theme slot that it follows, if any."""

    rgb: str
    slot: str | None = None
    luminance_factor: float = 1.0
    luminance_offset: float = 0.0
    saturation_factor: float = 1.0

    def colour(self, *, alpha: float = 1.0) -> Element:
        """Return the element for this colour. It is translucent if ``alpha`` is below 1."""
        opacity = a("alpha", val=round(alpha * 100_000)) if alpha < 1 else None
        if self.slot is None:
            return a("srgbClr", opacity, val=self.rgb[1:].upper())
        changes = (
            ("lumMod", self.luminance_factor, 1.0),
            ("lumOff", self.luminance_offset, 0.0),
            ("satMod", self.saturation_factor, 1.0),
        )
        made = [a(name, val=round(value * 100_000)) for name, value, none in changes if value != none]
        return a("schemeClr", *made, opacity, val=self.slot)

    def fill(self, *, alpha: float = 1.0) -> Element:
        """Return a solid fill of this colour."""
        return a("solidFill", self.colour(alpha=alpha))

    def tint(self, *, background: str, opacity: float) -> "Ink":
        """Return the opaque colour that this ink gives over ``background`` at a given opacity."""
        plain = min(contrast(background, "#ffffff"), contrast(background, "#000000")) < _NEARLY_THE_SAME
        if self.slot is None or not plain:
            return Ink(rgb=blend(self.rgb, background, opacity=opacity))
        # A theme colour is changed by lightness and saturation: exact blends with white and with black.
        light = is_light(background)
        opacity = opacity if light else max(opacity, _LEAST_ON_DARK)
        rgb = blend(self.rgb, "#ffffff" if light else "#000000", opacity=opacity)
        before, after = _saturation(self.rgb), _saturation(rgb)
        return Ink(
            rgb=rgb,
            slot=self.slot,
            luminance_factor=opacity * self.luminance_factor,
            luminance_offset=(1 - opacity if light else 0.0) + opacity * self.luminance_offset,
            saturation_factor=self.saturation_factor * (round(after / before, 3) if before else 1.0),
        )


@dataclass(frozen=True, kw_only=True)
class Paint:
    """All colours of one presentation."""

    background: str
    text: Ink
    quiet: Ink
    grid: Ink
    axis: Ink
    mark: dict[Role, Ink]
    words: dict[Role, Ink]


def tone_ink(tone: Tone, *, paint: Paint) -> Ink:
    """Return the colour of a verdict, adjusted to be readable on these slides."""
    light, dark = _TONES.get(tone, ("", ""))
    rgb = light if is_light(paint.background) else dark
    return Ink(rgb=rgb) if rgb and contrast(rgb, paint.background) >= READABLE else paint.text


def house_paint(*, background: str = "#ffffff") -> Paint:
    """Return our own colours, in the light or dark version that suits the background."""
    palette = PALETTES["light" if is_light(background) else "dark"]
    return Paint(
        background=background,
        text=Ink(rgb=palette.text),
        quiet=Ink(rgb=palette.quiet),
        grid=Ink(rgb=palette.grid),
        axis=Ink(rgb=palette.axis),
        mark={role: Ink(rgb=palette.mark[role]) for role in ROLES},
        words={role: Ink(rgb=palette.words[role]) for role in ROLES},
    )


def theme_paint(*, slots: dict[str, str], background: str) -> Paint:
    """Return the colours of a company's theme, from the colour of each slot (tx1, accent1, ...).

    Each role takes the next accent that is distinguishable from the background and from accents already taken; if the
    theme has none left, our own colour.
    """
    ours = house_paint(background=background)
    text = Ink(rgb=slots["tx1"], slot="tx1")
    if contrast(text.rgb, background) < READABLE:
        text = ours.text
    quiet = text.tint(background=background, opacity=0.68)
    mark: dict[Role, Ink] = {"context": quiet}
    accents = [
        Ink(rgb=slots[name], slot=name) for name in (f"accent{n}" for n in range(1, 7)) if name in slots
    ]
    for role in ROLES:
        if role in mark:
            continue
        taken = [ink.rgb for other, ink in mark.items() if other != "context"]
        fit = (ink for ink in accents if _is_distinct(ink.rgb, background=background, taken=taken))
        mark[role] = next(fit, ours.mark[role])
    words: dict[Role, Ink] = {
        role: ink if contrast(ink.rgb, background) >= READABLE else text for role, ink in mark.items()
    }
    grid, axis = (text.tint(background=background, opacity=opacity) for opacity in (0.12, 0.35))
    return Paint(background=background, text=text, quiet=quiet, grid=grid, axis=axis, mark=mark, words=words)


def is_light(background: str) -> bool:
    """Return whether dark text is more readable on this background than white text."""
    return contrast(background, "#000000") >= contrast(background, "#ffffff")


def _is_distinct(rgb: str, *, background: str, taken: list[str]) -> bool:
    far = all(math.dist(channels(rgb), channels(other)) >= _LEAST_DISTANCE for other in taken)
    return far and _saturation(rgb) >= _LEAST_SATURATION and contrast(rgb, background) >= _LEAST_CONTRAST_MARK


def _saturation(rgb: str) -> float:
    red, green, blue = (value / 255 for value in channels(rgb))
    return colorsys.rgb_to_hls(red, green, blue)[2]
