"""Small charts of every kind, made up for the tests."""

import pytest

from charts.chart import Axis, Band, Bar, BarChart, Line, MapChart, Points, Span, Tick, XYChart
from tests.charts import map_examples

HOSTILE = "<b>x</b> & <script>alert('1')</script> $\\frac{1}{0}$ %{x} \x00\x07 模型 🚀"


@pytest.fixture
def xy_chart() -> XYChart:
    years = tuple(2012 + 0.5 * step for step in range(29))
    trend = tuple(3e16 * 4.7 ** (year - 2012) for year in years)
    later = tuple(26 + 2000 + 0.5 * step for step in range(9))
    ahead = tuple(3e16 * 4.7 ** (year - 2012) for year in later)
    slow = tuple(1e17 * 1.3 ** (year - 2012) for year in years)
    return XYChart(
        title="A frontier run needs 4.7 times more compute each year; a chip gets 30 % more bandwidth",
        subtitle="Both from the same start, log scale. One run against one chip.",
        alt="Two lines part: compute per run rises far faster than bandwidth per chip.",
        source="Made up for the tests, n = 29.",
        x=Axis(
            title="",
            low=2011.5,
            high=2033,
            ticks=tuple(Tick(value=year, label=str(year)) for year in range(2012, 2032, 2)),
        ),
        y=Axis(
            title="Training compute (FLOP)",
            scale="log",
            low=1e16,
            high=1e30,
            ticks=tuple(Tick(value=10.0**e, label=f"10^{e}") for e in range(16, 31, 2)),
        ),
        marks=(
            Band(
                series="Compute",
                role="compute",
                strength="prediction",
                x=years,
                low=tuple(value / 9 for value in trend),
                high=tuple(value * 9 for value in trend),
            ),
            Band(
                series="Compute",
                role="compute",
                strength="confidence",
                x=later,
                low=tuple(value / 2 for value in ahead),
                high=tuple(value * 2 for value in ahead),
                faded=True,
            ),
            Points(
                series="Runs",
                role="compute",
                x=years,
                y=tuple(value * (5 if i % 2 else 0.2) for i, value in enumerate(trend)),
                names=tuple(f"Run {i}" for i in range(29)),
                details=tuple((f"{value:.2g} FLOP", "Epoch AI") for value in trend),
                marked=((3, "GPT-3"), (27, "Grok 4"), (14, "PaLM")),
            ),
            Points(
                series="Announced",
                role="memory",
                x=(2022.5,),
                y=(1e17,),
                names=("Rubin",),
                details=((),),
                marked=((0, "Rubin"),),
                hollow=True,
            ),
            Line(series="Compute per run", role="compute", x=years, y=trend),
            Line(
                series="Compute per run",
                role="compute",
                x=later,
                y=ahead,
                dash="dotted",
                faded=True,
                end_label=("Compute per run", "4.7x a year"),
            ),
            Line(
                series="Bandwidth per chip",
                role="memory",
                x=years,
                y=slow,
                end_label=("Bandwidth per chip", "1.3x a year"),
            ),
            Span(x=2026, low=1e20, high=1e26, label=("gap since 2012", "126 million x")),
        ),
    )


@pytest.fixture
def bar_chart() -> BarChart:
    rows = [
        ("FP16", 1.72, 1.61, 1.84, True),
        ("Memory bandwidth", 1.3, 1.27, 1.33, True),
        ("Price", 0.9, 0.8, 1.02, False),
    ]
    return BarChart(
        title="Memory lags",
        subtitle="Yearly growth with 90 % interval",
        alt="Bars",
        source="Made up for the tests.",
        x=Axis(
            title="Growth a year",
            low=0.7,
            high=2,
            ticks=(Tick(value=1, label="1x"), Tick(value=1.5, label="1.5x")),
        ),
        base=1.0,
        bars=(
            *tuple(
                Bar(
                    label=label,
                    value=value,
                    text=f"{value}x",
                    role="memory",
                    low=low,
                    high=high,
                    emphasised=strong,
                )
                for label, value, low, high, strong in rows
            ),
            Bar(label="Links", value=1.4, text="1.4x", role="links"),
        ),
    )


@pytest.fixture
def hostile_chart(xy_chart: XYChart) -> XYChart:
    points = Points(
        series=HOSTILE,
        role="edge",
        x=(2020.0, 2022.0),
        y=(1e20, 1e22),
        names=(HOSTILE, "plain"),
        details=((HOSTILE,), ()),
        marked=((0, HOSTILE),),
    )
    line = Line(
        series=HOSTILE, role="links", x=(2015.0, 2025.0), y=(1e18, 1e25), end_label=(HOSTILE, HOSTILE)
    )
    axis = Axis(title=HOSTILE, scale="log", low=1e16, high=1e30, ticks=(Tick(value=1e20, label=HOSTILE),))
    span = Span(x=2018, low=1e18, high=1e24, label=(HOSTILE, HOSTILE))
    return XYChart(
        title=HOSTILE,
        subtitle=HOSTILE,
        alt=HOSTILE,
        source=HOSTILE,
        x=xy_chart.x,
        y=axis,
        marks=(points, line, span),
    )


@pytest.fixture
def map_chart() -> MapChart:
    return map_examples.places()


@pytest.fixture
def tornado() -> BarChart:
    return map_examples.tornado()


@pytest.fixture
def log_tornado() -> BarChart:
    return map_examples.tornado(scale="log")


@pytest.fixture
def dots() -> BarChart:
    return map_examples.dots()


@pytest.fixture
def hostile_map() -> MapChart:
    return map_examples.hostile_places(HOSTILE)
