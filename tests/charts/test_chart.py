from typing import Any

import pytest

from charts.chart import Axis, Band, Bar, BarChart, Line, MapChart, MapChoice, Points
from tests.analysis.refusals import refusals

CLOUD: Any = dict(series="Runs", role="compute", x=(1.0, 2.0), y=(3.0, 4.0), names=("a", "b"))

LOG = Axis(title="USD", scale="log", low=0.1, high=10.0, ticks=())
FROM_ZERO = Bar(label="Price", value=1.0, text="", role="memory", start=0.0)

test_what_cannot_be_drawn_is_refused_with_what_came = refusals(
    {
        "Points 'Runs': every sequence needs one entry per mark; x has 2, y has 2, names has 2, details has 1.":
            lambda: Points(**CLOUD, details=((),)),
        "Points 'Runs': label 'GPT-4' marks point -1, but there are 2 points.":
            lambda: Points(**CLOUD, details=((), ()), marked=((-1, "GPT-4"),)),
        "Points 'Runs': label 'GPT-4' marks point 2, but there are 2 points.":
            lambda: Points(**CLOUD, details=((), ()), marked=((2, "GPT-4"),)),
        "Line 'Trend': every sequence needs one entry per mark; x has 2, y has 1.":
            lambda: Line(series="Trend", role="compute", x=(1.0, 2.0), y=(1.0,)),
        "Line 'Trend': every sequence needs one entry per mark; x has 2, hover has 1.":
            lambda: Line(series="Trend", role="compute", x=(1.0, 2.0), y=(1.0, 2.0), hover=("a",)),
        "Band 'Sure': every sequence needs one entry per mark; x has 1, low has 1, high has 2.":
            lambda: Band(series="Sure", role="compute", strength="confidence", x=(1.0,), low=(1.0,), high=(2.0, 3.0)),
        "Axis 'Years': low must be below high; got 2.0 and 1.0.":
            lambda: Axis(title="Years", low=2.0, high=1.0, ticks=()),
        "Axis 'Years': low must be below high; got 1.0 and 1.0.":
            lambda: Axis(title="Years", low=1.0, high=1.0, ticks=()),
        "Axis 'Years': low must be below high; got nan and 1.0.":
            lambda: Axis(title="Years", low=float("nan"), high=1.0, ticks=()),
        "Axis 'FLOP': a log axis starts above zero; got 0.0.":
            lambda: Axis(title="FLOP", scale="log", low=0.0, high=1.0, ticks=()),
        "MapChoice 'Phone': tone is 0, the strongest, to 4, the palest; got -1.":
            lambda: MapChoice(label="Phone", role="edge", tone=-1),
        "MapChoice 'Phone': tone is 0, the strongest, to 4, the palest; got 5.":
            lambda: MapChoice(label="Phone", role="edge", tone=5),
        "Bar 'Price': start is where the bar begins, a finite number; got nan. Leave it out for a bar from":
            lambda: Bar(label="Price", value=1.0, text="", role="memory", start=float("nan")),
        "BarChart 'A': a log axis has no base at 0.0; start above zero.":
            lambda: BarChart(title="A", subtitle="", alt="", source="", x=LOG, base=0.0),
        "Bar 'Price': on a log axis a bar starts above zero; got 0.0. Start it at the low end of the axis.":
            lambda: BarChart(title="", subtitle="", alt="", source="", x=LOG, base=1.0, bars=(FROM_ZERO,)),
    }
)  # fmt: skip

MAP: dict[str, Any] = {
    "title": "Places",
    "subtitle": "",
    "alt": "",
    "source": "",
    "x": Axis(title="Size", scale="log", low=1.0, high=100.0, ticks=()),
    "y": Axis(title="Requests", low=0.0, high=3.0, ticks=()),
    "x_edges": (1.0, 10.0, 100.0),
    "y_edges": (0.0, 1.0, 2.0, 3.0),
    "choices": (MapChoice(label="Phone", role="edge"), MapChoice(label="Cloud", role="compute", tone=2)),
    "cells": ((0, 0), (0, 1), (1, -1)),
}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"x_edges": (1.0,)}, "x_edges holds one value more than there are cells, 2 to 61; got 1."),
        ({"x_edges": tuple(1.0 + k for k in range(62))},
         "x_edges holds one value more than there are cells, 2 to 61; got 62."),
        ({"y_edges": (0.0, 2.0, 2.0, 3.0)}, "y_edges rises from cell to cell; got 2.0 after 2.0."),
        ({"y_edges": (0.0, 1.0, float("nan"), 3.0)}, "y_edges rises from cell to cell; got nan after 1.0."),
        ({"x_edges": (0.5, 10.0, 100.0)},
         "x_edges lies within its axis, 1.0 to 100.0; got 0.5 to 100.0. Widen the axis."),
        ({"cells": ((0, 0),)}, "cells has one row between each two of y_edges, 3; got 1."),
        ({"cells": ((0, 0), (0,), (1, 1))}, "cells has one entry between each two of x_edges, 2; row 1 has 1."),
        ({"details": (("a", "b"),)}, "details has one row between each two of y_edges, 3; got 1."),
        ({"cells": ((0, 0), (0, 1), (1, 2))},
         "a cell is the index of one of the 2 choices, or -1 for nothing; row 2 holds 2."),
        ({"choices": (), "cells": ((-1, -1), (-1, -2), (-1, -1))},
         "a cell is the index of one of the 0 choices, or -1 for nothing; row 1 holds -2."),
        ({"choices": (MapChoice(label="Phone", role="edge"), MapChoice(label="Laptop", role="edge"))},
         "'Phone' and 'Laptop' would look alike: both are tone 0 of edge. Give each its own."),
    ],
)  # fmt: skip
def test_a_map_that_does_not_fit_together_is_refused(changes, message):
    with pytest.raises(ValueError) as refused:
        MapChart(**(MAP | changes))
    assert str(refused.value) == f"MapChart 'Places': {message}"
