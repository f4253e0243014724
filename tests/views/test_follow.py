"""Where short links of views and decks lead."""

from dataclasses import replace
from urllib.parse import urlencode

import pytest
from hypothesis import given

from tests.views.links import decks
from views.deck import MOST_VIEWS, PATH, Deck, Item, deck_link, parse_deck, short_deck
from views.follow import follow
from views.registry import VIEWS
from views.short_link.letters import ShortLinkError
from views.short_link.token import MOST_PARTS, token
from views.view import SHORT, link, short

TWO = parse_deck(urlencode([("view", "/"), ("view", "/accelerators?metric=power")]))[0]


def opened(address: str) -> Deck:
    path, _, query = address.partition("?")
    assert path == PATH
    deck, ignored = parse_deck(query)
    assert ignored == ()
    return deck


@given(decks(fewest=1))
def test_a_short_link_of_a_deck_leads_to_the_very_deck(deck):
    address = short_deck(deck)
    assert len(address) < len(deck_link(deck)) / 2
    assert opened(follow(address.removeprefix(SHORT))) == deck


def test_a_short_link_of_a_deck_means_for_good_what_it_meant_at_first():
    deck = opened(follow("66m6sphxt3nqp7at1npxd9jj9z4mqhzhs7wrvtry7n939gt"))
    assert (deck.title, deck.release) == ("Für den Vorstand", "latest")
    start, run = deck.items
    assert (start.view.path, start.choices, start.settings.release) == ("/", "", "2026-07")
    assert (run.view.path, run.choices, run.settings.release) == (
        "/training-run",
        "Batch, million tokens: 12",
        "2026-07",
    )


def test_a_deck_names_its_views_by_their_short_links():
    assert follow(short_deck(TWO).removeprefix(SHORT)) == f"{PATH}?" + urlencode(
        [
            *(("view", short(one.view, one.settings)) for one in TWO.items),
            ("title", TWO.title),
            ("release", TWO.release),
        ]
    )


def test_what_is_given_beside_the_short_link_stands_in_its_place():
    deck = opened(follow(short_deck(TWO).removeprefix(SHORT), query="release=latest&title=Other"))
    assert deck == replace(TWO, release="latest", title="Other")


def test_a_view_is_followed_as_well():
    view = VIEWS["/accelerators"]
    assert follow(short(view, view.settings()).removeprefix(SHORT)) == link(view, view.settings())


def test_a_deck_too_long_for_a_short_link_has_none():
    view = VIEWS["/data"]
    text = "\N{CJK UNIFIED IDEOGRAPH-6F22}"
    items = tuple(
        Item(view=view, settings=replace(view.settings(), find=text * (60 - number)))
        for number in range(MOST_VIEWS)
    )
    assert short_deck(Deck(items=items)) == ""
    assert MOST_PARTS == MOST_VIEWS


def test_what_there_no_longer_is_in_a_deck_is_told_with_what_is_left():
    gap = VIEWS["/growth-gap"].settings().described() | {"release": "2026-07"}
    parts = [("/growth-gap", gap), ("/growth-gap", gap | {"since": "1066", "top": "20"}), ("/gone", {})]
    with pytest.raises(ShortLinkError) as caught:
        follow(token(PATH, {"title": "T", "release": "2031-01"}, parts=parts))
    said = str(caught.value)
    assert said.startswith("This short link of a deck asks for something that no longer exists. View 2: ")
    assert "View 3: This short link leads to /gone" in said
    assert "release: got '2031-01'; allowed: as-linked" in said
    left = opened(caught.value.link)
    assert (len(left.items), left.title, left.release) == (2, "T", "as-linked")


def test_a_deck_of_no_views_is_refused():
    with pytest.raises(ShortLinkError, match=r"It has no views\.$") as caught:
        follow(token(PATH, {}))
    assert caught.value.link == ""
