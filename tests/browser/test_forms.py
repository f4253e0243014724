"""The started app answers every form, as curl, a crawler and a browser ask for it."""

import http.client
import re
import time
import urllib.request
from html import unescape

import pytest

from tests.browser.reader import DEADLINE_S
from views.registry import VIEWS
from web.forms import FORMS

AT_LEAST_PER_S = 500
"""What the design promises of files from cache; halved where cores are shared. [1/s]"""


@pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
def test_every_form_of_a_view_answers_200_with_its_type(server, view):
    for form in FORMS.values():
        with urllib.request.urlopen(f"{server.url}/{view.name}.{form.extension}", timeout=DEADLINE_S) as got:
            assert got.status == 200
            assert got.headers["Content-Type"] == form.media_type
            assert len(got.read()) > 100


def test_a_pasted_link_shows_its_own_headline_and_picture(server):
    with urllib.request.urlopen(f"{server.url}/training-compute?rule=records", timeout=DEADLINE_S) as got:
        page = got.read().decode()
    described = re.search(r'property="og:description" content="([^"]+)"', page)
    picture = re.search(r'property="og:image" content="([^"]+)"', page)
    assert described and "record" in described[1].lower()
    assert picture and picture[1].startswith(f"{server.url}/training-compute.png?")
    with urllib.request.urlopen(unescape(picture[1]), timeout=DEADLINE_S) as got:
        assert got.read(8) == b"\x89PNG\r\n\x1a\n"


def test_the_page_with_its_preview_still_draws_and_breaks_no_policy(open_page):
    page = open_page("/training-compute?since=2018")
    assert page.locator("h1").count() == 1
    assert page.locator(".panel .live.js-plotly-plot").count() >= 1
    assert page.locator('meta[property="og:image"]').count() == 1


def test_a_picture_opened_as_a_page_is_shown(server, new_page):
    page = new_page()
    page.goto(f"{server.url}/training-compute.svg?size=wide")
    assert page.locator("svg").count() >= 1


def test_kept_files_are_answered_by_the_hundred_a_second(server):
    connection = http.client.HTTPConnection(server.url.partition("//")[2], timeout=DEADLINE_S)

    def ask() -> None:
        connection.request("GET", "/training-compute.csv", headers={"Accept-Encoding": "gzip"})
        assert connection.getresponse().read()

    ask()
    began = time.monotonic()
    for _ in range(300):
        ask()
    rate = 300 / (time.monotonic() - began)
    connection.close()
    assert rate > AT_LEAST_PER_S / 4, rate
