"""What a figure may hold; anything else is refused by name."""

import copy
from typing import Any

import pytest

from charts.chart import Chart
from charts.plotly import shaped, spec
from charts.svg.both import Colours, together
from charts.svg.dialect import check


@pytest.fixture
def figure(xy_chart: Chart) -> dict[str, Any]:
    return copy.deepcopy(shaped(together(spec(xy_chart), spec(xy_chart), colours=Colours()), width=1200))


@pytest.mark.parametrize("kind", ["xy_chart", "bar_chart", "map_chart", "tornado", "dots"])
def test_every_kind_of_chart_is_known(kind: str, request: pytest.FixtureRequest) -> None:
    chart = request.getfixturevalue(kind)
    figure = together(spec(chart), spec(chart), colours=Colours())
    for width in (322, 1200):
        check(shaped(figure, width=width))


def test_a_kind_of_trace_a_look_and_a_layout_it_does_not_know_are_refused_by_name(
    figure: dict[str, Any],
) -> None:
    points = next(n for n, trace in enumerate(figure["data"]) if trace["mode"] == "markers")
    changes: list[tuple[tuple[Any, ...], Any, str]] = [
        (("frames",), [], "figure has 'frames'"),
        (("data", 0, "type"), "violin", "trace 0 has type 'violin'"),
        (("data", 0, "yaxis"), "y2", "trace 0 (scatter) has 'yaxis'"),
        (("data", 0, "mode"), "text", "trace 0 (scatter).mode has 'text'"),
        (("data", points, "marker", "symbol"), "star", f"trace {points} (scatter).marker.symbol has 'star'"),
        (("data", points, "marker", "gradient"), {}, f"trace {points} (scatter).marker has 'gradient'"),
        (("data", 0, "fill"), "tozeroy", "trace 0 (scatter).fill has 'tozeroy'"),
        (("data", 0, "line", "dash"), "dash", "trace 0 (scatter).line.dash has 'dash'"),
        (("layout", "images"), [], "layout has 'images'"),
        (("layout", "xaxis", "type"), "date", "layout.xaxis.type has 'date'"),
        (("layout", "yaxis", "tickangle"), 45, "layout.yaxis.tickangle has 45"),
        (("layout", "annotations", 0, "showarrow"), True, "layout.annotations[0].showarrow has True"),
        (("layout", "shapes"), [{"type": "rect"}], "layout.shapes[0].type has 'rect'"),
    ]
    for path, value, said in changes:
        changed = copy.deepcopy(figure)
        inner = changed
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = value
        with pytest.raises(ValueError) as refused:
            check(changed)
        assert str(refused.value) == f"{said}, which charts/svg does not know how to draw. Teach it there."
