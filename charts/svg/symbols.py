"""The shapes of markers, as plotly draws them."""

import math

from charts.svg.scale import number


def outline(shape: str, radius: float) -> str:
    """Return the path data of a marker around the origin; ``shape`` is plotly's name of it.

    Raises KeyError for a shape that is not known.
    """
    wide, third = _short(radius * 1.3), _short(radius * 2 / math.sqrt(3))
    half, whole, flat = _short(radius / 2), _short(radius), _short(radius * 1.4)
    arm = _short(radius * 0.8 / math.sqrt(2))
    cross = "".join(
        f"l{x}{arm} {y}{arm}"
        for x, y in (
            *(("", ""), ("", "-"), ("-", "-"), ("", "-"), ("-", "-"), ("-", "")),
            *(("-", "-"), ("-", ""), ("", ""), ("-", ""), ("", "")),
        )
    )
    return {
        "circle": f"M{whole} 0A{whole} {whole} 0 1 1 0-{whole}A{whole} {whole} 0 0 1 {whole} 0Z",
        "square": f"M{whole} {whole}H-{whole}V-{whole}H{whole}Z",
        "diamond": f"M{wide} 0L0 {wide}L-{wide} 0L0-{wide}Z",
        "triangle-up": f"M-{third} {half}H{third}L0-{whole}Z",
        "x": f"M0 {arm}{cross}Z",
        "line-ew": f"M{flat} 0H-{flat}",
    }[shape]


def _short(value: float) -> str:
    return number(value)
