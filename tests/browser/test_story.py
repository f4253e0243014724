"""The guided story is walked step by step: forward, back, by the list, with the keyboard, on a phone."""

from tests.browser.reader import headline, panel, result_of
from views.story.settings import STEPS

NEXT, PREVIOUS = '.ways a[rel="next"]', '.ways a[rel="prev"]'
PHONE_HEIGHT = 844


def until_step(page, word):
    page.wait_for_function(
        "word => document.querySelector('.panel .steps [aria-current]')?.dataset.word === word", arg=word
    )


def test_next_goes_on_back_undoes_it_and_the_list_leads_anywhere(open_page):
    page = open_page("/story")
    panel(page).locator(NEXT).focus()
    for step in STEPS[1:3]:
        page.keyboard.press("Enter")
        until_step(page, step.word)
        page.wait_for_url(f"**/story?step={step.word}")
        assert headline(page) == result_of(f"/story?step={step.word}").headline
        assert page.evaluate("() => document.activeElement.rel") == "next"
    page.go_back()
    until_step(page, STEPS[1].word)
    panel(page).locator(PREVIOUS).click()
    until_step(page, STEPS[0].word)
    assert panel(page).locator(PREVIOUS).count() == 0
    # the list leads to any step and brings its headline into sight
    panel(page).locator('.steps a[data-word="verdict"]').click()
    until_step(page, "verdict")
    page.wait_for_function("() => document.querySelector('.panel h1').getBoundingClientRect().top >= 0")
    assert headline(page) == result_of("/story?step=verdict").headline
    assert panel(page).locator(NEXT).count() == 0


def test_on_a_phone_headline_and_the_way_on_are_in_sight_however_high_the_chart(open_page, drawn):
    page = open_page("/story?step=gap", viewport="phone")
    for address in (page.url, page.url.replace("gap", "training")):
        page.goto(address)
        drawn(page)
        for selector in (".panel h1", NEXT):
            box = page.locator(selector).bounding_box() or {}
            assert box["y"] >= 0 and box["y"] + box["height"] <= PHONE_HEIGHT, (selector, box)
        assert page.locator(NEXT).is_enabled()
