import json
from datetime import date, timedelta
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from data.releases import latest
from panel.answer import FILES, PanelSettings, answer_of
from tests.web.document import inside
from tests.web.served import DAY, EVERY_VIEW, HOST
from views.registry import VIEWS
from views.setting_kinds import Choice
from views.settings import definitions
from views.view import View, answer
from web.code_version import program
from web.delivery import FOR_GOOD, FOR_NOW
from web.forms import FORMS
from web.panels import PanelAnswers
from web.problem import MOST_ERRORS
from web.renderings import Renderings
from web.settings import Settings

part_setting = definitions(PanelSettings)["part"]
assert isinstance(part_setting, Choice)
PARTS = list(part_setting.options)


def panels_only(*, views=VIEWS, day=DAY, **settings):
    route = PanelAnswers(views, settings=Settings(**settings), renderings=Renderings(), day=lambda: day)
    return TestClient(Starlette(routes=[route]), base_url=HOST)


def result_of(view: View):
    return answer(view, view.settings())


@EVERY_VIEW
@pytest.mark.parametrize("part", PARTS)
def test_every_view_answers_for_every_part_of_its_page(*, site, view, part):
    got = site.get(f"/{view.name}.panel.json?part={part}")
    assert got.status_code == 200, got.text
    assert got.headers["content-type"] == "application/json"
    body: Any = got.json()
    assert got.text == json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    wanted, today = PanelSettings(part=part), date.today()
    own = answer_of(view, view.settings(), wanted=wanted, ignored=(), origin=HOST, today=today)
    assert body == {**json.loads(json.dumps(own)), "program": program()}


@pytest.mark.parametrize("path", ["/", "/placement"])
def test_share_offers_links_files_frame_and_the_citation_of_the_file(site, path: str):
    view = VIEWS[path]
    share = inside(site.get(f"/{view.name}.panel.json?part=share").json()["html"])
    result = result_of(view)
    values = share.xpath(".//input[@readonly]/@value")
    *_, numbers, picture, feed = values
    assert values[:2] == [f"{HOST}{result.short_link}", f"{HOST}{result.link}"]
    assert share.xpath(".//button/@data-copy")[:5] == values
    assert (numbers, picture) == (f"{HOST}/{view.name}.csv", f"{HOST}/{view.name}.png")
    assert site.get(feed).status_code == 200 and result.figure(feed.partition("tell=")[2]).key
    query = result.link.partition("?")[2]
    assert share.xpath(".//p[@class='files to-present']/a/@href") == [f"{result.link}&present=1"]
    files = share.xpath(".//p[@class='files']/a/@href")
    assert files == [f"/{view.name}.{word}?{query}" for word in FILES]
    assert set(FILES) == set(FORMS)
    for address in files:
        assert site.head(address).headers["cache-control"] == (FOR_NOW if ".bib?" in address else FOR_GOOD)
    frame, live, sentence, bibtex = (one.text for one in share.xpath(".//textarea"))
    assert [frame, live, sentence, bibtex] == share.xpath(".//button/@data-copy")[5:]
    assert inside(live).find("iframe").get("src") == f"{HOST}{path}?embed=true"
    assert f"Data release {latest()}" in sentence
    assert bibtex == site.get(f"/{view.name}.bib").text
    shown = inside(frame).find("iframe")
    assert shown.get("title") == result.headline
    assert site.get(shown.get("src").removeprefix(HOST)).status_code == 200


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("query", ["", "since=1492&later=1"])
def test_an_answer_is_kept_for_good_for_the_pages_of_its_program_alone(*, site, part, query):
    address = f"/training-compute.panel.json?part={part}&{query}"
    plain = site.get(address)
    assert plain.headers["cache-control"] == FOR_NOW
    by_us = site.get(f"{address}&by={program()}")
    assert by_us.headers["cache-control"] == (FOR_NOW if part == "share" else FOR_GOOD)
    by_others = site.get(f"{address}&by=0123456789ab")
    assert by_others.headers["cache-control"] == "no-store"
    assert plain.json() == by_us.json() == by_others.json()
    assert plain.json()["program"] == program()


def test_a_program_is_its_sources_and_its_data(monkeypatch):
    ours = program()
    monkeypatch.setattr("web.code_version.fingerprint", lambda: "other data")
    others = program()
    monkeypatch.setattr("web.code_version.code_version", lambda: "other sources")
    assert len({ours, others, program()}) == 3


@pytest.mark.parametrize(
    ("query", "errors"),
    [
        ("part=x", {"part": ("x", ", ".join(PARTS))}),
        ("part=table&part=page", {"part": ("table and page", f"one value, {', '.join(PARTS)}")}),
        ("part=table&exhibit=0", {"exhibit": ("0", "a whole number from 1 to 9")}),
        ("part=table&exhibit=9", {"exhibit": ("9", "a whole number from 1 to {n}")}),
        (
            "part=x&exhibit=0",
            {"part": ("x", ", ".join(PARTS)), "exhibit": ("0", "a whole number from 1 to 9")},
        ),
    ],
)
def test_a_part_there_is_not_is_refused_by_field_value_and_what_is_allowed(*, site, query, errors):
    view = VIEWS["/"]
    n = len(result_of(view).exhibits)
    got = site.get(f"/{view.name}.panel.json?{query}")
    assert got.status_code == 422
    assert got.headers["content-type"] == "application/problem+json"
    assert got.headers["cache-control"] == "no-store"
    body = got.json()["errors"]
    expected = {field: (value, allowed.replace("{n}", str(n))) for field, (value, allowed) in errors.items()}
    assert {one["field"]: (one["value"], one["allowed"]) for one in body} == expected
    assert len(body) <= MOST_ERRORS


def test_share_names_the_day_and_the_public_address_and_is_made_anew_the_next_day():
    address = "/training-compute.panel.json?part=share"
    with panels_only() as today, panels_only(day=DAY + timedelta(days=1)) as tomorrow:
        first, second = today.get(address), tomorrow.get(address)
        assert "urldate = {2026-08-03}" in first.json()["html"]
        assert "urldate = {2026-08-04}" in second.json()["html"]
        assert first.headers["etag"] != second.headers["etag"]
        finding = "/training-compute.panel.json"
        assert today.get(finding).headers["etag"] == tomorrow.get(finding).headers["etag"]
    with panels_only(public_url="https://gap.example.org") as elsewhere:
        html = elsewhere.get(address, headers={"Host": "box"}).json()["html"]
        assert "https://gap.example.org/v/" in html and "box" not in html


def test_a_number_beyond_all_bounds_is_a_dash_and_sorted_as_nothing(site):
    body = site.get("/growth-gap.panel.json?bandwidth_growth=5&part=table&exhibit=2").json()
    (endless,) = [at for at, row in enumerate(body["rows"]) if row[0].startswith("Years until the gap")]
    assert (body["rows"][endless][1], body["keys"][endless][1]) == ("–", None)
