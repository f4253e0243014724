"""The deck that a reader assembles. The browser stores it, and the session reads it from there."""

from functools import cache, partial
from urllib.parse import urlsplit

import streamlit as st
import streamlit.components.v2 as components

from views.deck import LONGEST_QUERY, Deck, deck_link, parse_deck

KEY = "deck"
BEFORE = "deck before"
"""Session key of the deck that a link replaced."""
KEEPER = "deck keeper"
FOCUS = "deck focus"
"""Session key of the focused button and its number of moves, such as "Down-1 4"."""
HEARD = "deck heard"
"""Session key of the latest message from the browser."""

JS = """export default (component) => {
  const { src } = document.querySelector("script[data-boot]");
  import(new URL("keeper.js", src).href).then((keeper) => keeper.mount(component));
}"""

_keeper = cache(partial(components.component, "scaling_gap_deck", js=JS))


def basket() -> Deck:
    """Return this session's deck. It is empty at first."""
    return parse_deck(st.session_state.get(KEY) or "")[0]


def keep(deck: Deck) -> None:
    """Store this deck in the session, for the browser to read."""
    st.session_state[KEY] = urlsplit(deck_link(deck)).query if deck.items else ""


def keeper() -> None:
    """Synchronize the browser's deck with the session's, without taking up space on the page."""
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
    """Return the deck that a link replaced. Empty if no view was lost."""
    had, now = parse_deck(st.session_state.get(BEFORE) or "")[0], basket()
    lost = {item.link for item in had.items} - {item.link for item in now.items}
    return had if lost else Deck()


def take_the_place_of(deck: Deck) -> None:
    """Remember the replaced deck. An empty deck clears the memory."""
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
