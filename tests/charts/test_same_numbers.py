"""Plotly, SVG and pictures draw the numbers of the description, whatever the chart."""

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
from charts.plotly import figure, spec
from charts.svg import sized, svg
from charts.svg.scale import WIDE, plot_of
from tests.charts.powerpoint_examples import parts, single
from tests.charts.random_charts import charts, roles, texts
from tests.charts.svg import drawing


def traces_of(chart: Chart) -> Any:
    return figure(chart).data


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
    """Check that page, first paint and picture of a chart show its numbers."""
    match chart:
        case XYChart():
            check_xy(chart)
        case MapChart():
            check_map(chart)
        case _ if chart.dots:
            check_dots(chart)
        case _ if chart.bars:
            check_bars(chart)


def check_xy(chart: XYChart) -> None:
    check_svg(chart)
    traces = traces_of(chart)
    assert len(traces) >= len(chart.marks)
    for number, mark in enumerate(chart.marks):
        x, y = described(mark)
        np.testing.assert_allclose(np.asarray(traces[number].x, dtype=float), x, rtol=1e-9)
        np.testing.assert_allclose(np.asarray(traces[number].y, dtype=float), y, rtol=1e-9)


def check_svg(chart: XYChart) -> None:
    """Check that page and picture draw every mark where the data are, in order, as far as they are within the plot."""
    check_drawn(chart, drawing.marks(drawing.parsed(svg(chart))), high=plot_of(spec(chart)["layout"]).height)
    figure = spec(chart, size=(900, 400))
    plot = plot_of(figure["layout"], width=900)
    drawn = drawing.marks(drawing.parsed(sized(figure, width=900)), width=plot.width)
    check_drawn(chart, drawn, high=plot.height)


def check_drawn(chart: XYChart, drawn: Any, *, high: float) -> None:
    for mark in chart.marks:
        x, y = described(mark)
        places = np.stack([along(chart.x, x), (1 - along(chart.y, y)) * high], axis=1)
        kind, runs = next(drawn)
        assert kind == {Points: "markers", Line: "line", Band: "area", Span: "line"}[type(mark)]
        if isinstance(mark, Points):
            wanted, found = (those[_within(those, high)] for those in (places, runs[0]))
            assert wanted.shape == found.shape
            assert np.abs((wanted - found) * (1200, 1)).max(initial=0.0) < 0.01  # px
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
    check_bars(chart)
    lows, highs = whiskers_of(chart)
    check_svg_bars(chart, lows=lows[shown := np.isfinite(lows)], highs=highs[shown])


def whiskers_of(chart: BarChart) -> tuple[Any, Any]:
    """Return the ends of the whiskers, shapes (n,): nan without an interval, where not even caps are drawn."""
    ends = [(bar.value, bar.low, bar.high) for bar in chart.bars]
    without = [low is None and high is None for _, low, high in ends]
    lows = np.array([value if low is None else low for value, low, _ in ends], dtype=float)
    highs = np.array([value if high is None else high for value, _, high in ends], dtype=float)
    lows[without] = highs[without] = np.nan
    return lows, highs


def check_bars(chart: BarChart) -> None:
    values = [bar.value for bar in chart.bars]
    starts = [chart.base if bar.start is None else bar.start for bar in chart.bars]
    lows, highs = whiskers_of(chart)
    bars, reach, *_ = traces_of(chart)
    x, base = np.asarray(bars.x, dtype=float), np.asarray(bars.base, dtype=float)
    np.testing.assert_allclose(x + base, values, rtol=1e-9)
    np.testing.assert_allclose(base, starts, rtol=1e-9)
    assert list(reach.y) == np.flatnonzero(np.isfinite(lows)).tolist()
    x = np.asarray(reach.x, dtype=float)
    np.testing.assert_allclose(x + reach.error_x.array, highs[np.isfinite(highs)], rtol=1e-9)
    np.testing.assert_allclose(x - reach.error_x.arrayminus, lows[np.isfinite(lows)], rtol=1e-9)


def check_svg_bars(chart: BarChart, *, lows: Any, highs: Any) -> None:
    """Check that bars and whiskers of the SVG end where the description says, within the axis or at its edge."""
    for kind in ("wide", "narrow"):
        (drawn,) = (part for part in drawing.parsed(svg(chart)).iter("g") if kind in part.get("class", ""))
        check_bars_in(drawn, chart, lows=lows, highs=highs)


def check_bars_in(part: Any, chart: BarChart, *, lows: Any, highs: Any) -> None:
    elements = [e.attrib for e in part.iter("path")]
    bars = [e["d"] for e in elements if "fill:var" in e["style"]]
    starts = [1.0 if bar.start is None else bar.start for bar in chart.bars]
    for bar, start, data in zip(chart.bars, starts, bars, strict=True):
        left, right = (float(data[1:].split()[0]), float(data.split("H")[1].split("V")[0]))
        np.testing.assert_allclose((left, right), along(chart.x, (start, bar.value)) * WIDE, atol=1)
    whiskers = [e["d"].split("M")[1:] for e in elements if "fill:none" in e["style"]]
    assert len(whiskers) == (2 if len(lows) else 0)  # the halo and the whisker
    for drawn in whiskers:
        ends = [(float(one.split("H")[1].split("m")[0]), float(one.split()[0])) for one in drawn]
        wanted = np.stack([along(chart.x, lows), along(chart.x, highs)], axis=1)
        np.testing.assert_allclose(ends, wanted * WIDE, atol=1)


def check_dots(chart: BarChart) -> None:
    """Check that a dot, and the hollow one of a start, stand at the values of their rows."""
    seen = [(row, bar) for row, bar in enumerate(chart.bars) if not bar.absent]
    values = {row: bar.value for row, bar in seen}
    starts = {row: bar.start for row, bar in seen if bar.start is not None}
    for width in (322, 1200):
        traces: Any = figure(chart, width=width).data
        dots = [t for t in traces if t.mode == "markers" and t.marker.opacity != 0]
        for hollow, places in ((True, starts), (False, values)):
            group = [t for t in dots if bool(t.marker.line.width) == hollow]
            assert {y: x for t in group for x, y in zip(t.x, t.y, strict=True)} == places
        assert not any(t.type == "bar" for t in traces)


def test_dots_and_their_whiskers_stand_at_the_values_in_all(dots: BarChart) -> None:
    check_dots(dots)
    values = [bar.value for bar in dots.bars if not bar.absent]
    ends = [(bar.low or 0.0, bar.high or 0.0) for bar in dots.bars if bar.low is not None]
    (reach,) = (t for t in traces_of(dots) if t.error_x.array is not None)
    x = np.asarray(reach.x, dtype=float)
    np.testing.assert_allclose(x - reach.error_x.arrayminus, [low for low, _ in ends])
    np.testing.assert_allclose(x + reach.error_x.array, [high for _, high in ends])
    for kind in ("wide", "narrow"):
        (part,) = (p for p in drawing.parsed(svg(dots)).iter("g") if kind in p.get("class", ""))
        shares = [float(dot.attrib["cx"][:-1]) / 100 for dot in part.iter("circle")]
        np.testing.assert_allclose(sorted(shares), along(dots.x, values), atol=1e-4)
    shapes = drawn_shapes(single(dots), "Dot: ")
    assert sorted(shapes) == sorted(bar.label for bar in dots.bars if not bar.absent)
    middles = [shapes[bar.label] for bar in dots.bars if not bar.absent]
    steps = np.diff(middles) / np.diff(along(dots.x, values))
    np.testing.assert_allclose(steps, steps[0], rtol=0.01)  # evenly along the log axis


def drawn_shapes(file: bytes, name: str) -> dict[str, float]:
    """Return how far across the chart, of its width, the middle of each shape of that name stands."""
    found = {}
    for path, part in parts(file).items():
        if "drawings/drawing" in path and path.endswith(".xml"):
            for anchor in etree.fromstring(part):
                (said,) = anchor.iter("{*}cNvPr")
                if said.get("name").startswith(name):
                    across = [float(end.findtext("{*}x")) for end in (anchor[0], anchor[1])]
                    found[said.get("name").removeprefix(name)] = sum(across) / 2
    return found


@st.composite
def maps(draw_from: st.DrawFn) -> MapChart:
    n, m = draw_from(st.integers(1, 8)), draw_from(st.integers(1, 8))
    looks = draw_from(
        st.lists(
            st.tuples(roles, st.integers(0, 4), st.booleans()),
            min_size=1,
            max_size=6,
            unique_by=lambda look: look[:2],
        )
    )
    choices = tuple(
        MapChoice(label=draw_from(texts), role=role, tone=tone, hatched=hatched)
        for role, tone, hatched in looks
    )
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


def check_map(chart: MapChart) -> None:
    """Check cell by cell that page, its first paint and picture show the same choice in the same colour."""
    tiles = [tile_of(choice, PALETTES["light"]) for choice in chart.choices]
    shown: Any = traces_of(chart)[0]
    assert list(shown.x) == list(chart.x_edges) and list(shown.y) == list(chart.y_edges)
    z = np.asarray(shown.z, dtype=float)
    np.testing.assert_array_equal(np.where(np.isnan(z), -1, z), chart.cells)
    colours = [colour for _, colour in shown.colorscale]
    assert [colour.lower() for colour in colours[::2]] == [tile.fill for tile in tiles]
    middles = [
        (float(x), float(y))
        for y in (np.array(chart.y_edges[1:]) + np.array(chart.y_edges[:-1])) / 2
        for x in np.sqrt(np.array(chart.x_edges[1:]) * np.array(chart.x_edges[:-1]))
    ]
    cells = np.array(chart.cells).ravel()
    check_svg_map(chart, middles=middles, cells=cells)


def check_svg_map(chart: MapChart, *, middles: list[tuple[float, float]], cells: Any) -> None:
    """Check that the SVG fills each cell with the colour of its choice, and the cells without one with none."""
    root = drawing.parsed(svg(chart))
    layout = spec(chart)["layout"]
    high = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
    colours = drawing.light(root)
    crisp = [e.attrib for e in root.iter("path") if "shape-rendering" in e.attrib]
    drawn = {colours[e["style"].removeprefix("fill:")]: drawing.polylines(e["d"]) for e in crisp}
    places = [(float(along(chart.x, [x])[0]), float(1 - along(chart.y, [y])[0]) * high) for x, y in middles]
    assert len(drawn) == len(set(cells.tolist()) - {-1})
    for number, choice in enumerate(chart.choices):
        loops = drawn.get(tile_of(choice, PALETTES["light"]).fill, [])
        inside = [times_around(loops, place) for place in places]
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
    check_map(chart)
