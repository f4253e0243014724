"""What a page that quotes our links is answered (oembed.com, version 1.0), and how it finds that."""

from urllib.parse import urlencode

import pytest
from lxml import html
from starlette.testclient import TestClient

from tests.web.served import HOST, app, on_loopback
from views.registry import VIEWS
from views.view import answer


def test_a_page_names_where_its_frame_is_asked_for_and_the_answer_has_every_required_field(site: TestClient):
    head = html.fromstring(site.get("/training-compute?since=2018").text)
    (found,) = head.xpath("//link[@type='application/json+oembed']/@href")
    said = site.get(found.removeprefix(HOST)).json()
    assert (said["version"], said["type"], said["provider_name"]) == ("1.0", "rich", "Scaling Gap")
    assert said["title"] == VIEWS["/training-compute"].question
    frame = html.fromstring(f"<div>{said['html']}</div>").find("iframe")
    assert (frame.get("width"), frame.get("height")) == (str(said["width"]), str(said["height"]))
    shown = site.get(frame.get("src").removeprefix(HOST))
    assert shown.status_code == 200 and "since=2018" in frame.get("src") and "release=" in frame.get("src")
    assert site.head(said["thumbnail_url"].removeprefix(HOST)).headers["content-type"] == "image/png"


def test_a_consumer_library_puts_the_frame_in_place_of_a_link_and_leaves_other_links():
    from micawber import Provider, ProviderRegistry  # takes long to import

    with on_loopback(app(ALLOWED_HOSTS="*")) as host:
        consumer = ProviderRegistry()
        consumer.register(rf"{host}/\S*", Provider(f"{host}/oembed", timeout=30))
        link, elsewhere = f"{host}/training-compute?since=2018", f"{host}/nowhere"
        shown, left = consumer.parse_text(f"{link}\n{elsewhere}", maxwidth=400).split("\n")
    frame = html.fromstring(f"<div>{shown}</div>").find("iframe")
    assert frame.get("src").startswith(f"{link.partition('?')[0]}?") and "since=2018" in frame.get("src")
    assert frame.get("width") == "400" and elsewhere in left and "iframe" not in left


@pytest.mark.parametrize(("path", "short"), [("/placement", True), ("/training-run?precision=fp8", False)])
def test_short_links_and_frames_of_a_given_size_are_answered(*, site: TestClient, path, short):
    view = VIEWS[path.partition("?")[0]]
    address = answer(view, view.settings()).short_link if short else path
    query = urlencode({"url": f"{HOST}{address}", "maxwidth": 320, "maxheight": 400})
    said = site.get(f"/oembed?{query}").json()
    assert (said["width"], said["height"], said["title"]) == (320, 400, view.question)


@pytest.mark.parametrize(
    ("query", "status", "detail"),
    [
        ({"url": "https://elsewhere.example/x"}, 404, "url is the address of a view"),
        ({"url": "/nowhere"}, 404, "There is no view"),
        ({}, 404, "got ''"),
        ({"url": "/", "format": "xml"}, 501, "format=json"),
    ],
)
def test_what_has_no_frame_is_said(*, site: TestClient, query, status, detail):
    reply = site.get(f"/oembed?{urlencode(query)}")
    assert reply.status_code == status and detail in reply.json()["detail"]
