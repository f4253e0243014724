"""Slides that fill the screen, gone through by keys."""

from urllib.parse import urlencode

from tests.browser.reader import result_of, spaced
from tests.browser.streamlit_page import APP

VIEWS = ["/growth-gap?since=2016", "/training-compute", "/accelerators"]
DRAWN = "() => document.querySelector('.plot[data-slide=\"{}\"] .live .main-svg')"


def test_keys_go_through_a_deck_show_notes_and_leave(new_page, server):
    page = new_page()
    query = urlencode([*(("view", view) for view in VIEWS), ("title", "For the board")])
    page.goto(f"{server.url}/deck?{query}&present=1")

    def shows(number):
        page.wait_for_function(DRAWN.format(number))
        assert page.locator(".number").inner_text() == f"{number} / 3"
        assert spaced(page.locator("h1").inner_text()) == spaced(result_of(VIEWS[number - 1]).headline)

    shows(1)
    box = page.locator(".plot").bounding_box()
    assert box["width"] > 0.85 * 1280 and box["height"] > 0.55 * 800
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight")
    page.keyboard.press("ArrowRight")
    shows(2)
    page.keyboard.press("Space")
    shows(3)
    page.keyboard.press("ArrowRight")
    shows(3)
    page.reload()
    shows(3)
    page.keyboard.press("Home")
    shows(1)
    page.locator(".edge.on").click()
    shows(2)
    speaker = page.locator(".speaker")
    assert not speaker.is_visible()
    page.keyboard.press("n")
    assert result_of(VIEWS[1]).method[0][:40] in spaced(speaker.inner_text())
    page.keyboard.press("n")
    assert not speaker.is_visible()
    assert not page.locator(APP).count()
    page.keyboard.press("Escape")
    page.wait_for_url(lambda address: "/deck?" in address and "present" not in address)


def test_a_window_resized_while_a_slide_is_waited_for_never_draws_the_one_before(new_page, server):
    page, held = new_page(), []
    page.route("**/training-compute.panel.json*", lambda route: held.append(route))
    query = urlencode([("view", view) for view in VIEWS])
    page.goto(f"{server.url}/deck?{query}&present=1")
    page.wait_for_function(DRAWN.format(1))
    page.evaluate(
        """() => {
          window.early = [];
          new MutationObserver(() => {
            const plot = document.querySelector(".plot");
            const [slide, h1] = [plot.dataset.slide, document.querySelector("h1").textContent];
            if (slide === "2" && h1 === "One moment …") window.early.push(h1);
          }).observe(document.querySelector(".presented"), { subtree: true, childList: true, attributes: true });
        }"""
    )
    page.keyboard.press("ArrowRight")
    page.set_viewport_size({"width": 1100, "height": 700})
    page.get_by_role("heading", name="One moment").wait_for()
    page.wait_for_timeout(500)
    assert page.locator(".plot").get_attribute("data-slide") is None
    assert not page.locator(".plot .main-svg").count()
    assert held
    for route in held:
        route.continue_()
    page.wait_for_function(DRAWN.format(2))
    assert spaced(page.locator("h1").inner_text()) == spaced(result_of(VIEWS[1]).headline)
    assert page.evaluate("() => window.early") == []
