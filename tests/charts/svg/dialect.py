"""What of plotly's figures charts/svg draws: whatever else a figure says has to be taught there first."""

from collections.abc import Iterator, Mapping
from typing import Any

_FONT = "font.family font.size font.color"
_PLACE = "text xshift yshift xref yref xanchor yanchor x y showarrow align opacity"
_AXIS = (
    "type range autorange tickmode tickangle automargin zeroline ticks title.text title.standoff title.font.size "
    "tickfont.color tickfont.family tickvals ticktext fixedrange linecolor tickcolor ticklen showline showgrid "
    "gridcolor"
)
KNOWN = {
    "scatter": "type name x y text textposition fillcolor opacity mode cliponaxis fill line.color line.width line.dash "
    "textfont.family textfont.size textfont.color textfont.shadow marker.size marker.color marker.opacity "
    "marker.symbol marker.line.color marker.line.width fillpattern.shape fillpattern.fgcolor fillpattern.bgcolor "
    "fillpattern.size fillpattern.solidity error_x.type error_x.symmetric error_x.array error_x.arrayminus "
    "error_x.color error_x.thickness error_x.width",
    "bar": "type x y base width orientation marker.color marker.line.width",
    "heatmap": "type x y z zmin zmax colorscale text showscale zsmooth hoverongaps",
    "layout": "template autosize showlegend paper_bgcolor plot_bgcolor margin.l margin.r margin.t margin.b margin.pad "
    f"height dragmode hovermode {_FONT} shapes annotations "
    + " ".join(f"{axis}.{name}" for axis in ("xaxis", "yaxis") for name in _AXIS.split()),
    "shapes": "type yref y0 y1 x0 x1 layer line.color line.width line.dash",
    "annotations": f"{_PLACE} {_FONT}",
}
_SHAPES = ("circle", "square", "diamond", "triangle-up", "x")
ONLY: dict[str, tuple[Any, ...]] = {
    "scatter.mode": ("markers", "markers+text", "lines", "lines+markers"),
    "scatter.marker.symbol": (*_SHAPES, *(f"{shape}-open" for shape in _SHAPES), "line-ew"),
    "scatter.line.dash": ("solid", "2px,4px"),
    "scatter.fill": ("toself",),
    "scatter.fillpattern.shape": ("/",),
    "scatter.cliponaxis": (False,),
    "scatter.error_x.type": ("data",),
    "scatter.error_x.symmetric": (False,),
    "bar.orientation": ("h",),
    "bar.marker.line.width": (0,),
    "heatmap.showscale": (False,),
    "heatmap.zsmooth": (False,),
    "shapes.type": ("line",),
    "shapes.yref": ("paper",),
    "shapes.layer": ("between",),
    "annotations.xanchor": ("left",),
    "annotations.yanchor": ("top", "bottom"),
    "annotations.showarrow": (False,),
    "layout.xaxis.tickangle": (0,),
    "layout.yaxis.tickangle": (0,),
    "layout.xaxis.type": ("linear", "log"),
    "layout.yaxis.type": ("linear", "log"),
    "layout.showlegend": (False,),
}
"""What may stand at these places; elsewhere anything."""
_UNSEEN = ("hoverinfo", "hoverlabel", "hovertemplate", "hovertext", "modebar")


def unknown(figure: Mapping[str, Any]) -> list[str]:
    """Return what a figure says that charts/svg does not know how to draw."""
    layout = figure["layout"]
    parts = [("layout", layout), *((trace["type"], trace) for trace in figure["data"])]
    parts += [(name, item) for name in ("shapes", "annotations") for item in layout.get(name, ())]
    return [
        f"{kind}.{path} = {value!r}"
        for kind, part in parts
        for path, value in _flat(part)
        if path not in KNOWN.get(kind, "").split() or value not in ONLY.get(f"{kind}.{path}", (value,))
    ]


def _flat(part: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in part.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}.") if name not in _UNSEEN else ()
        elif name not in _UNSEEN:
            yield f"{above}{name}", value if isinstance(value, str | int | float | bool) else "…"
