"""What of plotly's figures can be drawn as SVG: anything else is refused, so that no mark goes missing."""

from collections.abc import Iterable, Mapping
from typing import Any

_ANY: Any = object()
_LINE = {"color": _ANY, "width": _ANY, "dash": ("solid", "2px,4px")}
SHAPES = ("circle", "square", "diamond", "triangle-up", "x", "line-ew")
_SYMBOLS = (*SHAPES, *(f"{shape}-open" for shape in SHAPES if shape != "line-ew"))
_FONT = {"family": _ANY, "size": _ANY, "color": _ANY}
_MODES = ("markers", "markers+text", "lines", "lines+markers")
_PATTERN = {"shape": ("/",), "fgcolor": _ANY, "bgcolor": _ANY, "size": _ANY, "solidity": _ANY}

_TRACES: dict[str, dict[str, Any]] = {
    "scatter": {
        **dict.fromkeys(("type", "name", "x", "y", "text", "textposition", "fillcolor", "opacity"), _ANY),
        "mode": _MODES,
        "textfont": _FONT | {"shadow": _ANY},
        "marker": {
            **dict.fromkeys(("size", "color", "opacity"), _ANY),
            "symbol": _SYMBOLS,
            "line": {"color": _ANY, "width": _ANY},
        },
        "cliponaxis": (False,),
        "line": _LINE,
        "fill": ("toself",),
        "fillpattern": _PATTERN,
        "error_x": {
            "type": ("data",),
            "symmetric": (False,),
            **dict.fromkeys(("array", "arrayminus", "color", "thickness", "width"), _ANY),
        },
    },
    "bar": {
        **dict.fromkeys(("type", "x", "y", "base", "width"), _ANY),
        "orientation": ("h",),
        "marker": {"color": _ANY, "line": {"width": (0,)}},
    },
    "heatmap": {
        **dict.fromkeys(("type", "x", "y", "z", "zmin", "zmax", "colorscale", "text"), _ANY),
        "showscale": (False,),
        "zsmooth": (False,),
        "hoverongaps": _ANY,
    },
}
_AXIS = {
    "type": ("linear", "log"),
    "autorange": (False,),
    "tickmode": ("array",),
    "tickangle": (0,),
    "automargin": (False,),
    "zeroline": (False,),
    "ticks": ("outside", ""),
    "title": {"text": _ANY, "standoff": (8,), "font": {"size": _ANY}},
    "tickfont": {"color": _ANY, "family": _ANY},
    **dict.fromkeys(("range", "tickvals", "ticktext", "fixedrange", "linecolor", "tickcolor"), _ANY),
    **dict.fromkeys(("ticklen", "showline", "showgrid", "gridcolor"), _ANY),
}
_LAYOUT = {
    "template": ("none",),
    "autosize": (True,),
    "showlegend": (False,),
    "paper_bgcolor": ("rgba(0,0,0,0)",),
    "plot_bgcolor": ("rgba(0,0,0,0)",),
    "margin": {**dict.fromkeys("lrtb", _ANY), "pad": (0,)},
    "font": _FONT,
    "xaxis": _AXIS,
    "yaxis": _AXIS,
    **dict.fromkeys(("height", "dragmode", "hovermode", "shapes", "annotations"), _ANY),
}
_SHAPE = {
    **{"type": ("line",), "yref": ("paper",), "y0": (0,), "y1": (1,), "line": _LINE},
    **{"layer": ("between",), "x0": _ANY, "x1": _ANY},
}
_ANNOTATION = {
    **dict.fromkeys(("text", "xshift", "yshift", "opacity"), _ANY),
    **{"xref": ("paper",), "yref": ("paper",), "xanchor": ("left",), "yanchor": ("top", "bottom")},
    **{"x": (0,), "y": (0, 1), "showarrow": (False,), "align": ("left",)},
    "font": _FONT,
}


def check(figure: Mapping[str, Any]) -> None:
    """Raise ValueError where the figure says something that charts/svg does not know how to draw."""
    _check_keys(figure.keys() - {"data", "layout"}, where="figure")
    for number, trace in enumerate(figure["data"]):
        kind = trace.get("type")
        if kind not in _TRACES:
            _refuse(f"trace {number}", f"type {kind!r}")
        _check(trace, _TRACES[kind], where=f"trace {number} ({kind})")
    layout = figure["layout"]
    _check(layout, _LAYOUT, where="layout")
    for name, known in (("shapes", _SHAPE), ("annotations", _ANNOTATION)):
        for number, item in enumerate(layout.get(name, ())):
            _check(item, known, where=f"layout.{name}[{number}]")


def _check_keys(unknown: Iterable[str], *, where: str) -> None:
    for key in sorted(unknown):
        _refuse(where, repr(key))


def _check(given: Mapping[str, Any], known: Mapping[str, Any], *, where: str) -> None:
    _check_keys(given.keys() - known.keys(), where=where)
    for key, value in given.items():
        allowed = known[key]
        if isinstance(allowed, dict):
            _check(value, allowed, where=f"{where}.{key}")
        elif isinstance(allowed, tuple) and not any(value is one or value == one for one in allowed):
            _refuse(f"{where}.{key}", repr(value))


def _refuse(where: str, what: str) -> None:
    raise ValueError(f"{where} has {what}, which charts/svg does not know how to draw. Teach it there.")
