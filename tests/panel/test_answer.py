"""What an open page is answered: the finding, the rest, a table, what Share offers."""

import json
from dataclasses import replace
from datetime import date
from urllib.parse import quote, urlencode

import lxml.html
import pytest

from data.releases import from_export, latest, names
from panel.answer import FILES, MOST_EXHIBITS, PanelSettings, answer_of, embed_code, onward
from panel.controls import controls
from panel.page import Shown, page_parts, problem
from tests.data import exports
from tests.views.links import corpus
from views.registry import VIEWS
from views.setting_kinds import SettingError
from views.settings import definitions
from views.view import answer, link, read
from web.forms import FORMS

EVERY_VIEW = pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
DAY = date(2026, 11, 22)
ORIGIN = "https://gap.example.org"
RUNS = [
    {"name": f"Model {n}", "published_on": f"{2013 + n}-03-01", "training_compute_flop": f"1e{18 + n}"}
    for n in range(10)
]


def asked(view, query: str | dict[str, list[str]] = "", **wanted):
    chosen, ignored = read(view, query)
    return answer_of(view, chosen, wanted=PanelSettings(**wanted), ignored=ignored, origin=ORIGIN, today=DAY)


def share_of(view, query=""):
    return lxml.html.fragment_fromstring(asked(view, query, part="share")["html"], create_parent=True)


@EVERY_VIEW
def test_any_choices_are_answered_with_what_the_page_says_and_what_the_controls_hold(view):
    for choices in corpus(view, most=5):
        query = urlencode(choices, doseq=True)
        chosen, ignored = read(view, query)
        result = answer(view, chosen, ignored=ignored)
        body = asked(view, query)
        assert json.loads(json.dumps(body, allow_nan=False)) == body
        assert body["link"] == result.link
        assert body["parts"] == page_parts(Shown(view=view, settings=chosen, result=result))
        assert {name: state[0] for name, state in body["controls"].items()} == chosen.described()
        assert read(view, body["query"])[0] == chosen
        assert body["chart"]["alt"] == result.exhibits[0].chart.alt
        assert body["ignored"] == {item.setting: problem(item) for item in result.ignored}
        assert "page" not in body


def test_what_cannot_be_used_is_told_beside_its_setting():
    body = asked(VIEWS["/claims"], {"value": ["lots"], "quantity": ["memory-bandwidth"], "since": ["2012"]})
    assert body["ignored"]["value"].startswith("“lots” cannot be used; allowed: a growth a year such as 28")
    body = asked(VIEWS["/training-compute"], "since=2020&until=2015")
    assert (
        body["ignored"]["until"]
        == "“2015” cannot be used; allowed: a year or month no earlier than since (2020)."
    )
    assert body["controls"]["since"][0] == "2020"
    body = asked(VIEWS["/training-compute"], "since=")
    assert body["ignored"]["since"].startswith("Nothing was entered; allowed: a year or month from ")


@EVERY_VIEW
def test_by_the_menu_the_page_itself_comes_with_the_finding(view):
    body = asked(view, part="page")
    page = lxml.html.fragment_fromstring(body["page"])
    assert page.tag == "article" and page.get("data-path") == view.path
    plain = asked(view)
    assert {name: body[name] for name in plain} == plain


@EVERY_VIEW
def test_the_exhibits_after_the_first_come_with_their_charts(view):
    exhibits = answer(view, view.settings()).exhibits
    body = asked(view, part="further")
    assert [one["title"] for one in body["exhibits"]] == [one.chart.title for one in exhibits[1:]]
    assert [one["chart"]["alt"] for one in body["exhibits"]] == [one.chart.alt for one in exhibits[1:]]
    assert all(one["chart"]["figure"]["layout"]["height"] >= 200 for one in body["exhibits"])
    line = answer(view, view.settings()).settings_line
    assert line not in [one["source"] for one in body["exhibits"]]
    assert {one.chart.source for one in exhibits[1:]} <= {line, *(one["source"] for one in body["exhibits"])}
    assert len(exhibits) <= MOST_EXHIBITS


@EVERY_VIEW
def test_a_page_shows_three_figures_and_notes_and_two_charts_open_at_most(view):
    for choices in corpus(view, most=5):
        query = urlencode(choices, doseq=True)
        parts = asked(view, query)["parts"]
        shown = {name: lxml.html.fragment_fromstring(parts[name], create_parent=True) for name in parts}
        assert len(shown["figures"].xpath(".//dd")) <= 3
        assert len(shown["notes"].xpath("./li")) <= 3
        sections = [one["section"] for one in asked(view, query, part="further")["exhibits"]]
        assert set(sections) <= {"finding", "sure", "changes"}
        assert sections.count("finding") <= 1


def test_of_exhibits_beside_the_finding_the_first_is_open_and_the_rest_are_on_request(monkeypatch):
    view = VIEWS["/growth-gap"]
    found = answer(view, view.settings())
    exhibits = [replace(one, section="finding") for one in found.exhibits]
    monkeypatch.setattr("panel.answer.answer", lambda *_, **__: replace(found, exhibits=exhibits))
    monkeypatch.setattr("panel.answer.onward", lambda *_, **__: ())
    body = asked(view, part="further")
    assert [one["section"] for one in body["exhibits"]] == ["finding", *["changes"] * (len(exhibits) - 2)]


@EVERY_VIEW
def test_each_table_comes_whole_with_what_it_is_sorted_by(view):
    for number, exhibit in enumerate(answer(view, view.settings()).exhibits, start=1):
        body = asked(view, part="table", exhibit=number)
        assert len(body["rows"]) == len(body["keys"]) == len(exhibit.table.rows)
        assert len(body["columns"]) == len(exhibit.table.columns)
        for row, cells, keys in zip(exhibit.table.rows, body["rows"], body["keys"], strict=True):
            for cell, text, key in zip(row, cells, keys, strict=True):
                assert text
                if isinstance(cell, int | float) and cell == cell:
                    assert key == cell
                elif not cell:
                    assert key is None or cell == key


def test_an_exhibit_there_is_not_is_refused_with_how_many_there_are():
    view = VIEWS["/training-compute"]
    there = len(answer(view, view.settings()).exhibits)
    with pytest.raises(SettingError) as refused:
        asked(view, part="table", exhibit=there + 1)
    assert str(refused.value) == (f"exhibit: got '{there + 1}'; allowed: a whole number from 1 to {there}.")


@EVERY_VIEW
def test_where_to_go_on_says_what_is_found_there(view):
    for lead in onward(view, release=latest()):
        assert lead.finding == answer(VIEWS[lead.path], VIEWS[lead.path].settings()).headline
        assert lead.question == VIEWS[lead.path].question
    assert [lead.path for lead in onward(view, release=latest())] == list(view.leads_to)
    assert all(not lead.finding for lead in onward(view, release="your export"))


def test_the_start_page_shows_the_finding_of_each_view_it_leads_to_at_its_release():
    body = asked(VIEWS["/"], f"release={names()[0]}", part="further")
    for path in VIEWS["/"].leads_to:
        to = VIEWS[path]
        found = answer(to, to.settings(release=names()[0])).headline
        assert (
            found.replace(" %", "\N{NO-BREAK SPACE}%") in lxml.html.fromstring(body["leads"]).text_content()
        )
    assert VIEWS["/"].leads_to


@EVERY_VIEW
def test_share_names_every_form_both_links_the_frame_and_the_citation(view):
    result = answer(view, view.settings())
    page = share_of(view)
    assert page.xpath("//input[@aria-label='Full link']/@value") == [f"{ORIGIN}{result.link}"]
    assert page.xpath("//input[@aria-label='Short link']/@value") == [f"{ORIGIN}{result.short_link}"]
    query = result.link.partition("?")[2]
    assert page.xpath("//p[@class='files to-present']/a/@href") == [f"{result.link}&present=1"]
    links = page.xpath("//p[@class='files']/a/@href")
    forms = [f"/{view.name}.{word}?{query}" for word in FILES]
    assert links == forms
    assert set(FILES) == set(FORMS)
    texts = {area.get("aria-label"): area.text for area in page.xpath("//textarea")}
    assert texts["Embed code"].startswith("<iframe src=")
    assert f"Data release {latest()}" in texts["Citation"]
    assert texts["BibTeX"].startswith("@misc{")
    for area in page.xpath("//textarea"):
        assert area.getparent().xpath("button/@data-copy") == [area.text]


def test_the_embed_code_holds_nothing_that_could_end_its_attributes():
    view = VIEWS["/data"]
    chosen = read(view, urlencode({"find": "\"><script>'&"}))[0]
    code = embed_code(link(view, chosen), headline=answer(view, chosen).headline, origin=ORIGIN)
    assert code.count("<") == 2 and code.count(">") == 2
    query = link(view, chosen).partition("?")[2].replace("&", "&amp;")
    assert f"{ORIGIN}/data?embed=true&amp;{query}" in code
    assert share_of(view, urlencode({"find": "</textarea><script>"})).xpath("//script") == []


def test_a_reader_s_own_release_is_answered_and_share_gives_its_numbers_alone():
    own = from_export(exports.models(*RUNS), None, name="your export", files=("models.csv", ""))
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
    page = answer_of(view, view.settings(), wanted=PanelSettings(part="further"), release=own)
    assert page["exhibits"]


def test_labels_that_depend_on_other_choices_come_with_the_answer():
    for view in VIEWS.values():
        body = asked(view)
        held = controls(view.settings())
        every = [*held.first, *(one for group in held.groups for one in group.controls)]
        assert {one.name: one.relabelled for one in every} == {
            name: state[3] for name, state in body["controls"].items()
        }
        assert body["controls"].keys() == definitions(view.settings).keys()


def test_the_start_page_leads_to_the_most_used_views_with_their_findings():
    start = VIEWS["/"]
    found = onward(start, release=latest())
    assert [one.path for one in found] == list(start.leads_to)
    assert {"/growth-gap", "/training-run"} <= {one.path for one in found}
    for one in found:
        view = VIEWS[one.path]
        assert (one.question, one.finding) == (view.question, answer(view, view.settings()).headline)
    assert found[0].finding in asked(start, part="further")["leads"]


def test_findings_of_a_readers_own_export_are_not_computed_for_the_start_page():
    assert {one.finding for one in onward(VIEWS["/"], release="your export")} == {""}
