"""Where short links lead."""

from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.releases import latest
from tests.views.links import settings
from views.registry import VIEWS
from views.resolve import long_link, resolve
from views.short_link.letters import ShortLinkError
from views.short_link.token import token
from views.view import SHORT, link, pinned, printed, read, short

DRAWN = st.sampled_from(list(VIEWS.values())).flatmap(lambda view: st.tuples(st.just(view), settings(view)))
GAP = VIEWS["/growth-gap"]


def gap(**changes: str) -> str:
    return token(GAP.path, pinned(GAP.settings()).described() | changes)


@given(DRAWN)
def test_a_short_link_leads_to_the_very_view_and_settings_it_was_made_of(drawn):
    view, chosen = drawn
    text = short(view, chosen).removeprefix(SHORT)
    assert resolve(text) == (view, pinned(chosen))
    assert long_link(text) == link(view, chosen)
    assert resolve(text.upper()) == (view, pinned(chosen))


def test_what_is_given_beside_a_token_stands_in_place_of_its_own():
    text = gap(since="2015")
    since = link(GAP, read(GAP, "since=2018")[0])
    assert long_link(text, query="embed=true&since=2018&note=a%26b") == f"{since}&embed=true&note=a%26b"
    assert "release=latest" in long_link(text, query="release=latest")


def test_a_view_is_printed_by_its_bare_address_while_that_asks_for_the_same():
    assert printed(GAP, GAP.settings()) == printed(GAP, pinned(GAP.settings())) == "/growth-gap"
    for query in ("since=2015", "release=2025-11"):
        chosen = read(GAP, query)[0]
        assert printed(GAP, chosen) == short(GAP, chosen)
    assert short(GAP, GAP.settings()) == f"{SHORT}{gap()}"


@pytest.mark.parametrize(
    ("text", "sentence", "left"),
    [
        (
            gap(since="1066"),
            f"This short link asks {GAP.title} for something that no longer exists. "
            "since=1066 is no longer available; allowed: ",
            "/growth-gap?since=2012&",
        ),
        (gap(colour="red"), "colour=red is no longer available; allowed: the settings release, since", ""),
        (gap(release="2031-01"), "release=2031-01 is no longer available; allowed: latest, 2025-11", ""),
        (gap(release="latest"), "It names no data release.", ""),
        (token("/gone", {"a": "b"}), "leads to /gone, which is not a view here; the views are /, ", None),
        (token("/deck", {}), "This short link leads to /deck, which is not a view here", None),
    ],
)
def test_what_there_no_longer_is_is_told_with_what_is_left(text, sentence, *, left):
    with pytest.raises(ShortLinkError) as caught:
        resolve(text)
    assert sentence in str(caught.value)
    if left is None:
        assert caught.value.link == ""
    else:
        assert caught.value.link.startswith(left or "/growth-gap?")
        assert "release" not in caught.value.link
        assert read(GAP, caught.value.link.partition("?")[2])[1] == ()


def test_settings_that_have_come_to_contradict_each_other_are_told():
    view = VIEWS["/training-compute"]
    chosen = pinned(view.settings()).described() | {"since": "2025", "until": "2012"}
    with pytest.raises(ShortLinkError, match="is no longer available"):
        resolve(token(view.path, chosen))


@given(st.dictionaries(st.sampled_from(["since", "top", "x", "release"]), st.text(max_size=20)))
def test_whatever_a_token_says_it_resolves_or_is_refused(said):
    text = token(GAP.path, {"release": latest(), **said})
    try:
        view, chosen = resolve(text)
    except ShortLinkError as error:
        assert f" asks {GAP.title} for something that no longer exists. " in str(error)
    else:
        assert said.items() <= {**chosen.described(), **said}.items()
        assert view is GAP


def test_names_of_a_query_are_never_given_twice():
    pairs = [("embed", "true"), ("embed", "false"), ("top", "5"), ("top", "6")]
    assert long_link(gap(), query=urlencode(pairs)).count("top=") == 2  # the page says which two it was given
