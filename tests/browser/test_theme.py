"""Light and dark: the page, its charts and what opens on it follow the reader's system and their choice in the menu."""

import pytest

from tests.browser.reader import choose, open_share, see_all
from tests.browser.streamlit_page import GROUND, PANEL

GROUNDS = {"dark": "rgb(18, 22, 29)", "light": "rgb(255, 255, 255)"}
INK = """() => [...document.querySelectorAll('.panel .live.js-plotly-plot .xtick text')]
  .filter(text => text.getBoundingClientRect().top < innerHeight && text.getBoundingClientRect().bottom > 0)
  .map(text => getComputedStyle(text).fill.match(/\\d+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) > 384)"""
BEHIND = """chart => {
  const clear = ['rgba(0, 0, 0, 0)', 'transparent'];
  while (clear.includes(getComputedStyle(chart).backgroundColor)) chart = chart.parentElement;
  return getComputedStyle(chart).backgroundColor;
}"""


def in_scheme(page, scheme):
    """Wait until page, panel and every chart in sight are in the scheme."""
    page.wait_for_function(
        f"""([scheme, ground]) => {GROUND} === ground &&
        document.querySelector('{PANEL}').dataset.scheme === scheme""",
        arg=[scheme, GROUNDS[scheme]],
    )
    page.wait_for_function(
        f"light => {{ const inks = ({INK})(); return inks.length > 0 && inks.every(ink => ink === light) }}",
        arg=scheme == "dark",
    )
    assert page.locator(".panel .main-svg").first.evaluate(BEHIND) == GROUNDS[scheme]


def choose_theme(page, name):
    page.locator(".bar .theme summary").click()
    page.get_by_role("button", name=name, exact=True).click()


def test_the_page_follows_the_system_and_a_choice_in_the_menu_which_holds_for_charts_dialogs_and_the_next_visit(
    open_page, drawn
):
    page = open_page("/training-compute", dark=True)
    see_all(page)
    in_scheme(page, "dark")
    page.emulate_media(color_scheme="light")
    in_scheme(page, "light")
    page.locator(".panel .plot").last.scroll_into_view_if_needed()  # drawn before, out of sight since
    in_scheme(page, "light")
    choose(page, "since", to="2018")
    in_scheme(page, "light")
    page.emulate_media(color_scheme="dark")
    in_scheme(page, "dark")
    page.emulate_media(color_scheme="light")
    in_scheme(page, "light")
    choose_theme(page, "Dark")
    in_scheme(page, "dark")
    dialog = open_share(page)
    assert dialog.evaluate("one => getComputedStyle(one).backgroundColor") == GROUNDS["dark"]
    page.keyboard.press("Escape")
    page.add_init_script(
        """new MutationObserver((_, watch) => {
          const first = document.getElementById("first");
          if (!first?.dataset.scheme) return;
          watch.disconnect();
          window.firstGround = getComputedStyle(first).backgroundColor;
        }).observe(document, {childList: true, subtree: true, attributes: true})"""
    )
    page.reload()
    drawn(page)
    assert page.evaluate("window.firstGround") == GROUNDS["dark"]
    in_scheme(page, "dark")
    page.goto(page.url.replace("/training-compute", "/accelerators"))
    drawn(page)
    assert page.evaluate("window.firstGround") == GROUNDS["dark"]
    in_scheme(page, "dark")
    choose_theme(page, "Light")
    in_scheme(page, "light")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_frame_is_in_the_scheme_its_page_asks_for_and_has_no_search(theme, open_page):
    page = open_page(f"/training-compute?embed=true&embed_options={theme}_theme", dark=theme == "light")
    ground = page.locator("#first").evaluate("one => getComputedStyle(one).backgroundColor")
    assert ground == GROUNDS[theme]
    inks = page.evaluate(INK)
    assert inks and set(inks) == {theme == "dark"}
    page.keyboard.press("/")
    assert page.locator(".bar, dialog").count() == 0
