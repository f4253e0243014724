"""The mark of the product: two lines that part, compute above memory, as SVG and as points for other renderers."""

from charts.chart import Role
from charts.colours import PALETTES, Theme

SIDE = 32.0
"""Width and height of the box the mark stands in."""
WIDTH = 5.0
"""Width of a line, with round ends."""
LINES: dict[Role, tuple[tuple[float, float], tuple[float, float]]] = {
    "memory": ((5.0, 24.5), (27.0, 20.5)),
    "compute": ((5.0, 24.5), (25.5, 6.0)),
}
"""From where to where each line goes, by its role; y grows downwards. The one drawn last lies above."""


def svg(theme: Theme | None = None, *, alone: bool = False) -> str:
    """Return the mark as an SVG element; without a theme it is light or dark as the place it stands in.

    ``alone`` makes it a document of its own, which is light or dark as the reader's system.
    """
    own = ' xmlns="http://www.w3.org/2000/svg" style="color-scheme:light dark"' if alone else ""
    return f'<svg{own} class="mark" viewBox="0 0 {SIDE:g} {SIDE:g}" aria-hidden="true">{drawn(theme)}</svg>'


def drawn(theme: Theme | None) -> str:
    """Return the lines of the mark as an SVG group, in its own box."""
    lines = ""
    for role, ((x, y), (end_x, end_y)) in LINES.items():
        light, dark = (PALETTES[palette].mark[role] for palette in ("light", "dark"))
        both = f' style="stroke:light-dark({light},{dark})"' if theme is None else ""
        stroke = PALETTES[theme or "light"].mark[role]
        lines += f'<path stroke="{stroke}"{both} d="M{x:g} {y:g}L{end_x:g} {end_y:g}"/>'
    return f'<g fill="none" stroke-width="{WIDTH:g}" stroke-linecap="round">{lines}</g>'
