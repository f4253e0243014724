"""What a page must keep to on any screen: nothing cut, nothing on top of anything, what matters in sight."""

from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.browser.streamlit_page import EXCEPTION, MAIN

SCRIPTS = Path(__file__).with_suffix(".js").read_text("utf-8")


def measured(page: Page, name: str) -> Any:
    """Return what a script of layout.js finds."""
    return page.evaluate(f"{SCRIPTS}.{name}('{MAIN}')")


def check_layout(page: Page, path: str) -> None:
    """Nothing scrolls sideways, no label lies on another, no text is cut."""
    assert page.locator(EXCEPTION).count() == 0
    assert measured(page, "wider") <= 0, f"{path} scrolls sideways"
    for fault in ("overlaps", "cut", "alone"):
        assert measured(page, fault) == [], fault


def check_headings(page: Page) -> None:
    """There is one first heading, and none skips a level."""
    levels = measured(page, "headings")
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
