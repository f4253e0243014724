import io
from urllib.parse import urlencode, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pptx import Presentation

from tests.web.served import app, ask, client
from views.deck import deck_link, parse_deck, short_deck
from views.registry import VIEWS
from views.short_link.letters import LETTERS
from views.short_link.token import token
from views.view import link, read, short
from web.delivery import FOR_GOOD
from web.forms import FORMS

VIEW = VIEWS["/training-compute"]
CHOSEN = read(VIEW, "since=2018&domain=language&release=2026-07")[0]
SHORT, LONG = short(VIEW, CHOSEN), link(VIEW, CHOSEN)
DECK = parse_deck(urlencode([("view", "/"), ("view", LONG)]))[0]
BROWSER = {"accept": "text/html,application/xhtml+xml"}


@pytest.fixture(scope="module")
def served():
    with client() as running:
        running.follow_redirects = False
        yield running


def test_a_short_link_leads_to_the_spelled_out_pinned_link_for_good(served):
    got = served.get(SHORT)
    assert (got.status_code, got.content) == (308, b"")
    assert got.headers["location"] == LONG
    assert got.headers["cache-control"] == FOR_GOOD
    head = served.head(SHORT)
    assert (head.status_code, head.headers["location"]) == (308, LONG)


@pytest.mark.parametrize("around", ["/", ".", ")", ",", "?utm_source=x"])
def test_what_a_sentence_puts_around_a_link_does_no_harm(served, around):
    assert served.get(SHORT + around).headers["location"].startswith(LONG)


@pytest.mark.parametrize("extension", FORMS)
def test_every_form_is_reached_by_its_ending(served, extension):
    got = served.get(f"{SHORT}.{extension}")
    assert got.status_code == 308
    assert got.headers["location"] == f"/{VIEW.name}.{extension}?{LONG.partition('?')[2]}"
    assert served.head(got.headers["location"]).status_code == 200


def test_the_start_page_has_a_short_link_and_forms(served):
    start = VIEWS["/"]
    address = short(start, start.settings())
    assert served.get(address).headers["location"].startswith("/?release=")
    assert served.get(f"{address}.svg").headers["location"].startswith("/overview.svg?release=")


def test_a_deck_is_led_to_as_page_and_as_slides(served):
    address = short_deck(DECK)
    assert parse_deck(urlsplit(served.get(address).headers["location"]).query) == (DECK, ())
    slides = served.get(f"{address}.pptx", follow_redirects=True)
    assert len(Presentation(io.BytesIO(slides.content)).slides) == 5
    assert slides.headers["cache-control"] == FOR_GOOD
    assert slides.content == served.get(deck_link(DECK).replace("/deck?", "/deck.pptx?")).content


@pytest.mark.parametrize(
    "address", ["/v/", f"{SHORT[:-1]}", f"{SHORT}x", "/v/..%2Fetc", "/v/%F0%9F%92%A5", "/v/" + "7" * 5000]
)
def test_a_damaged_short_link_is_told_to_a_reader_and_to_a_program(served, address):
    page = served.get(address, headers=BROWSER)
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["cache-control"] == "no-store"
    assert "<title>Damaged link – Scaling Gap</title>" in page.text
    assert "<h1>This short link cannot be followed</h1>" in page.text
    assert "This short link is damaged or cut short: " in page.text
    assert '<a href="/">Go to the overview</a>' in page.text
    problem = served.get(address)
    assert (problem.status_code, problem.headers["content-type"]) == (404, "application/problem+json")
    assert problem.json()["detail"].startswith("This short link is damaged or cut short: ")
    assert served.head(address).status_code == 404


def test_what_there_no_longer_is_is_told_with_a_way_to_what_is_left(served):
    page = served.get(f"/v/{token(VIEW.path, CHOSEN.described() | {'since': '1066'})}", headers=BROWSER)
    assert page.status_code == 404
    assert "since=1066 is no longer available; allowed: " in page.text
    assert '<a href="/training-compute?until=end&amp;' in page.text
    assert "Open what could be read</a>" in page.text


def test_a_form_that_there_is_not_is_told_with_those_there_are(served):
    assert served.get(f"{SHORT}.gif").json()["detail"] == (
        "This short link has no form with that ending. "
        "Add .png, .svg, .pdf, .csv, .json, .pptx, .ipynb, .html, .bib, or no ending."
    )
    assert "Add .pptx, or no ending." in served.get(f"{short_deck(DECK)}.png").json()["detail"]


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    path=st.one_of(st.text(max_size=60), st.text(LETTERS, max_size=40), st.just(SHORT[3:])),
    query=st.binary(max_size=100),
)
def test_whatever_is_asked_leads_on_this_site_or_is_refused(path, query):
    status, headers, body = ask(SITE, f"/v/{path}", query=query, accept="text/html")
    assert status in (308, 404)
    if status == 308:
        assert headers["location"].startswith("/training-compute")
        assert "\r" not in headers["location"] and "\n" not in headers["location"]
    else:
        assert b"<script" not in body


SITE = app()
