"""What a page must keep to on any screen: nothing cut, nothing on top of anything, what matters in sight."""

from itertools import pairwise

from playwright.sync_api import Page

from tests.browser.streamlit_page import EXCEPTION, MAIN

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
    const crossed = new Set();
    const map = chart.querySelector('.heatmaplayer image');
    for (const line of map ? [] : chart.querySelectorAll('.scatterlayer path.js-line')) {
      if (parseFloat(getComputedStyle(line).strokeWidth) === 0) continue;  // the edge of a band
      const place = line.getScreenCTM();
      for (let at = 0; at <= line.getTotalLength(); at += 3) {
        const {x, y} = line.getPointAtLength(at).matrixTransform(place);
        for (const {said, box} of texts)
          if (box.left + 1 < x && x < box.right - 1 && box.top + 5 < y && y < box.bottom - 5) crossed.add(said);
      }
    }
    for (const said of crossed) found.push(`${said} lies on a line`);
  }
  return found;
}"""

WIDER = """() => {
  const main = document.querySelector('MAIN');
  const panel = document.querySelector('.panel');
  return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth,
    panel ? panel.scrollWidth - panel.clientWidth : 0);
}""".replace("MAIN", MAIN)

HEADINGS = f"""() => [...document.querySelectorAll('{MAIN} :is(h1, h2, h3, h4, h5, h6)')]
  .filter(heading => heading.offsetParent).map(heading => Number(heading.tagName[1]))"""

CUT = """() => [...document.querySelectorAll(
    `.panel :is(.fields .name, button, select, .figures dt, .figures dd), .bar *`)]
  .filter(one => one.offsetParent && one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"""

ALONE = """() => [...document.querySelectorAll('.panel .figures dd:has(small)')]
  .filter(one => one.querySelector('.help')?.getBoundingClientRect().top >=
    one.querySelector('small').getBoundingClientRect().bottom).map(one => one.innerText)"""
"""The key figures whose button stands alone on a line."""


def check_layout(page: Page, path: str) -> None:
    """Nothing scrolls sideways, no label lies on another, no text is cut."""
    assert page.locator(EXCEPTION).count() == 0
    assert page.evaluate(WIDER) <= 0, f"{path} scrolls sideways"
    assert page.evaluate(OVERLAPS) == []
    assert page.evaluate(CUT) == []
    assert page.evaluate(ALONE) == []


def check_headings(page: Page) -> None:
    """There is one first heading, and none skips a level."""
    levels = page.evaluate(HEADINGS)
    assert levels[0] == 1 and levels.count(1) == 1, levels
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels


def check_charts(page: Page) -> None:
    """Each chart states its finding for those who cannot see it, and has a table."""
    charts = page.locator(".panel .live.js-plotly-plot")
    for chart in charts.all():
        assert chart.get_attribute("role") == "img"
        alt = chart.get_attribute("aria-label")
        assert alt and any(letter.isdigit() for letter in alt), alt
    assert page.locator(".panel details.table > summary").count() == charts.count()


def check_in_sight(page: Page) -> None:
    """Headline and most of the chart are seen without scrolling, the key figures right below it."""
    headline = page.locator("h1").bounding_box() or {}
    chart = page.locator(".panel .plot").first.bounding_box() or {}
    figures = page.locator(".panel .figures").bounding_box() or {}
    assert headline["y"] + headline["height"] < 220
    assert chart["y"] + 300 < 800, "less than 300 px of the chart are in sight"
    assert chart["height"] >= 300
    assert 0 <= figures["y"] - chart["y"] - chart["height"] < 40


def check_on_a_phone(page: Page) -> None:
    """The chart begins on the first screen, and what is pressed is as large as a finger."""
    assert (page.locator(".panel .plot").first.bounding_box() or {})["y"] < 844 / 2
    for button in page.locator(".panel :is(.actions button, .open-controls, .chip):visible").all():
        assert (button.bounding_box() or {})["height"] >= 44, button.inner_text()


def check_on_a_large_screen(page: Page) -> None:
    """The page is no wider than it reads well, in the middle, and no trend reads flatter than it is."""
    box = page.locator(".panel").bounding_box() or {}
    main = page.locator(MAIN).bounding_box() or {}
    chart = page.locator(".panel .plot").first.bounding_box() or {}
    assert box["width"] <= 1500
    assert chart["height"] >= 0.35 * chart["width"]
    assert abs((box["x"] + box["width"] / 2) - (main["x"] + main["width"] / 2)) <= 12
