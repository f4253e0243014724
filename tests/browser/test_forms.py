"""The started app answers every form, as curl, a crawler and a browser ask for it."""

import http.client
import re
import time
import urllib.request
from html import unescape

from tests.browser.reader import DEADLINE_S

AT_LEAST_PER_S = 500
"""What the design promises of files from cache; halved where cores are shared. [1/s]"""


def test_a_pasted_link_shows_its_own_headline_and_picture(server):
    with urllib.request.urlopen(f"{server.url}/training-compute?rule=records", timeout=DEADLINE_S) as got:
        page = got.read().decode()
    described = re.search(r'property="og:description" content="([^"]+)"', page)
    picture = re.search(r'property="og:image" content="([^"]+)"', page)
    assert described and "record" in described[1].lower()
    assert picture and picture[1].startswith(f"{server.url}/training-compute.png?")
    with urllib.request.urlopen(unescape(picture[1]), timeout=DEADLINE_S) as got:
        assert got.read(8) == b"\x89PNG\r\n\x1a\n"


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
