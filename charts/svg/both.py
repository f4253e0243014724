"""One figure out of the light and the dark one: every colour that differs becomes a CSS variable."""

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

COLOUR = re.compile(r"#[0-9a-f]{6}\b|rgba?\([0-9., ]+\)|var\(--c[0-9]+\)")
_UNSEEN = frozenset({"hoverinfo", "hoverlabel", "hovertemplate", "hovertext", "modebar"})


class Colours:
    """The pairs of colours of a chart; each is known in the drawing by a variable, ``var(--c0)`` and on."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], str] = {}

    def variable(self, light: str, dark: str) -> str:
        """Return how CSS calls this pair."""
        return f"var({self._names.setdefault((light, dark), f'--c{len(self._names)}')})"

    def css(self) -> str:
        """Return the declarations of all pairs asked for so far."""
        pairs = self._names.items()
        return ";".join(f"{name}:light-dark({light},{dark})" for (light, dark), name in pairs)


def together(light: Any, dark: Any, *, colours: Colours) -> Any:
    """Return the light figure with variables for colours that the dark one has otherwise.

    Hover texts are left out. Raises ValueError where more than colours differs.
    """
    match light, dark:
        case Mapping(), Mapping() if light.keys() == dark.keys():
            seen = light.keys() - _UNSEEN
            return {key: together(light[key], dark[key], colours=colours) for key in light if key in seen}
        case (list() | tuple(), list() | tuple()) if len(light) == len(dark):
            return [together(one, other, colours=colours) for one, other in zip(light, dark, strict=True)]
        case np.ndarray(), np.ndarray() if np.array_equal(light, dark, equal_nan=True):
            return light
        case str(), str():
            return light if light == dark else _mixed(light, dark, colours=colours)
    same = light is dark or (isinstance(light, (int, float)) and light == dark) or _both_nan(light, dark)
    return light if same else _differ(light, dark)


def _both_nan(light: Any, dark: Any) -> bool:
    return all(isinstance(value, float) and math.isnan(value) for value in (light, dark))


def _mixed(light: str, dark: str, *, colours: Colours) -> str:
    if COLOUR.split(light) != COLOUR.split(dark):
        return _differ(light, dark)
    others = iter(COLOUR.findall(dark))
    return COLOUR.sub(lambda match: colours.variable(match[0], next(others)), light)


def _differ(light: object, dark: object) -> Any:
    raise ValueError(
        f"The figure of a chart is the same on light and on dark apart from its colours; got {light!r} and "
        f"{dark!r}. Let charts/plotly draw both alike."
    )
