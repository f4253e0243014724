from itertools import pairwise
from typing import cast

import lxml.etree as etree
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from charts.chart import Axis, Line, Tick, XYChart
from charts.labels import sampled
from charts.layout import LEAST_TOUCH
from tests.charts.powerpoint_examples import (
    cached,
    chart_of,
    growth_chart,
    parts,
    place_of,
    series_of,
    shapes_of,
    single,
)

EMU_PER_POINT = 12_700
Box = tuple[float, float, float, float]


def drawn(file: bytes) -> tuple[dict[str, Box], dict[str, np.ndarray]]:
    """Return the boxes of the words at line ends, and the path of every series that is a line. [pt]"""
    size = etree.fromstring(parts(file)["ppt/slides/slide1.xml"]).find(".//{*}graphicFrame/{*}xfrm/{*}ext")
    scale = np.array([int(size.get("cx")), int(size.get("cy"))]) / EMU_PER_POINT
    chart = chart_of(file)
    layout = chart.find(".//{*}plotArea/{*}layout/{*}manualLayout")
    left, top, width, height = (float(layout.find(f"{{*}}{side}").get("val")) for side in "xywh")
    axes = chart.findall(".//{*}valAx")
    paths = {}
    for name, series in series_of(file).items():
        x, y = cached(series, "xVal"), cached(series, "yVal")
        if series.find("{*}spPr/{*}ln/{*}noFill") is not None or name.endswith("(fill)") or len(x) < 2:
            continue
        across, up = _along(axes[0], x), _along(axes[1], y)
        shown = np.stack([left + width * across, top + height * (1 - np.clip(up, 0, 1))], axis=1)
        paths[name] = sampled(shown * scale)
    boxes = {
        name.removeprefix("End of line: "): cast(Box, tuple(np.array(place_of(shape)) * np.tile(scale, 2)))
        for name, shape in shapes_of(file).items()
        if name.startswith("End of line: ")
    }
    return boxes, paths


def _along(axis: etree._Element, values: list[float]) -> np.ndarray:
    low, high = (float(axis.find(f"{{*}}scaling/{{*}}{end}").get("val")) for end in ("min", "max"))
    if axis.find("{*}scaling/{*}logBase") is None:
        return (np.array(values) - low) / (high - low)
    return np.log(np.array(values) / low) / np.log(high / low)


def crossed(boxes: dict[str, Box], paths: dict[str, np.ndarray]) -> list[tuple[str, str]]:
    """Return the words that a line runs through, with the line."""
    return [
        (words, series)
        for words, (left, top, right, bottom) in boxes.items()
        for series, path in paths.items()
        for x, y in [path.T]
        if ((left < x) & (x < right) & (top + LEAST_TOUCH < y) & (y < bottom - LEAST_TOUCH)).any()
    ]


def overlapping(boxes: dict[str, Box]) -> list[tuple[str, str]]:
    """Return the words that lie on others."""
    ordered = sorted(boxes.items(), key=lambda item: item[1][1])
    return [
        (one, other)
        for (one, first), (other, second) in pairwise(ordered)
        if second[1] < first[3] - 0.1 and first[0] < second[2] and second[0] < first[2]
    ]


def _plot(lines: tuple[Line, ...]) -> XYChart:
    axis = Axis(title="", low=0, high=10, ticks=(Tick(value=0, label="0"), Tick(value=10, label="10")))
    return growth_chart(x=axis, y=axis, marks=lines)


_height = st.floats(min_value=0.0, max_value=10.0)


@st.composite
def _charts(draw: st.DrawFn) -> XYChart:
    lines = []
    for k in range(draw(st.integers(1, 5))):
        end = draw(st.floats(min_value=2.0, max_value=10.0))
        x = (0.0, end / 3, end)
        y = (draw(_height), draw(_height), draw(_height))
        lines.append(Line(series=f"s{k}", role="compute", x=x, y=y, end_label=(f"Chip {k}", "rate")))
    x, y = (0.0, draw(st.floats(1.0, 10.0))), (draw(_height), draw(_height))
    bare = Line(series="bare", role="context", x=x, y=y)
    return _plot((*lines, bare))


@settings(max_examples=40, deadline=None)
@given(chart=_charts())
def test_no_line_runs_through_words_at_the_end_of_another_and_no_words_lie_on_others(chart: XYChart) -> None:
    boxes, paths = drawn(single(chart))
    assert len(boxes) == len(chart.marks) - 1
    assert len(paths) >= len(chart.marks)
    assert not crossed(boxes, paths)
    assert not overlapping(boxes)


def test_line_ends_carry_their_words_to_the_left_the_first_line_bold() -> None:
    shape = shapes_of(single())["End of line: Compute per run"]
    lines = [("".join(p.itertext()), p.find(".//{*}rPr").get("b")) for p in shape.iter("{*}p")]
    assert lines == [("Compute per run", "1"), ("4.7× a year", "0")]
    assert {p.find("{*}pPr").get("algn") for p in shape.iter("{*}p")} == {"l"}


def test_a_line_that_leaves_the_plot_is_named_where_it_is_last_seen() -> None:
    far = Line(series="far", role="compute", x=(0.0, 2.0, 4.0), y=(1.0, 9.0, 1e30), end_label=("Far", "away"))
    boxes, paths = drawn(single(_plot((far,))))
    assert boxes["Far"][0] < paths["far"][-1][0] - 20
