import re
from urllib.parse import parse_qs, quote, urlsplit

import feedparser
import pytest
from starlette.testclient import TestClient

from tests.cases import cases
from tests.length import at_length
from tests.web.served import HOST
from views.moved import RETOLD, moved, moved_anywhere
from views.registry import VIEWS
from views.view import read as choices
from web.feeds import feed_address


def read(site: TestClient, address: str):
    answer = site.get(address)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/atom+xml; charset=utf-8"
    feed = feedparser.parse(answer.content)
    assert not feed.bozo, feed.get("bozo_exception")
    assert feed.version == "atom10"
    return feed


WATCHED = [VIEWS[one] for one in at_length([*VIEWS], few=("/training-compute", "/growth-gap", "/fleet"))]
"""Views whose answers of every release are compared: some take long."""


@pytest.mark.parametrize("path", [view.path for view in WATCHED if view.path not in RETOLD])
def test_each_view_has_a_valid_feed_of_what_moved(site: TestClient, path: str):
    view = VIEWS[path]
    feed = read(site, f"/{view.name}.atom")
    assert feed.feed.id == f"{HOST}/{view.name}.atom"
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT00:00:00Z", feed.feed.updated)
    links = {one.rel: one.href for one in feed.feed.links}
    assert links == {"self": f"{HOST}/{view.name}.atom", "alternate": f"{HOST}{path}"}
    entries = moved(view, view.settings())
    assert [one.link for one in feed.entries] == [f"{HOST}{one.after.link}" for one in entries]
    for entry, one in zip(feed.entries, entries, strict=True):
        was, now = one.figures[0].was, one.figures[0].now
        assert now and now.text in entry.title and was.text in entry.title and was.interval in entry.title
        assert one.after.release in entry.summary and one.before.release in entry.summary
        assert entry.id.startswith(f"{HOST}/v/")
        assert entry.updated == f"{one.on}T00:00:00Z"


def test_the_feed_of_all_views_has_what_each_of_them_moved_and_nothing_twice(site, monkeypatch):
    monkeypatch.setattr("web.feeds.moved_anywhere", lambda: moved_anywhere(WATCHED))
    feed = read(site, "/feed.atom")
    every = [one for view in WATCHED if view.path not in RETOLD for one in moved(view, view.settings())]
    assert sorted(entry.link for entry in feed.entries) == sorted(f"{HOST}{one.after.link}" for one in every)
    assert len({entry.id for entry in feed.entries}) == len(feed.entries)
    days = [entry.updated for entry in feed.entries]
    assert days == sorted(days, reverse=True)


def test_a_feed_watches_the_choices_of_its_address_and_no_release(site: TestClient):
    feed = read(site, "/compute-to-memory.atom?release=2025-11&to=2035")
    assert feed.feed.id == f"{HOST}/compute-to-memory.atom?to=2035"
    assert feed.feed.title == "Scaling Gap: " + VIEWS["/compute-to-memory"].question
    for entry in feed.entries:
        assert parse_qs(urlsplit(entry.link).query)["to"] == ["2035"]


def test_a_page_without_choices_names_the_feed_of_all(site: TestClient):
    assert f'href="{HOST}/feed.atom"' in site.get("/methods").text


def test_an_address_of_a_feed_names_what_is_off_its_default():
    view = VIEWS["/training-compute"]
    assert feed_address(view, view.settings()) == "/training-compute.atom"
    chosen, _ = choices(view, "release=2025-11&top=5")
    assert feed_address(view, chosen) == "/training-compute.atom?top=5"


@pytest.mark.parametrize(("sign", "made_true"), [("<", True), (">", False)])
def test_a_feed_with_a_condition_has_an_entry_when_a_release_makes_it_true(*, site, sign, made_true):
    """The trend of compute in 2030 fell from 1.159e29 in 2025-11.1 to 1.144e29 in 2026-07."""
    tell = f"value{sign}1.15e29"
    feed = read(site, f"/training-compute.atom?since=2012&tell={quote(tell)}")
    assert feed.feed.title.endswith(tell) and tell in feed.feed.subtitle
    assert feed.feed.id == f"{HOST}/training-compute.atom?tell={quote(tell)}"
    assert ["2026-07" in entry.link for entry in feed.entries] == [True] * made_true
    assert all("FLOP" in entry.title for entry in feed.entries)


def test_a_condition_without_a_number_waits_for_a_figure_to_leave_its_interval(site: TestClient):
    view = VIEWS["/growth-gap"]
    every = [figure for one in moved(view, view.settings()) for figure in one.figures]
    for name in {figure.was.figure for figure in every} | {"run_chip_gap"}:
        feed = read(site, f"/growth-gap.atom?tell={name}")
        assert len(feed.entries) == sum(figure.was.figure == name for figure in every)


@pytest.mark.parametrize(("tell", "allowed"), cases(__file__)["conditions"])
def test_a_condition_that_cannot_be_meant_is_refused_with_what_is_allowed(*, site: TestClient, tell, allowed):
    answer = site.get(f"/training-compute.atom?tell={quote(tell)}")
    assert answer.status_code == 422 and allowed in answer.text
