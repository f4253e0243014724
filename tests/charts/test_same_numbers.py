from itertools import pairwise
from typing import Any

import lxml.etree as etree
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from charts.chart import (
    Axis,
    Band,
    Bar,
    BarChart,
    Chart,
    Line,
    MapChart,
    MapChoice,
    MapPoint,
    Mark,
    Points,
    Span,
    Tick,
    XYChart,
)
from charts.colours import PALETTES, tile_of
from charts.layout import along
from charts.plotly import spec
from charts.svg import sized, svg
from charts.svg.scale import WIDE, plot_of
from tests.charts.powerpoint_examples import parts, single
from tests.charts.random_charts import charts, roles, texts
from tests.charts.svg import drawing


def described(mark: Mark) -> tuple[list[float], list[float]]:
    """The coordinates a renderer has to draw for a mark, a band as its outline."""
    match mark:
        case Band():
            return [*mark.x, *mark.x[::-1]], [*mark.high, *mark.low[::-1]]
        case Span():
            return [mark.x, mark.x], [mark.low, mark.high]
    return list(mark.x), list(mark.y)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(charts)
def test_every_mark_of_any_chart_is_drawn_in_its_numbers_and_order_by_all(chart: XYChart) -> None:
    check(chart)


def check(chart: Chart) -> None:
    """Check that a chart's page, wide and narrow, and its picture show its numbers: plotly draws the same figure."""
    page, figure = drawing.parsed(svg(chart)), spec(chart, size=(900, 400))
    plot = plot_of(figure["layout"], width=900)
    picture = drawing.parsed(sized(figure, width=900))
    for part, layout, width in (
        *((part, spec(chart)["layout"], None) for part in widths_of(page, chart)),
        (picture, figure["layout"], plot.width),
    ):
        high = plot_of(layout).height
        match chart:
            case XYChart():
                check_xy(chart, drawing.marks(part, width=width), high=high)
            case MapChart():
                check_map(chart, part, colours=drawing.light(page), high=high, wide=width or WIDE)
            case _ if chart.bars:
                check_bars(chart, part, wide=width or WIDE)


def widths_of(page: Any, chart: Chart) -> list[Any]:
    """Return what a page draws where it is wide and where it is narrow; bars are drawn twice."""
    if not isinstance(chart, BarChart):
        return [page]
    return [part for kind in ("wide", "narrow") for part in page.iter("g") if part.get("class") == kind]


def check_xy(chart: XYChart, drawn: Any, *, high: float) -> None:
    """Check that every mark is drawn where the data are, in order, as far as they are within the plot."""
    for mark in chart.marks:
        x, y = described(mark)
        places = np.stack([along(chart.x, x), (1 - along(chart.y, y)) * high], axis=1)
        kind, runs = next(drawn)
        assert kind == {Points: "markers", Line: "line", Band: "area", Span: "line"}[type(mark)]
        if isinstance(mark, Points):
            wanted, result = (those[_within(those, high)] for those in (places, runs[0]))
            assert wanted.shape == result.shape
            assert np.abs((wanted - result) * (1200, 1)).max(initial=0.0) < 0.01  # px
        elif len(places) > 1:
            (run,) = runs
            assert drawing.farthest(places[_within(places, high)] * (1200, 1), run * (1200, 1)) < 0.12
            corners = run[_within(run, high)]
            assert all(np.abs((places - corner) * (1200, 1)).max(axis=1).min() < 0.02 for corner in corners)
        if isinstance(mark, Span):
            assert next(drawn)[0] == "markers"
    assert next(drawn, None) is None


def _within(places: Any, high: float) -> Any:
    """Return which places lie within the plot, those on its very edge aside, shape (n,)."""
    x, y = places.T
    return (x > 1e-4) & (x < 1 - 1e-4) & (y > 0.1) & (y < high - 0.1)


bars = st.builds(
    Bar,
    label=texts,
    value=st.floats(0.5, 10),
    text=st.just("2x"),
    role=roles,
    low=st.none() | st.floats(0.1, 10),  # a percentile bootstrap may leave the value out of its interval
    high=st.none() | st.floats(10, 20),
    emphasised=st.booleans(),
    start=st.none() | st.floats(0.2, 18),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(bars, min_size=1, max_size=8))
def test_every_bar_and_whisker_ends_where_the_description_says_in_all(rows: list[Bar]) -> None:
    axis = Axis(title="", low=0, high=20, ticks=())
    chart = BarChart(title="t", subtitle="", alt="", source="", x=axis, base=1, bars=tuple(rows))
    check(chart)


def whiskers_of(chart: BarChart) -> Any:
    """Return low and high end of each whisker, shape (n, 2), none where there is no interval, not even caps.

    That of a dot with a start of its own joins the two.
    """
    ends = []
    for bar in chart.bars:
        if chart.dots and bar.start is not None:
            ends.append(sorted((bar.start, bar.value)))
        elif bar.low is not None or bar.high is not None:
            ends.append([bar.value if end is None else end for end in (bar.low, bar.high)])
    return np.array(ends, dtype=float).reshape(-1, 2)


def check_bars(chart: BarChart, part: Any, *, wide: float) -> None:
    """Check that bars or dots and whiskers end where the description says, within the axis or at its edge."""
    look = [(path.attrib["style"], path.attrib["d"]) for path in part.iter("path")]
    shares = {"rtol": 0, "atol": 1e-5}
    if chart.dots:
        assert not [data for style, data in look if "fill:none" not in style]
        seen = [bar for bar in chart.bars if not bar.absent]
        starts = [bar.start for bar in seen if bar.start is not None]
        for hollow, values in ((False, [bar.value for bar in seen]), (True, starts)):
            groups = [g for g in part.iter("g") if g.get("class") == "marks"]
            stamps = [dot for g in groups if (";stroke:" in g.attrib["style"]) == hollow for dot in g]
            stamps.sort(key=lambda dot: float(dot.attrib["cy"]))
            places = [float(dot.attrib["cx"].removesuffix("%")) for dot in stamps]
            drawn = np.array(places) / (wide if wide != WIDE else 100)
            np.testing.assert_allclose(drawn, along(chart.x, values), rtol=0, atol=2e-5)
    else:
        bars = [data for style, data in look if "fill:none" not in style]
        for bar, data in zip(chart.bars, bars, strict=True):
            ends = (float(data[1:].split()[0]), float(data.split("H")[1].split("V")[0]))
            start = chart.base if bar.start is None else bar.start
            np.testing.assert_allclose(np.array(ends) / wide, _held(chart, (start, bar.value)), **shares)
    ends = whiskers_of(chart)
    whiskers = [data.split("M")[1:] for style, data in look if "fill:none" in style]
    assert len(whiskers) == (0 if not len(ends) else 1 if chart.dots else 2)  # bars: a halo and the whisker
    for drawn in whiskers:
        places = [(float(one.split("H")[1].split("m")[0]), float(one.split()[0])) for one in drawn]
        wanted = np.stack([_held(chart, side) for side in ends.T], axis=1)
        np.testing.assert_allclose(np.array(places) / wide, wanted, **shares)


def _held(chart: BarChart, values: Any) -> Any:
    """Return how far along the axis values stand, held near it: what a log axis cannot show lies far to the left."""
    return np.clip(np.nan_to_num(along(chart.x, values), nan=-0.5), -0.5, 1.5)


def test_dots_and_their_whiskers_stand_at_the_values_in_all(dots: BarChart) -> None:
    check(dots)
    shapes = drawn_shapes(single(dots), "Dot: ")
    assert sorted(shapes) == sorted(bar.label for bar in dots.bars if not bar.absent)
    seen = [bar for bar in dots.bars if not bar.absent]
    middles, values = [shapes[bar.label] for bar in seen], [bar.value for bar in seen]
    steps = np.diff(middles) / np.diff(along(dots.x, values))
    np.testing.assert_allclose(steps, steps[0], rtol=0.01)  # evenly along the log axis


def drawn_shapes(file: bytes, name: str) -> dict[str, float]:
    """Return how far across the chart, of its width, the middle of each shape of that name stands."""
    result = {}
    for path, part in parts(file).items():
        if "drawings/drawing" in path and path.endswith(".xml"):
            for anchor in etree.fromstring(part):
                (said,) = anchor.iter("{*}cNvPr")
                if said.get("name").startswith(name):
                    across = [float(end.findtext("{*}x")) for end in (anchor[0], anchor[1])]
                    result[said.get("name").removeprefix(name)] = sum(across) / 2
    return result


@st.composite
def maps(draw_from: st.DrawFn) -> MapChart:
    n, m = draw_from(st.integers(1, 8)), draw_from(st.integers(1, 8))
    one = st.tuples(roles, st.integers(0, 4), st.booleans())
    looks = draw_from(st.lists(one, min_size=1, max_size=6, unique_by=lambda look: look[:2]))
    pairs = [(draw_from(texts), look) for look in looks]
    choices = tuple(MapChoice(label=label, role=r, tone=t, hatched=h) for label, (r, t, h) in pairs)
    row = st.lists(st.integers(-1, len(choices) - 1), min_size=n, max_size=n).map(tuple)
    x = np.geomspace(1e9, 1e12, n + 1) if draw_from(st.booleans()) else np.linspace(1e9, 1e12, n + 1)
    return MapChart(
        title=draw_from(texts),
        subtitle="",
        alt="",
        source="",
        x=Axis(title="x", scale="log", low=1e9, high=2e12, ticks=(Tick(value=1e10, label="10 billion"),)),
        y=Axis(title="", low=-1, high=11, ticks=()),
        x_edges=tuple(x.tolist()),
        y_edges=tuple(np.linspace(0, 10, m + 1).tolist()),
        choices=choices,
        cells=tuple(draw_from(st.lists(row, min_size=m, max_size=m))),
        marked=draw_from(st.none() | st.just(MapPoint(x=5e10, y=4.0, label="this work"))),
    )


def check_map(chart: MapChart, root: Any, *, colours: dict[str, str], high: float, wide: float) -> None:
    """Check that each cell has the colour of its choice, and that those without a choice have none."""
    middles = [
        (float(along(chart.x, [x])[0]), float(1 - along(chart.y, [y])[0]) * high)
        for y in (np.array(chart.y_edges[1:]) + np.array(chart.y_edges[:-1])) / 2
        for x in np.sqrt(np.array(chart.x_edges[1:]) * np.array(chart.x_edges[:-1]))
    ]
    cells = np.array(chart.cells).ravel()
    crisp = [e.attrib for e in root.iter("path") if "shape-rendering" in e.attrib]
    fills = [e["style"].removeprefix("fill:") for e in crisp]
    paths = [drawing.polylines(e["d"], wide=wide) for e in crisp]
    drawn = {colours.get(fill, fill): path for fill, path in zip(fills, paths, strict=True)}
    assert len(drawn) == len(set(cells.tolist()) - {-1})
    for number, choice in enumerate(chart.choices):
        loops = drawn.get(tile_of(choice, PALETTES["light"]).fill, [])
        inside = [times_around(loops, place) for place in middles]
        np.testing.assert_array_equal(np.abs(inside), cells == number)


def times_around(loops: Any, place: tuple[float, float]) -> int:
    """How often loops along the grid run around a place."""
    x, y = place
    return sum(
        (1 if y1 > y0 else -1)
        for corners in loops
        for (x0, y0), (x1, y1) in pairwise(corners)
        if x0 == x1 and x0 > x and min(y0, y1) < y < max(y0, y1)
    )


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(maps())
def test_every_cell_of_any_map_shows_its_choice_in_its_colour_in_all(chart: MapChart) -> None:
    check(chart)
