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
WHERE = """([x, y]) => {
    const chart = document.getElementById('chart'), place = chart.getBoundingClientRect();
    const {xaxis, yaxis} = chart._fullLayout;
    return [place.left + xaxis._offset + xaxis.d2p(x), place.top + yaxis._offset + yaxis.d2p(y)];
}"""
"""Where a value of both axes lies in the window, in CSS pixels."""


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


def test_a_cell_answers_the_pointer_with_its_choice(map_chart: MapChart, show: Any) -> None:
    page = show(map_chart, width=1000)
    for row, column in ((2, 2), (20, 20), (30, 36)):
        x, y = (
            (edges[at] * edges[at + 1]) ** 0.5
            for edges, at in ((map_chart.x_edges, column), (map_chart.y_edges, row))
        )
        wanted = map_chart.choices[map_chart.cells[row][column]].label
        wanted += map_chart.details[row][column].replace("\n", "")
        said = ""
        for step in range(100):  # the drawing answers once it has settled at its width
            across, down = page.evaluate(WHERE, [x, y])
            page.mouse.move(across + step % 2, down)
            said = page.evaluate("document.querySelector('.hoverlayer')?.textContent")
            if said == wanted:
                break
            page.wait_for_timeout(50)
        assert said == wanted


@pytest.mark.parametrize("kind", ["hostile_chart", "hostile_map"])
def test_hostile_text_is_shown_as_it_is_written_and_does_nothing(
    kind: str, *, show: Any, request: pytest.FixtureRequest
) -> None:
    page = show(request.getfixturevalue(kind), width=1280)
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.mouse.move(640, 100)
    page.mouse.move(640, 300)
    assert page.evaluate("document.querySelectorAll('#chart script, #chart a').length") == 0
    texts = [word[0] for word in page.evaluate(WORDS)]
    assert any("<b>x</b> & <script>alert('1')</script> $\\frac{1}{0}$ %{x}" in text for text in texts)
