"""The style sheet of drawn charts: what all share, and which words show at which width."""

from charts.plotly.words import DESK_FROM, MAP_WIDTHS, NARROW, ROOMY

_PHONE, _TABLET, _DESK = (kind for kind, _ in MAP_WIDTHS)


def _only(kind: str) -> str:
    others = ",".join(f".chart-svg .{other}" for other, _ in MAP_WIDTHS if other != kind)
    return f"{others}{{display:none}}.chart-svg .{kind}{{display:inline}}"


def _measured(kind: str) -> str:
    """Return height, margins and plot of a drawing as those for one width, wide or narrow."""
    return ";".join(f"--{side}:var(--{kind}{side})" for side in "hltsp") + ";height:var(--h)"


STYLE = (
    ".chart-svg{position:relative;container-type:inline-size;pointer-events:none;user-select:none}"
    f".chart-svg>div{{position:relative;{_measured('w')}}}"
    ".chart-svg>div>svg{position:absolute;overflow:visible;stroke-miterlimit:2;"
    "left:var(--l);top:var(--t);width:calc(100% - var(--s));height:var(--p)}"
    ".chart-svg .narrow{display:none}"
    ".chart-svg path{vector-effect:non-scaling-stroke}"
    ".chart-svg .crisp{shape-rendering:crispEdges}"
    ".chart-svg text{white-space:pre}"
    ".chart-svg .xticks{text-anchor:middle}"
    ".chart-svg .yticks{text-anchor:end}"
    ".chart-svg .marks>*{opacity:var(--o);overflow:visible}"
    f".chart-svg .halo{{text-shadow:{','.join(['0 0 3px var(--halo)'] * 4)}}}"
    f".chart-svg :is(.{_PHONE},.{_TABLET}){{display:none}}"
    + "".join(
        f"@container (max-width:{most}px){{.to-{most}>div{{{_measured('n')}}}"
        f".to-{most} .wide{{display:none}}.to-{most} .narrow{{display:inline}}}}"
        for most in (NARROW, ROOMY)
    )
    + f"@container (max-width:{NARROW}px){{.chart-svg .wide-only{{display:none}}{_only(_PHONE)}}}"
    f"@container (min-width:{NARROW + 0.01}px) and (max-width:{DESK_FROM}px){{{_only(_TABLET)}}}"
)
"""CSS of the page, once: the words that show at a width are those that charts.plotly.STYLE shows there."""
