"""What an open page is answered: the finding, the rest, a table, what Share offers."""

import json
from dataclasses import replace
from datetime import date
from urllib.parse import quote, urlencode

import lxml.html

from data.releases import from_export, names
from panel.answer import FOLLOW, MOST_EXHIBITS, PanelSettings, answer_of, embed_code, onward
from panel.controls import controls
from panel.page import Shown, page_parts, problem
from tests.data import exports
from tests.panel.shown import EVERY_VIEW
from tests.views.links import corpus
from views.registry import VIEWS
from views.view import answer, link, read

DAY = date(2026, 11, 22)
ORIGIN = "https://gap.example.org"


def body_of(view, query: str | dict[str, list[str]] = "", **wanted):
    chosen, ignored = read(view, query)
    return answer_of(view, chosen, wanted=PanelSettings(**wanted), ignored=ignored, origin=ORIGIN, today=DAY)


def share_of(view, query=""):
    return lxml.html.fragment_fromstring(body_of(view, query, part="share")["html"], create_parent=True)


@EVERY_VIEW
def test_any_choices_are_answered_with_the_parts_of_the_page_what_controls_say_and_what_was_ignored(view):
    """Their numbers, charts and how few are open: tests/web/test_same_numbers.py."""
    for choices in corpus(view, most=2):
        query = urlencode(choices, doseq=True)
        chosen, ignored = read(view, query)
        result = answer(view, chosen, ignored=ignored)
        body = body_of(view, query)
        assert json.loads(json.dumps(body, allow_nan=False)) == body
        assert body["parts"] == page_parts(Shown(view=view, settings=chosen, result=result))
        held, kept = controls(chosen), ["vs"] if view.comparable else []
        relabelled = {one.name: one.relabelled for group in held.groups for one in group.controls}
        relabelled |= {key: {} for key in kept} | {one.name: one.relabelled for one in held.first}
        assert {name: state[3] for name, state in body["controls"].items()} == relabelled
        assert body["ignored"] == {item.setting: problem(item) for item in result.ignored}
        assert "page" not in body


def test_what_cannot_be_used_is_told_beside_its_setting():
    body = body_of(VIEWS["/claims"], {"value": ["lots"], "quantity": ["memory-bandwidth"], "since": ["2012"]})
    assert body["ignored"]["value"].startswith("“lots” cannot be used; allowed: a growth a year such as 28")
    body = body_of(VIEWS["/training-compute"], "since=2020&until=2015")
    until = "“2015” cannot be used; allowed: a year or month no earlier than since (2020)."
    assert body["ignored"]["until"] == until
    assert body["controls"]["since"][0] == "2020"
    body = body_of(VIEWS["/training-compute"], "since=")
    assert body["ignored"]["since"].startswith("Nothing was entered; allowed: a year or month from ")


@EVERY_VIEW
def test_by_the_menu_the_page_itself_comes_with_the_finding(view):
    body = body_of(view, part="page")
    page = lxml.html.fragment_fromstring(body["page"])
    assert page.tag == "article" and page.get("data-path") == view.path
    assert not page.xpath(".//svg")
    height = f"height:{body['chart']['figure']['layout']['height']}px"
    assert height in page.xpath(".//*[@data-exhibit]")[0].get("style")
    plain = body_of(view)
    assert {name: body[name] for name in plain} == plain


@EVERY_VIEW
def test_the_exhibits_after_the_first_come_with_their_charts(view):
    exhibits = answer(view, view.settings()).exhibits
    body = body_of(view, part="further")
    assert [one["title"] for one in body["exhibits"]] == [one.chart.title for one in exhibits[1:]]
    assert all(one["chart"]["figure"]["layout"]["height"] >= 200 for one in body["exhibits"])
    line = answer(view, view.settings()).settings_line
    sources = [one["source"] for one in body["exhibits"]]
    assert line not in sources
    assert [source or line for source in sources] == [one.chart.source for one in exhibits[1:]]
    assert lxml.html.fromstring(body["leads"] or "<p/>").xpath("//a/@href") == list(view.related)
    assert len(exhibits) <= MOST_EXHIBITS


def test_of_exhibits_beside_the_finding_the_first_is_open_and_the_rest_are_on_request(monkeypatch):
    view = VIEWS["/growth-gap"]
    result = answer(view, view.settings())
    exhibits = [replace(one, section="finding") for one in result.exhibits]
    monkeypatch.setattr("panel.answer.answer", lambda *_, **__: replace(result, exhibits=exhibits))
    monkeypatch.setattr("panel.answer.onward", lambda *_, **__: ())
    body = body_of(view, part="further")
    assert [one["section"] for one in body["exhibits"]] == ["finding", *["changes"] * (len(exhibits) - 2)]


def test_where_to_go_on_says_what_is_found_there_and_of_own_data_only_where():
    view = next(view for view in VIEWS.values() if view.related)
    leads = onward(view, release=names()[0])
    assert [lead.path for lead in leads] == list(view.related) != []
    for lead in leads:
        to = VIEWS[lead.path]
        assert lead.finding == answer(to, to.settings(release=names()[0])).headline
        assert lead.question == to.question
    own = onward(view, release="your export")
    assert [(lead.path, lead.finding) for lead in own] == [(path, "") for path in view.related]


def test_the_embed_code_holds_nothing_that_could_end_its_attributes():
    view = VIEWS["/data"]
    chosen = read(view, urlencode({"find": "\"><script>'&"}))[0]
    code = embed_code(link(view, chosen), headline=answer(view, chosen).headline, origin=ORIGIN)
    frame, _, script = code.partition("<script>")
    assert frame.count("<") == 2 and frame.count(">") == 2 and script == f"{FOLLOW}</script>"
    query = link(view, chosen).partition("?")[2].replace("&", "&amp;")
    assert f"{ORIGIN}/data?embed=true&amp;{query}" in code
    assert share_of(view, urlencode({"find": "</textarea><script>"})).xpath("//script") == []


def test_a_reader_s_own_release_is_answered_and_share_gives_its_numbers_alone():
    own = from_export(exports.models(*exports.RUNS), None, name="your export", files=("models.csv", ""))
    view = VIEWS["/training-compute"]
    body = answer_of(view, view.settings(), wanted=PanelSettings(), release=own)
    assert "10× a year" in body["parts"]["headline"]
    assert body["link"] == ""
    html = answer_of(view, view.settings(), wanted=PanelSettings(part="share"), release=own)["html"]
    page = lxml.html.fragment_fromstring(html, create_parent=True)
    assert "which a link cannot carry" in page.text_content()
    [file] = page.xpath("//a")
    assert file.get("download") == "training-compute-own-data.csv"
    assert quote("Model 9") in file.get("href")
    assert page.xpath("//input | //textarea") == []
