import dataclasses
import json
import threading
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from lxml import html
from starlette.applications import Starlette
from starlette.testclient import TestClient

from panel.menu import PLAIN_PAGES
from tests.views.links import corpus
from tests.web.document import Document
from tests.web.served import EVERY_VIEW, HOST, client, static_folder
from views.compute_pool import ComputePool
from views.registry import VIEWS
from views.view import answer, link, read
from web import pages
from web.forms import FORMS
from web.oembed import discovery
from web.pages import Pages
from web.renderings import Renderings
from web.settings import Settings

BROWSER = {"Sec-Fetch-Mode": "navigate"}


@EVERY_VIEW
def test_a_pasted_link_shows_the_headline_and_picture_of_exactly_its_view(site, view):
    query = urlencode(corpus(view)[1] or {"release": "2025-11"}, doseq=True)
    settings, _ = read(view, query)
    result = answer(view, settings)
    head = Document(site.get(f"{view.path}?{query}&utm_source=chat&embed=true").text)
    assert head.titles == [f"{view.title} – Scaling Gap"]
    assert head.meta["og:title"] == head.meta["twitter:title"] == view.question
    assert head.meta["og:description"] == head.meta["description"] == result.headline
    assert head.meta["og:image:alt"] == head.meta["twitter:description"] == result.headline
    assert head.meta["twitter:card"] == "summary_large_image"
    assert [head.meta["og:url"]] == head.links["canonical"] == [f"{HOST}{result.link}"]
    assert head.meta["og:image"] == f"{HOST}/{view.name}.png?{result.link.partition('?')[2]}&size=wide"
    picture = site.get(head.meta["og:image"].removeprefix(HOST))
    assert picture.headers["content-type"] == head.meta["og:image:type"] == "image/png"
    assert picture.headers["cache-control"].endswith("immutable")
    size = [int(head.meta[f"og:image:{side}"]) for side in ("width", "height")]
    assert [int.from_bytes(picture.content[at : at + 4]) for at in (16, 20)] == size


def test_a_page_names_its_other_forms_and_the_api(site):
    head = Document(site.get("/training-compute?since=2018").text)
    query = head.meta["og:url"].partition("?")[2]
    assert "since=2018" in query
    feeds = [f"{HOST}/training-compute.atom?since=2018", f"{HOST}/feed.atom"]
    forms = [f"{HOST}/training-compute.{form}?{query}" for form in FORMS]
    frame = discovery(head.meta["og:url"], site=HOST)
    assert head.links["alternate"] == [*forms, frame, *feeds]
    for address in (*head.links["alternate"][:-1], *head.links["service-desc"]):
        assert site.get(address.removeprefix(HOST)).status_code == 200
    kinds = [element.get("type") for element in head.root.xpath("//link[@rel='alternate']")]
    assert kinds[: len(FORMS)] == [form.media_type.partition(";")[0] for form in FORMS.values()]
    assert kinds[len(FORMS) :] == ["application/json+oembed", *["application/atom+xml"] * 2]


def test_a_page_is_a_dataset_to_programs_with_its_release_licence_and_files(site):
    document = html.fromstring(site.get("/training-compute?since=2018&release=2026-07").text)
    (said,) = document.xpath("//script[@type='application/ld+json']/text()")
    found = json.loads(said)
    assert (found["@type"], found["version"]) == ("Dataset", "2026-07")
    assert found["name"] == VIEWS["/training-compute"].question
    assert "Epoch AI (CC BY 4.0)" in found["description"] and "/by/4.0/" in found["license"]
    assert [one["encodingFormat"] for one in found["distribution"]][3:5] == ["text/csv", "application/json"]
    for one in found["distribution"]:
        assert site.head(one["contentUrl"].removeprefix(HOST)).status_code == 200


@pytest.mark.parametrize("path", PLAIN_PAGES)
def test_a_page_without_a_view_says_what_it_answers(site, path):
    head = Document(site.get(path).text)
    assert head.titles == [f"{PLAIN_PAGES[path].title} – Scaling Gap"]
    assert head.meta["og:title"] == PLAIN_PAGES[path].title
    assert head.meta["og:description"] == PLAIN_PAGES[path].question
    assert head.meta["twitter:card"] == "summary"
    assert head.meta["og:image"] == f"{HOST}/apple-touch-icon.png"
    assert site.get("/apple-touch-icon.png").headers["content-type"] == "image/png"
    assert head.links["canonical"] == [f"{HOST}{path}"]
    assert PLAIN_PAGES[path].question in head.words("//noscript")


def test_a_deck_shows_its_title_its_questions_and_the_picture_of_its_first_view(site):
    views = [VIEWS["/accelerators"], VIEWS["/training-compute"]]
    links = [link(view, view.settings()) for view in views]
    query = urlencode({"view": [*links, "/nope"], "title": "Board <b>", "x": "1"}, doseq=True)
    head = Document(site.get(f"/deck?{query}").text)
    assert head.meta["og:title"] == "Board <b>"
    assert head.meta["og:description"] == " · ".join(view.question for view in views)
    assert head.meta["og:image"] == f"{HOST}/accelerators.png?{links[0].partition('?')[2]}&size=wide"
    assert head.meta["og:url"].startswith(f"{HOST}/deck?view=%2Faccelerators")
    assert "nope" not in head.meta["og:url"]
    assert "Board &lt;b&gt;" in head.html and "<b>" not in head.html


def test_public_url_decides_the_addresses_whatever_name_was_asked():
    with client(PUBLIC_URL="https://gap.example.org") as opened:
        head = Document(opened.get("/", headers={"Host": "localhost"}).text)
    for address in (head.meta["og:image"], *head.links["canonical"], *head.links["alternate"]):
        assert urlsplit(address)[:2] == ("https", "gap.example.org")


def when(go):
    """Return a build of chips that ends once it is let go."""

    def build(settings, release):
        assert go.wait(60)
        return VIEWS["/accelerators"].build(settings, release)

    return build


def slow_site(build):
    view = dataclasses.replace(VIEWS["/accelerators"], build=build)
    made: Any = {"settings": Settings(), "documents": Renderings(ordinary=ComputePool(threads=1))}
    page = Pages({view.path: view}, {}, index_html=static_folder() / "index.html", **made)
    return view, TestClient(Starlette(routes=[page]), base_url=HOST)


def test_a_browser_does_not_wait_for_a_slow_page_and_a_crawler_does(monkeypatch):
    monkeypatch.setattr(pages, "BROWSER_PATIENCE_S", 0.05)
    monkeypatch.setattr(pages, "CRAWLER_PATIENCE_S", 60.0)
    go = threading.Event()
    view, site = slow_site(when(go))
    with site:
        page = site.get("/accelerators?level=50", headers=BROWSER)
        assert not go.is_set()
        late = Document(page.text)
        assert late.meta["og:description"] == view.question
        assert (late.words("//p[@class='question']"), late.words("//h1")) == (view.question, "One moment …")
        assert late.streamlit and not late.root.xpath("//*[@id='first-answer']")
        assert "etag" not in page.headers and "refresh" not in page.headers
        assert late.one("//head/noscript/meta[@http-equiv='refresh']").get("content") == "1"
        framed = site.get("/accelerators?level=50&embed=true", headers=BROWSER)
        assert (framed.headers["refresh"], Document(framed.text).words("//h1")) == ("1", "One moment …")
        threading.Timer(0.2, go.set).start()
        crawled = Document(site.get("/accelerators?level=50").text)
        assert crawled.meta["og:description"] == crawled.words("//h1") != view.question
        again = site.get("/accelerators?level=50", headers=BROWSER)
        assert again.text == crawled.html
        assert 'http-equiv="refresh"' not in again.text
        site.get("/accelerators?level=50&embed=true")
        assert "refresh" not in site.get("/accelerators?level=50&embed=true", headers=BROWSER).headers


@pytest.mark.parametrize("query", ["", "?embed=true"])
def test_a_finding_that_cannot_be_made_leaves_the_page_and_is_logged(*, caplog, query):
    def build(_settings, _release):
        raise RuntimeError("broken within")

    view, site = slow_site(build)
    with site:
        page = site.get(f"/accelerators{query}")
    assert page.status_code == 200
    document = Document(page.text)
    assert document.meta["og:description"] == view.question
    assert document.words("//p[@class='question']") == view.question
    assert "refresh" not in page.headers and "etag" not in page.headers
    assert document.words("//h1") == (pages.FAULT if query else "One moment …")
    assert "broken within" in caplog.text and "broken within" not in page.text
