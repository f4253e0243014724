"""The deck a reader is putting together: kept for the session as a link, the only thing a session keeps."""

from urllib.parse import urlsplit

import streamlit as st

from views.deck import MOST_VIEWS, Deck, deck_link, item, parse_deck, with_view
from views.wording import counted

KEY = "deck"


def basket() -> Deck:
    """Return the deck of this session; empty at first."""
    return parse_deck(urlsplit(st.session_state.get(KEY, "")).query)[0]


def keep(deck: Deck) -> None:
    """Make this the deck of the session."""
    st.session_state[KEY] = deck_link(deck)


def in_basket(link: str) -> bool:
    """Return whether the view of this link is in the deck."""
    found = item(link)
    return found is not None and found[0] in basket().items


def add(link: str) -> None:
    """Add a view to the deck by its link, and say what came of it."""
    before = basket()
    after = with_view(before, link)
    if after == before:
        st.toast(f"The deck is full: at most {MOST_VIEWS} views. Remove one first.", icon=":material/block:")
        return
    keep(after)
    st.toast(f"Added. The deck has {counted(len(after.items), 'view')}.", icon=":material/slideshow:")


def parameters(deck: Deck) -> dict[str, list[str]]:
    """Return the address parameters of a deck, a list for each name."""
    found: dict[str, list[str]] = {}
    for name, value in deck.described():
        found.setdefault(name, []).append(value)
    return found
