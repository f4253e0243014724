"""Slides that fill the screen, gone through by keys."""

from urllib.parse import urlencode

from tests.browser.reader import result_of, spaced

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
    assert not page.locator(".stApp").count()
    page.keyboard.press("Escape")
    page.wait_for_url(lambda address: "/deck?" in address and "present" not in address)
