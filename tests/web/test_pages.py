"""What a crawler finds at the address of a page."""

import dataclasses
import re
import time
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urlencode, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.web.served import HOST, client, index_html, static_folder
from views.registry import VIEWS
from views.view import answer, link, read
from web.middleware.security_headers import inline_script_hashes
from web.pages import Pages
from web.paths import PLAIN_PAGES
from web.preview import Preview, with_preview
from web.renderings import Renderings
from web.settings import Settings


class Head(HTMLParser):
    """What a crawler reads: title, meta tags by name or property, links by relation."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.title, self.inside = [], False
        self.meta, self.links = {}, {}
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "meta":
            name = given.get("property") or given.get("name")
            assert name is None or name not in self.meta, f"{name} stands twice"
            self.meta[name] = given.get("content")
        elif tag == "link":
            self.links.setdefault(given.get("rel"), given.get("href"))
        self.inside = tag == "title"

    def handle_data(self, data):
        if self.inside:
            self.title.append(data)

    def handle_endtag(self, tag):
        self.inside = False


@pytest.fixture(scope="module")
def site():
    with client() as opened:
        yield opened


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_a_pasted_link_shows_the_headline_and_picture_of_exactly_its_view(site, view):
    settings, _ = read(view, "release=2025-11")
    result = answer(view, settings)
    head = Head(site.get(f"{view.path}?release=2025-11&utm_source=chat&embed=true").text)
    assert head.title == [f"{view.question} · Scaling Gap"]
    assert head.meta["og:title"] == head.meta["twitter:title"] == view.question
    assert head.meta["og:description"] == head.meta["description"] == result.headline
    assert head.meta["twitter:card"] == "summary_large_image"
    assert head.meta["og:url"] == head.links["canonical"] == f"{HOST}{result.link}"
    assert head.meta["og:image"] == f"{HOST}/{view.name}.png?{result.link.partition('?')[2]}&size=wide"
    picture = site.get(head.meta["og:image"].removeprefix(HOST))
    assert picture.headers["content-type"] == head.meta["og:image:type"] == "image/png"
    assert picture.headers["cache-control"].endswith("immutable")
    assert [int.from_bytes(picture.content[at : at + 4]) for at in (16, 20)] == [
        int(head.meta[f"og:image:{side}"]) for side in ("width", "height")
    ]


@pytest.mark.parametrize("path", PLAIN_PAGES)
def test_a_page_without_a_view_says_what_it_answers(site, path):
    head = Head(site.get(path).text)
    assert head.meta["og:title"] == PLAIN_PAGES[path].title
    assert head.meta["og:description"] == PLAIN_PAGES[path].question
    assert head.meta["twitter:card"] == "summary"
    assert "og:image" not in head.meta
    assert head.links["canonical"] == f"{HOST}{path}"


def test_a_deck_shows_its_title_its_questions_and_the_picture_of_its_first_view(site):
    views = [VIEWS["/accelerators"], VIEWS["/training-compute"]]
    links = [link(view, view.settings()) for view in views]
    query = urlencode({"view": [*links, "/nope"], "title": "Board <b>", "x": "1"}, doseq=True)
    head = Head(site.get(f"/deck?{query}").text)
    assert head.meta["og:title"] == "Board <b>"
    assert head.meta["og:description"] == " · ".join(view.question for view in views)
    assert head.meta["og:image"] == f"{HOST}/accelerators.png?{links[0].partition('?')[2]}&size=wide"
    assert head.meta["og:url"].startswith(f"{HOST}/deck?view=%2Faccelerators")
    assert "nope" not in head.meta["og:url"]


def test_a_hostile_link_gets_the_preview_of_the_default_view_and_none_of_its_text(site):
    view = VIEWS["/training-compute"]
    query = "since=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&zz=%3Cb%3E&top=%00&rule=frontier"
    text = site.get(f"/training-compute?{query}").text
    assert "alert(1)" not in text
    assert Head(text).meta["og:url"] == f"{HOST}{link(view, view.settings())}"


def test_text_of_a_link_that_is_a_sound_setting_is_escaped(site):
    text = site.get("/data?find=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").text
    assert "<script>alert" not in text
    head = Head(text)
    assert '"><script>alert(1)</script>' in head.meta["og:description"]
    assert "find=%22%3E%3Cscript%3E" in head.meta["og:url"]


def test_an_endless_query_gets_the_default_preview(site):
    head = Head(site.get("/training-compute?since=" + "2" * 20_000).text)
    assert "since=2012" in head.meta["og:url"]


def test_the_scripts_of_the_page_are_untouched_so_that_the_policy_still_allows_them(site):
    text = site.get("/training-compute").text
    assert inline_script_hashes(text) == inline_script_hashes(index_html())
    for digest in inline_script_hashes(text):
        assert digest in site.get("/").headers["content-security-policy"]
    sources = re.findall(r'<script[^>]*src="[^"]*"', index_html())
    assert sources and re.findall(r'<script[^>]*src="[^"]*"', text) == sources
    assert '<div id="root"></div>' in text


def test_without_scripts_a_reader_has_the_finding_its_picture_and_its_files(site):
    text = site.get("/training-compute").text
    inside = unescape(text.partition("<noscript>")[2].partition("</noscript>")[0])
    assert answer(VIEWS["/training-compute"], read(VIEWS["/training-compute"], "")[0]).headline in inside
    addresses = re.findall(r'href="([^"]+)"', inside)
    assert len(addresses) == 7
    for address in addresses:
        assert site.get(address.removeprefix(HOST)).status_code == 200


def test_public_url_decides_the_addresses_whatever_name_was_asked():
    with client(PUBLIC_URL="https://gap.example.org") as opened:
        head = Head(opened.get("/", headers={"Host": "localhost"}).text)
    for address in (head.meta["og:image"], head.meta["og:url"], head.links["canonical"]):
        assert urlsplit(address)[:2] == ("https", "gap.example.org")


def test_a_page_is_never_kept_and_answers_get_and_head_only(site):
    assert site.get("/").headers["cache-control"] == "no-cache"
    assert "etag" not in site.get("/").headers
    refused = site.post("/training-compute")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")


def slow_site(build):
    view = dataclasses.replace(VIEWS["/accelerators"], build=build)
    pages = Pages(
        {view.path: view},
        {},
        settings=Settings(),
        index_html=static_folder() / "index.html",
        headlines=Renderings(threads=1),
    )
    return view, TestClient(Starlette(routes=[pages]), base_url=HOST)


def test_a_browser_does_not_wait_for_a_slow_headline_and_a_crawler_does():
    def build(settings, release):
        time.sleep(0.6)
        return VIEWS["/accelerators"].build(settings, release)

    view, site = slow_site(build)
    with site:
        began = time.monotonic()
        page = site.get("/accelerators?level=50", headers={"Sec-Fetch-Mode": "navigate"})
        assert time.monotonic() - began < 0.5
        assert Head(page.text).meta["og:description"] == view.question
        crawled = Head(site.get("/accelerators?level=50").text)
        assert crawled.meta["og:description"] != view.question
        again = site.get("/accelerators?level=50", headers={"Sec-Fetch-Mode": "navigate"})
        assert Head(again.text).meta["og:description"] == crawled.meta["og:description"]


def test_a_headline_that_cannot_be_made_leaves_the_page_and_is_logged(caplog):
    def build(_settings, _release):
        raise RuntimeError("broken within")

    view, site = slow_site(build)
    with site:
        page = site.get("/accelerators")
    assert page.status_code == 200
    assert Head(page.text).meta["og:description"] == view.question
    assert "broken within" in caplog.text


def test_characters_no_document_can_hold_do_not_reach_it():
    preview = Preview(title="a\0b", description="c\x07d & <e>", address="https://x.example/")
    head = Head(with_preview("<html><head></head><body></body></html>", preview))
    assert head.meta["og:description"] == "c d & <e>"
    assert head.meta["og:title"] == "a b"
