"""What a reader sees first, on every screen, in light and dark: nothing cut, nothing on top of anything."""

from itertools import pairwise

import pytest

from views.methods import text as methods
from views.registry import VIEWS

CHARTED = [path for path in VIEWS if path not in ("/claims", "/data")]
"""Views that open on a chart; the others open on a table."""

EVERY_PAGE = [*VIEWS, methods.PATH]

OVERLAPS = """() => {
  const found = [];
  for (const chart of document.querySelectorAll('.js-plotly-plot')) {
    const frame = chart.getBoundingClientRect();
    const texts = [...chart.querySelectorAll('.main-svg text')]
      .filter(text => text.textContent.trim() && !text.closest('.hoverlayer, .modebar'))
      .map(text => ({said: text.textContent, box: text.getBoundingClientRect()}))
      .filter(text => text.box.width > 0);
    for (const {said, box} of texts)
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1)
        found.push(`${said} is cut`);
    for (let i = 0; i < texts.length; i++) for (let j = i + 1; j < texts.length; j++) {
      const [a, b] = [texts[i].box, texts[j].box];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 4) found.push(`${texts[i].said} lies on ${texts[j].said}`);
    }
  }
  return found;
}"""

WIDER = """() => {
  const main = document.querySelector('[data-testid="stMain"]');
  return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth);
}"""

HEADINGS = """() => [...document.querySelectorAll('[data-testid="stMain"] :is(h1, h2, h3, h4, h5, h6)')]
  .filter(heading => heading.offsetParent).map(heading => Number(heading.tagName[1]))"""


def check_layout(page, path):
    assert page.locator('[data-testid="stException"]').count() == 0
    assert page.evaluate(WIDER) <= 0, f"{path} scrolls sideways"
    assert page.evaluate(OVERLAPS) == []


def check_headings(page):
    levels = page.evaluate(HEADINGS)
    assert levels[0] == 1 and levels.count(1) == 1, levels
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels


def check_charts(page):
    """Each chart states its finding for those who cannot see it, and has a table."""
    charts = page.locator('[data-testid="stPlotlyChart"]')
    for index in range(charts.count()):
        alt = charts.nth(index).evaluate(
            """chart => [chart, ...chart.querySelectorAll('[aria-label], [alt]')]
              .map(one => one.getAttribute('aria-label') || one.getAttribute('alt')).find(Boolean)"""
        )
        assert alt and any(letter.isdigit() for letter in alt), alt
    assert page.get_by_role("tab", name="Table").count() >= charts.count()


def check_in_sight(page):
    """Headline, figures and most of the chart are seen without scrolling."""
    headline = page.locator("h1").bounding_box()
    figures = page.locator('[data-testid="stMetricValue"]').first.bounding_box()
    chart = page.locator(".js-plotly-plot").first.bounding_box()
    assert headline["y"] + headline["height"] < 220
    assert figures["y"] < 300
    assert chart["y"] + 300 < 800, "less than 300 px of the chart are in sight"
    assert chart["height"] >= 300


@pytest.mark.parametrize("path", EVERY_PAGE)
@pytest.mark.parametrize(("viewport", "dark"), [("phone", True), ("laptop", False), ("wide", True)])
def test_every_page_fits_its_screen_and_no_label_lies_on_another(*, path, viewport, dark, open_page):
    page = open_page(path, viewport=viewport, dark=dark)
    check_layout(page, path)
    check_headings(page)
    check_charts(page)
    if viewport == "laptop" and path in CHARTED:
        check_in_sight(page)


def test_the_keyboard_reaches_menu_controls_tabs_and_shows_where_it_is(open_page):
    page = open_page("/training-compute")
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                """() => { const at = document.activeElement;
                const label = at.getAttribute('aria-label') || at.closest('label')?.innerText;
                return label || at.innerText || at.tagName }"""
            ).strip()
        )
    told = " | ".join(reached)
    for control in ("Accelerators", "Which runs", "Domain", "Since", "More choices", "Share", "Chart"):
        assert control in told, told


def test_tabs_and_choices_work_from_the_keyboard(open_page):
    page = open_page("/training-compute")
    page.get_by_role("tab", name="Chart").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator('[data-testid="stDataFrame"]').first.wait_for(state="visible")
    page.get_by_role("combobox", name="Which runs").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**rule=**")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_chart_stands_on_the_colour_of_the_page(dark, open_page):
    page = open_page("/training-compute", dark=dark)
    colour = page.evaluate(
        "getComputedStyle(document.querySelector('[data-testid=\"stApp\"]')).backgroundColor"
    )
    assert colour == ("rgb(18, 22, 29)" if dark else "rgb(255, 255, 255)")
    ink = page.evaluate("getComputedStyle(document.querySelector('.xtick text')).fill")
    light_ink = sum(int(part) for part in ink.strip("rgb()").split(",")[:3]) > 3 * 128
    assert light_ink == dark


def test_paper_shows_finding_chart_and_source_and_nothing_to_press(open_page):
    page = open_page("/training-compute")
    page.emulate_media(media="print")
    assert page.locator("h1").is_visible()
    assert page.locator(".js-plotly-plot").first.is_visible()
    for gone in ("stSidebar", "stHeader", "stPopover", "stSelectbox"):
        assert page.locator(f'[data-testid="{gone}"]:visible').count() == 0, gone


def test_too_few_points_are_a_sentence_with_the_next_step(open_page):
    page = open_page("/accelerators?since=2029", viewport="phone")
    assert "no trend can be fitted" in page.locator("h1").inner_text()
    assert "Widen the window" in page.locator('[data-testid="stMain"]').inner_text()
    check_layout(page, "/accelerators?since=2029")
