"""In a browser: at every width the words of a figure are whole, apart from each other, and only words."""

import base64
import json
from collections.abc import Iterator
from typing import Any

import plotly.io
import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from plotly.offline import get_plotlyjs

from charts.chart import Chart, MapChart, XYChart
from charts.plotly import STYLE, figure
from scripts.prepare import find_chromium

WIDTHS = (360, 620, 1280)
WORDS = """() => [...document.querySelectorAll('#chart text')]
    .filter(e => e.textContent.trim() && getComputedStyle(e).display != 'none')
    .map(e => [e.textContent, e.getBoundingClientRect()])
    .map(([text, r]) => [text, r.left, r.top, r.right, r.bottom])"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=flags)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def show(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Show a chart in a window of some width, in the packaged font as the page would."""
    page = chromium.new_page()
    faces = ""
    for weight, name in ((400, "Regular"), (700, "Bold")):
        path = request.config.rootpath / f"charts/fonts/SourceSansPro-{name}.ttf"
        data = base64.b64encode(path.read_bytes()).decode()
        source = f"src: url(data:font/ttf;base64,{data})"
        faces += f"@font-face {{font-family: 'Source Sans'; font-weight: {weight}; {source}}}"
    page.set_content(f"<style>{faces} body {{margin: 0}} {STYLE}</style><div id=chart></div>")
    page.add_script_tag(content=get_plotlyjs())
    page.evaluate("Promise.all(['', 'bold '].map(w => document.fonts.load(w + '14px \"Source Sans\"')))")

    def show_chart(chart: Chart, *, width: int) -> Page:
        page.set_viewport_size({"width": width, "height": 700})
        spec = json.loads(str(plotly.io.to_json(figure(chart, width=width))))
        page.evaluate("s => Plotly.newPlot('chart', s.data, s.layout, {displayModeBar: false})", spec)
        return page

    yield show_chart
    page.close()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("kind", ["xy_chart", "bar_chart", "map_chart", "tornado", "log_tornado", "dots"])
def test_words_are_whole_and_do_not_overlap(
    *, width: int, kind: str, show: Any, request: pytest.FixtureRequest
) -> None:
    words = show(request.getfixturevalue(kind), width=width).evaluate(WORDS)
    assert len(words) > 8
    for number, (text, left, top, right, bottom) in enumerate(words):
        assert left >= -1 and right <= width + 1, text
        for other, other_left, other_top, other_right, other_bottom in words[:number]:
            beside = left >= other_right - 1 or other_left >= right - 1
            above = top >= other_bottom - 5 or other_top >= bottom - 5
            assert beside or above, (text, other)


TEXT_ON_LINES = """() => {
    const chart = document.getElementById('chart');
    const texts = [...chart.querySelectorAll('.main-svg text')]
        .filter(e => e.textContent.trim() && getComputedStyle(e).display != 'none')
        .map(e => [e.textContent, e.getBoundingClientRect()]);
    const found = [];
    for (const path of chart.querySelectorAll('.scatterlayer path.js-line')) {
        if (parseFloat(getComputedStyle(path).strokeWidth) === 0) continue;  // the edge of a band
        const to = path.getScreenCTM();
        for (let at = 0; at <= path.getTotalLength(); at += 2) {
            const {x, y} = path.getPointAtLength(at).matrixTransform(to);
            for (const [text, r] of texts)
                if (r.left + 1 < x && x < r.right - 1 && r.top + 5 < y && y < r.bottom - 5) found.push(text);
        }
    }
    return [...new Set(found)];
}"""


@pytest.mark.parametrize("width", [322, 620, 760, 820])
def test_no_label_lies_on_a_line(*, width: int, xy_chart: XYChart, show: Any) -> None:
    assert show(xy_chart, width=width).evaluate(TEXT_ON_LINES) == []


def test_a_map_shows_the_words_that_fit_its_width_and_no_others(map_chart: MapChart, show: Any) -> None:
    for width, kind in ((360, "map-phone"), (620, "map-tablet"), (1280, "map-desk")):
        page = show(map_chart, width=width)
        seen = page.evaluate(
            """() => [...document.querySelectorAll('#chart text')]
            .filter(e => /map-/.test(e.style.fontFamily) && getComputedStyle(e).display != 'none')
            .map(e => [e.style.fontFamily.split(', ').pop().replaceAll('"', ''),
                       getComputedStyle(e.closest('.trace, .annotation')).opacity])"""
        )
        assert {name for name, _ in seen} == {kind}
        assert {opacity for _, opacity in seen} == {"1"}
