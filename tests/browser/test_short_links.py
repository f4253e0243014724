"""A short link in a browser: it opens its page with its numbers, as the long link does."""

from urllib.parse import parse_qs, urlsplit

import pytest

from views.registry import VIEWS
from views.view import SHORT, answer, read, short

VIEW = VIEWS["/training-compute"]
CHOSEN = read(VIEW, "since=2020&domain=language&release=2025-11")[0]
TOKEN = short(VIEW, CHOSEN).removeprefix(SHORT)


@pytest.mark.parametrize("typed", [TOKEN, TOKEN.upper()], ids=["as printed", "in capitals"])
def test_a_short_link_opens_its_page_with_its_numbers(typed, open_page):
    page = open_page(f"{SHORT}{typed}")
    page.wait_for_function(
        "text => document.querySelector('h1')?.innerText?.trim() === text",
        arg=answer(VIEW, CHOSEN).headline,
    )
    where = urlsplit(page.url)
    assert where.path == VIEW.path
    assert parse_qs(where.query)["since"] == ["2020"]
    assert page.locator(".panel .warning").count() == 0
