"""In a browser: the drawing of a chart stands where the live chart will, in every word, mark and pixel."""

import base64
import io
import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import plotly.io
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page
from plotly.offline import get_plotlyjs

from charts import plotly as live
from charts import svg
from charts.chart import Chart
from charts.colours import Theme
from tests.charts import map_examples
from tests.length import at_length
from views.registry import VIEWS
from views.view import answer

WIDTHS = (390, 760, 1200)
NEAR = 1.0  # px
SEEN = 64  # of 255: from here on a pixel looks different
OTHER_PIXELS = 5e-4  # of all: where a letter or a dash lies between two pixels
SCRIPTS = Path(__file__).with_suffix(".js").read_text("utf-8")


def exhibit(path: str, number: int) -> Callable[[], Chart]:
    return lambda: answer(VIEWS[path], VIEWS[path].settings()).exhibits[number].chart


CHARTS: dict[str, Callable[[], Chart]] = {
    "bands, lines and points": exhibit("/", 1),
    "bars with whiskers": exhibit("/growth-gap", 2),
    "dots and what does not fit": exhibit("/placement", 0),
    "names along the axis": exhibit("/growth-accounting", 0),
    "points of five chips": exhibit("/cost-of-tokens", 0),
    "a hatched map": map_examples.places,
    "a tornado": lambda: map_examples.tornado(scale="log"),
}


@pytest.fixture(scope="module")
def drawing_board(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page with plotly, both style sheets and the packaged font."""
    page = browser.new_page()
    faces = ""
    for weight, name in ((400, "Regular"), (700, "Bold")):
        path = request.config.rootpath / f"charts/fonts/SourceSansPro-{name}.ttf"
        data = base64.b64encode(path.read_bytes()).decode()
        source = f"src: url(data:font/ttf;base64,{data})"
        faces += f"@font-face {{font-family: 'Source Sans'; font-weight: {weight}; {source}}}"
    page.set_content(
        f"<!doctype html><style>{faces} {live.STYLE} {svg.STYLE} :root {{color-scheme: light dark}}"
        "body {margin: 0; background: light-dark(#ffffff, #0e1117)}</style>"
    )
    page.add_script_tag(content=get_plotlyjs())
    page.evaluate("Promise.all(['', 'bold '].map(w => document.fonts.load(w + '14px \"Source Sans\"')))")
    yield page
    page.close()


def places(page: Page, name: str, *, seen: str) -> list[Any]:
    """Return text and box of each element that is seen, in the order of the places."""
    boxes = page.evaluate(f"{SCRIPTS}.where", [name, seen])
    return sorted(boxes, key=lambda item: (item[0], round(item[2] / 4), item[1]))


def check_places(page: Page, *, drawn: str, lively: str) -> int:
    """Check that the elements of both charts stand at the same places; return how many there are."""
    wanted, boxes = places(page, "live", seen=lively), places(page, "still", seen=drawn)
    assert [text for text, *_ in boxes] == [text for text, *_ in wanted]
    for (text, *box), (_, *other) in zip(boxes, wanted, strict=True):
        assert np.abs(np.subtract(box, other)).max() < NEAR, (text, box, other)
    return len(boxes)


@pytest.mark.parametrize(
    ("kind", "theme"),
    [*((kind, "light") for kind in at_length([*CHARTS], few=[*CHARTS][::4])), ("a hatched map", "dark")],
)
def test_the_drawing_looks_as_the_live_chart_does_at_every_width(
    *, kind: str, theme: Theme, drawing_board: Page
) -> None:
    chart = CHARTS[kind]()
    drawing_board.emulate_media(color_scheme=theme)
    shown = []
    for width in WIDTHS:
        figure = json.loads(str(plotly.io.to_json(live.figure(chart, theme=theme, width=width))))
        high = round(figure["layout"]["height"])
        drawing_board.set_viewport_size({"width": width, "height": 2 * high})
        drawing_board.evaluate(f"{SCRIPTS}.draw", [svg.svg(chart), figure])
        shown.append(check_places(drawing_board, drawn="text", lively="text"))
        check_places(
            drawing_board,
            drawn=".marks :is(circle, rect, path)",
            lively=".points path.point:not([clip-path])",
        )
        picture = Image.open(io.BytesIO(drawing_board.screenshot())).convert("RGB")
        pixels = np.asarray(picture).astype(int)
        other = np.abs(pixels[:high] - pixels[high:]).max(axis=2) > SEEN
        assert other.mean() < OTHER_PIXELS, np.argwhere(other)[:5]
    assert all(more >= fewer > 8 for fewer, more in pairwise(shown)) or kind == "a hatched map"
