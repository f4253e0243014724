"""Charts of random marks, for the laws of every renderer."""

from typing import Any

from hypothesis import strategies as st

from charts.chart import Axis, Band, Line, Points, Span, Tick, XYChart
from charts.colours import ROLES

years = st.floats(1950, 2050)
amounts = st.floats(1e-9, 1e30, allow_nan=False)
roles = st.sampled_from(ROLES)
texts = st.text(max_size=12)


def columns(*kinds: Any, smallest: int = 1) -> st.SearchStrategy[list[tuple[Any, ...]]]:
    rows = st.lists(st.tuples(*kinds), min_size=smallest, max_size=8)
    return rows.map(lambda result: list(zip(*result, strict=True)))


@st.composite
def points(draw_from: st.DrawFn) -> Points:
    x, y, names = draw_from(columns(years, amounts, texts))
    marked = tuple((i, name) for i, name in enumerate(names[:3]))
    hollow = draw_from(st.booleans())
    details = tuple((name,) for name in names)
    of_points: Any = {"names": names, "details": details, "marked": marked, "hollow": hollow}
    return Points(series="points", role=draw_from(roles), x=x, y=y, **of_points)


@st.composite
def lines(draw_from: st.DrawFn) -> Line:
    x, y = draw_from(columns(years, amounts))
    dash, faded = draw_from(st.sampled_from(("solid", "dotted"))), draw_from(st.booleans())
    words = draw_from(st.sampled_from(((), ("End",), ("End", "2x a year"))))
    return Line(series="line", role=draw_from(roles), x=x, y=y, dash=dash, faded=faded, end_label=words)


@st.composite
def bands(draw_from: st.DrawFn) -> Band:
    x, low, high = draw_from(columns(years, amounts, amounts, smallest=2))
    return Band(series="band", role=draw_from(roles), strength="confidence", x=x, low=low, high=high)


spans = st.builds(Span, x=years, low=amounts, high=amounts, label=st.just(("gap", "5x")))
TICKS = (Tick(value=1, label="1"),)
LOG = Axis(title="y", scale="log", low=1e-9, high=1e30, ticks=TICKS)
y_axes = st.sampled_from((LOG, Axis(title="", scale="linear", low=-1, high=1e6, ticks=TICKS)))
charts = st.builds(
    XYChart,
    title=texts,
    subtitle=texts,
    alt=texts,
    source=texts,
    x=st.just(Axis(title="", low=1950, high=2060, ticks=())),
    y=y_axes,
    marks=st.lists(st.one_of(points(), lines(), bands(), spans), max_size=5).map(tuple),
)
