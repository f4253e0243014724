"""What a document carries before any script: the page, the menu, and the finding as data."""

import json

import lxml.html
import pytest

from panel.assets import tapped
from panel.document import MenuEntry, first_paint, not_yet
from panel.page import Shown
from views.registry import VIEWS
from views.view import answer, read

MENU = {
    "Trends": [MenuEntry(path="/training-compute", title="Compute <b>"), MenuEntry(path="/", title="Gap")]
}
HOSTILE = "</script><script>alert(1)</script><!-- <b>&amp;"


def shown_of(path, query=None):
    view = VIEWS[path]
    chosen, ignored = read(view, query or {})
    return Shown(view=view, settings=chosen, result=answer(view, chosen, ignored=ignored))


def parsed(html):
    return lxml.html.fragment_fromstring(html, create_parent=True)


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_the_data_for_the_script_are_the_finding_without_what_the_page_already_says(view):
    shown = shown_of(view.path)
    page = parsed(first_paint(shown, menu=MENU))
    told = json.loads(page.xpath("//script[@id='first-answer']")[0].text)
    assert told["link"] == shown.result.link
    assert told["chart"]["alt"] == shown.result.exhibits[0].chart.alt
    assert "parts" not in told and "page" not in told
    assert page.xpath("//*[@id='first']//h1")


def test_no_text_of_a_link_ends_the_data_or_the_page():
    page = parsed(first_paint(shown_of("/data", {"find": [HOSTILE], HOSTILE: ["x"]}), menu=MENU))
    own, script = page.xpath("//script")
    assert own.text == tapped()
    told = json.loads(script.text)
    assert told["controls"]["find"][0] == HOSTILE
    assert page.xpath("//input[@name='find']/@value") == [HOSTILE]
    assert "<" not in script.text and "&" not in script.text


def test_the_menu_stands_beside_the_page_marks_it_and_is_left_out_of_a_frame():
    page = parsed(first_paint(shown_of("/training-compute"), menu=MENU))
    [nav] = page.xpath("//nav[@aria-label='Pages']")
    assert nav.xpath("a/@href") == ["/training-compute", "/"]
    assert nav.xpath("a[@aria-current='page']")[0].text == "Compute <b>"
    framed = parsed(first_paint(shown_of("/training-compute"), menu=MENU, embedded=True))
    assert framed.xpath("//nav") == []
    assert framed.xpath("//*[@id='first']/@class") == ["embed"]


def test_what_few_replace_is_folded_and_open_where_a_link_replaces_it():
    def folds(**query):
        page = parsed(first_paint(shown_of("/training-run", query), menu=MENU))
        found = page.xpath("//details[contains(@class, 'adjust')]/details[@class='fold']")
        return {one.findtext("summary"): "open" in one.attrib for one in found}

    assert folds() == {"Own chip": False, "Reliability": False}
    assert folds(peak=["1500"]) == {"Own chip": True, "Reliability": False}


def test_a_finding_still_being_computed_says_so_beside_the_menu():
    page = parsed(not_yet("Why <b>?", path="/", menu=MENU))
    assert page.xpath("//p[@class='question']")[0].text == "Why <b>?"
    assert "One moment" in page.xpath("//h1")[0].text
    assert page.xpath("//script") == []
    assert page.xpath("//nav/a[@aria-current]/@href") == ["/"]
    assert parsed(not_yet("Why?", path="/", menu=MENU, embedded=True)).xpath("//nav") == []
