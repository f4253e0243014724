"""A view without any script, as a crawler, a mail client or a reader has it; tests/web reads every one."""

import pytest

from tests.browser.reader import control, figures, headline, key_figures, result_of, until_answered
from views.registry import VIEWS


@pytest.fixture
def plain_page(new_page, server):
    """Opens an address where no script runs, and loads it again, as a reader would, until its finding has come."""

    def open_it(path, **how):
        page = new_page(java_script_enabled=False, **how)
        page.goto(server.url + path)
        until_answered(page)
        return page

    return open_it


def test_the_finding_stands_there_its_form_asks_for_another_and_links_lead_on(plain_page):
    page = plain_page("/")
    assert figures(page) == key_figures(result_of("/"))
    assert page.locator(".panel .plot svg").first.is_visible()
    for word in ("share", "deck", "adjust", "done"):  # what only a script can do is not offered
        assert not page.locator(f'[data-act="{word}"]').is_visible(), word
    page.locator("#method > summary").click()
    assert page.locator("#method p").first.is_visible()
    control(page, "since").fill("2016")
    page.get_by_role("button", name="Show", exact=True).click()
    page.wait_for_url("**?*since=2016*")
    until_answered(page)
    assert headline(page) == result_of("/?since=2016").headline
    onward = page.get_by_role("navigation", name="Explore next").get_by_role("link")
    assert [link.get_attribute("href") for link in onward.all()] == list(VIEWS["/"].related)


@pytest.mark.parametrize(("viewport", "dark"), [("phone", True), ("laptop", False)])
def test_it_stands_in_the_colours_of_the_reader_and_fits_the_screen(*, viewport, dark, plain_page):
    page = plain_page("/training-compute", viewport=viewport, dark=dark)
    ground = page.locator("#first").evaluate("one => getComputedStyle(one).backgroundColor")
    assert ground == ("rgb(18, 22, 29)" if dark else "rgb(255, 255, 255)")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
