"""Slides that fill the screen, as their document carries them."""

import json

import lxml.html

from panel.page import Shown
from panel.present import PresentedSlide, presented
from views.registry import VIEWS
from views.view import answer, read

HOSTILE = "</script><script>alert(1)</script>"
SLIDES = [
    PresentedSlide(view="growth-gap", query="since=2018", question="Is memory falling behind compute?"),
    PresentedSlide(view="data", query="find=x", question=HOSTILE),
]


def shown_of(path, query):
    settings, _ = read(VIEWS[path], query)
    return Shown(view=VIEWS[path], settings=settings, result=answer(VIEWS[path], settings))


def parsed(html):
    return lxml.html.fragment_fromstring(html, create_parent=True)


def told_by(page):
    return json.loads(page.xpath("//script[@id='first-answer']")[0].text)


def test_the_first_slide_is_ready_to_read_and_the_script_is_told_the_others():
    shown = shown_of("/growth-gap", "since=2018")
    page = parsed(presented(SLIDES, title="For <b> the board", leave="/deck?view=x", first=shown))
    assert page.xpath("//h1")[0].text.split() == shown.result.headline.split()
    assert page.xpath("//p[@class='question']")[0].text == SLIDES[0].question
    assert page.xpath("//*[@class='plot']//svg[@role='img']")
    assert page.xpath("//p[@class='number']")[0].text == "1 / 2"
    told = told_by(page)
    assert told["title"] == "For <b> the board"
    assert [slide["view"] for slide in told["slides"]] == ["growth-gap", "data"]
    assert told["first"]["chart"]["figure"]["data"]
    assert told["first"]["parts"]["notes"] and told["first"]["parts"]["method"]
    assert len(page.xpath("//script")) == 1


def test_there_is_nothing_but_the_slide_and_a_way_to_leave():
    page = parsed(presented(SLIDES[:1], title="", leave="/growth-gap?since=2018"))
    assert not page.xpath("//nav | //form | //select | //input | //button")
    assert {link.get("href") for link in page.xpath("//a")} == {"/growth-gap?since=2018"}
    assert not page.xpath("//p[@class='number']")[0].text
    assert told_by(page)["first"] is None
    assert "One moment" in page.xpath("//h1")[0].text
