"""One figure for light and dark themes. Every colour that differs is a CSS variable."""

import re
from collections.abc import Mapping
from typing import Any

COLOUR = re.compile(r"#[0-9a-f]{6}\b|rgba?\([0-9., ]+\)|var\(--c[0-9]+\)")
_UNSEEN = frozenset({"hoverinfo", "hoverlabel", "hovertemplate", "hovertext", "meta", "modebar"})


class Colours:
    """Pairs of colours in a chart. The drawing refers to each pair by a variable, from ``var(--c0)`` on."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], str] = {}

    def variable(self, light: str, dark: str) -> str:
        """Return the CSS expression for this pair of colours."""
        return f"var({self._names.setdefault((light, dark), f'--c{len(self._names)}')})"

    def css(self) -> str:
        """Return the declarations of all variables requested so far."""
        pairs = self._names.items()
        return ";".join(f"{name}:light-dark({light},{dark})" for (light, dark), name in pairs)


def combined(figure: Any, *, colours: Colours) -> Any:
    """Return one figure for both themes, with variables for colours that differ.

    Hover texts are omitted. Raises ValueError if anything except colours differs.
    """
    match figure:
        case {"$": [light, dark]}:
            return _mixed(light, dark, colours=colours)
        case Mapping():
            return {
                key: combined(value, colours=colours) for key, value in figure.items() if key not in _UNSEEN
            }
        case list():
            return [combined(value, colours=colours) for value in figure]
    return figure


def _mixed(light: Any, dark: Any, *, colours: Colours) -> str:
    words = [COLOUR.split(theme) if isinstance(theme, str) else [theme] for theme in (light, dark)]
    if words[0] != words[1]:
        raise ValueError(
            f"The figure of a chart is the same on light and on dark apart from its colours; got {light!r} and "
            f"{dark!r}. Let charts/plotly draw both alike."
        )
    others = iter(COLOUR.findall(dark))
    return COLOUR.sub(lambda match: colours.variable(match[0], next(others)), light)
