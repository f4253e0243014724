"""The product's logo, two diverging lines, as SVG and as points for other renderers."""

from charts.chart import Role
from charts.colours import PALETTES, Theme

SIDE = 32.0
"""Width and height of the logo's box, in its own units."""
WIDTH = 5.0
"""Width of a line with round ends, in the same units."""
LINES: dict[Role, tuple[tuple[float, float], tuple[float, float]]] = {
    "memory": ((5.0, 24.5), (27.0, 20.5)),
    "compute": ((5.0, 24.5), (25.5, 6.0)),
}
"""Start and end of each line, keyed by role, with y downwards. The last line is drawn on top."""


def svg(theme: Theme | None = None, *, alone: bool = False) -> str:
    """Return the logo as an SVG element. Without a theme, it follows the page's colour scheme.

    With ``alone`` it is a complete document that follows the system's colour scheme.
    """
    own = ' xmlns="http://www.w3.org/2000/svg" style="color-scheme:light dark"' if alone else ""
    return f'<svg{own} class="mark" viewBox="0 0 {SIDE:g} {SIDE:g}" aria-hidden="true">{drawn(theme)}</svg>'


def drawn(theme: Theme | None) -> str:
    """Return the lines of the logo as an SVG group, in the coordinates of its box."""
    lines = ""
    for role, ((x, y), (end_x, end_y)) in LINES.items():
        light, dark = (PALETTES[palette].mark[role] for palette in ("light", "dark"))
        both = f' style="stroke:light-dark({light},{dark})"' if theme is None else ""
        stroke = PALETTES[theme or "light"].mark[role]
        lines += f'<path stroke="{stroke}"{both} d="M{x:g} {y:g}L{end_x:g} {end_y:g}"/>'
    return f'<g fill="none" stroke-width="{WIDTH:g}" stroke-linecap="round">{lines}</g>'
