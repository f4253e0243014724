"""The deck a reader is putting together: it lives in their browser, and the session reads it from there."""

from collections.abc import Callable
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
import streamlit.components.v2 as components

from views.deck import LONGEST_QUERY, Deck, deck_link, parse_deck

KEY = "deck"
BEFORE = "deck before"
"""Where the session keeps the deck that an opened link took the place of."""
KEEPER = "deck keeper"
FOCUS = "deck focus"
"""Where the session keeps which button the keyboard is to be on, and how often it moved: "Down-1 4"."""
HEARD = "deck heard"
"""Where the session keeps what the browser told it last."""

JS = """export default (component) => {
  const { src } = document.querySelector("script[data-boot]");
  import(new URL("keeper.js", src).href).then((keeper) => keeper.mount(component));
}"""


def basket() -> Deck:
    """Return the deck of this session; empty at first."""
    return parse_deck(st.session_state.get(KEY) or "")[0]


def keep(deck: Deck) -> None:
    """Make this the deck of the session, and so of the browser."""
    st.session_state[KEY] = urlsplit(deck_link(deck)).query if deck.items else ""


def keeper() -> None:
    """Bring the browser's deck and the session's together; takes a place without showing anything."""
    with st.container(key="keeper", height=1, border=False):
        _keeper()(
            key=KEEPER,
            data={
                "deck": st.session_state.get(KEY),
                "heard": st.session_state.get(HEARD),
                "focus": st.session_state.get(FOCUS, ""),
            },
            on_deck_change=_heard,
            on_before_change=_replaced,
            height=0,
        )


def before() -> Deck:
    """Return the deck that an opened link took the place of; empty where none of its views was lost."""
    had, now = parse_deck(st.session_state.get(BEFORE) or "")[0], basket()
    lost = {item.link for item in had.items} - {item.link for item in now.items}
    return had if lost else Deck()


def take_the_place_of(deck: Deck) -> None:
    """Remember a deck that another one replaces; an empty one forgets it."""
    st.session_state[BEFORE] = urlsplit(deck_link(deck)).query if deck.items else ""


def _replaced() -> None:
    query = (st.session_state.get(KEEPER) or {}).get("before")
    if isinstance(query, str) and len(query) <= LONGEST_QUERY:
        take_the_place_of(parse_deck(query)[0])


def _heard() -> None:
    query = (st.session_state.get(KEEPER) or {}).get("deck")
    if isinstance(query, str):
        st.session_state[HEARD] = query
        keep(parse_deck(query if len(query) <= LONGEST_QUERY else "")[0])


@cache
def _keeper() -> Callable[..., Any]:
    return components.component("scaling_gap_deck", js=JS)
