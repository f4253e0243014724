"""The page of the deck: its views in order, one download, and one link."""

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from html import escape
from urllib.parse import parse_qs, urlsplit

import streamlit as st

from charts.powerpoint import TemplateError
from charts.powerpoint.renew import Renewed
from charts.powerpoint.template import company_base
from data.releases import names
from pages.admitted import admitted, in_turn
from pages.basket import FOCUS, basket, before, keep, take_the_place_of
from pages.show import page_of
from pages.text import WORDS, plain
from panel.deck_file import deck_file, renewed_deck
from views import deck as decks
from views.compute_pool import EXPENSIVE, Busy, pool_of
from views.registry import VIEWS
from views.result import Result
from views.wording import counted

POWERPOINT = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
TEXT_WIDTH = 500
"""Width of a view's text, beside its buttons. On a phone they are below. [px]"""
THUMBNAIL_WIDTH = 152
"""Width of a slide's thumbnail, beside its text. [px]"""
RENEWED_KEY = "deck_renewed"
WRITTEN = "deck written"
"""Session key of the links of decks edited on this page, so that going back does not count as a replacement."""
TITLE_KEY, RELEASE_KEY = "deck_title", "deck_release"


def write(deck: decks.Deck) -> None:
    """Store this deck in the address and in the session after an action by the reader."""
    st.session_state[WRITTEN] = {
        *st.session_state.get(WRITTEN, ()),
        decks.deck_link(basket()),
        decks.deck_link(deck),
    }
    keep(deck)
    query = urlsplit(decks.deck_link(deck)).query if deck.items else ""
    st.query_params.from_dict(parse_qs(query, keep_blank_values=True))


def move(deck: decks.Deck, index: int, *, steps: int) -> None:
    """Move a slide. Its button keeps keyboard focus."""
    write(decks.moved_by(deck, index, steps=steps))
    count = int(st.session_state.get(FOCUS, " 0").split()[-1]) + 1
    st.session_state[FOCUS] = f"{'Down' if steps > 0 else 'Up'}-{index + steps} {count}"


def change_words(deck: decks.Deck) -> None:
    """Read the deck's title and release from their widgets. An empty title means the default one."""
    title = " ".join(st.session_state[TITLE_KEY].split())
    write(replace(deck, title=title or decks.Deck().title, release=st.session_state[RELEASE_KEY]))


def listing(deck: decks.Deck, answers: Sequence[Result]) -> None:
    """Draw each view with its headline, its settings, and buttons to move or remove it."""
    last = len(deck.items) - 1
    for index, result in enumerate(answers):
        card = st.container(
            border=True,
            horizontal=True,
            horizontal_alignment="distribute",
            vertical_alignment="center",
            key=f"slide-{index}",
        )
        with card:
            with st.container(width=THUMBNAIL_WIDTH):
                st.html(thumbnail(result))
            with st.container(width=TEXT_WIDTH):
                named = deck.items[index].title or result.headline
                st.markdown(f"{index + 1}. **[{plain(named)}]({result.link})**")
                st.caption(plain(result.settings_line))
            with st.container(horizontal=True, width="content"):
                rename(deck, index, headline=result.headline)
                for label, act, at_end in (
                    ("Up", partial(move, deck, index, steps=-1), index == 0),
                    ("Down", partial(move, deck, index, steps=1), index == last),
                    ("Remove", partial(write, decks.without(deck, index)), False),
                ):
                    st.button(
                        label,
                        key=f"{label}-{index}",
                        on_click=act,
                        disabled=at_end,
                        help=f"{label}: {plain(named)}",
                        type="tertiary",
                    )


def rename(deck: decks.Deck, index: int, *, headline: str) -> None:
    """Draw the field for a slide's title."""
    key = f"title-{index}"
    st.session_state[key] = deck.items[index].title
    with st.popover("Title", type="tertiary", help=f"Title: {plain(headline)}"):
        st.text_input(
            "Your own title for this slide",
            key=key,
            max_chars=decks.LONGEST_TITLE,
            placeholder=headline[: decks.LONGEST_TITLE],
            help=WORDS["own_title"],
            on_change=retitle,
            args=(deck, index),
        )


def retitle(deck: decks.Deck, index: int) -> None:
    """Read a slide's title from its widget."""
    write(decks.titled(deck, index, title=st.session_state[f"title-{index}"]))


def thumbnail(result: Result) -> str:
    """Return a view's thumbnail as HTML: the view's preview image, loaded lazily."""
    address = escape(f"/{result.view}.png?{result.link.partition('?')[2]}&size=wide")
    return (
        f'<img src="{address}" alt="" loading="lazy" width="{THUMBNAIL_WIDTH}" height="80" '
        'style="border:1px solid #d5d9e0;border-radius:4px;background:#fff;display:block">'
    )


def renewal() -> None:
    """Let the reader upload an older deck, and offer it updated to the newest release."""
    with st.expander("Bring an older deck up to date"):
        st.markdown(WORDS["older"])
        file = st.file_uploader("A .pptx made here", type=["pptx"], key="older_deck")
        if file is None:
            return
        older, site = file.getvalue(), origin() or "http://localhost"
        key = ("renewed deck", digest(older), site, names()[-1])
        cached = st.session_state.get(RENEWED_KEY)
        try:
            if cached is None or cached[0] != key:
                made = admitted(
                    key, lambda: renewed_deck(older, origin=site), kind="renewed deck", pool=EXPENSIVE
                )
                cached = st.session_state[RENEWED_KEY] = (key, made)
        except TemplateError as refusal:
            st.error(plain(str(refusal)), icon=":material/block:")
            return
        now: Renewed = cached[1]
        download(f"Download the deck on {names()[-1]} (.pptx)", data=now.file, key="download_renewed")
        for one in now.slides:
            changes = counted(len(one.changes), "change") if one.changes else "nothing changed"
            by_hand = f", {counted(len(one.kept), 'text')} edited by hand kept" if one.kept else ""
            st.markdown(f"Slide {one.number}: {changes}{by_hand}. {plain(one.headline)}")


def download(label: str, *, data: bytes | Callable[[], bytes], key: str) -> None:
    """Draw the download button of a deck."""
    st.download_button(
        label,
        data=data,
        file_name="scaling-gap-deck.pptx",
        mime=POWERPOINT,
        on_click="ignore",
        type="primary",
        icon=":material/download:",
        key=key,
    )


def replaced() -> None:
    """Offer the deck that this deck's link replaced."""
    had = before()
    if not had.items:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="replaced"):
        st.markdown(f"This deck replaced the one you had ({counted(len(had.items), 'view')}).")
        st.button("Undo", key="undo", on_click=bring_back, args=(had,), icon=":material/undo:")
        st.button(
            "Keep this one", key="keep", on_click=take_the_place_of, args=(decks.Deck(),), type="tertiary"
        )


def bring_back(had: decks.Deck) -> None:
    """Restore the replaced deck."""
    take_the_place_of(decks.Deck())
    write(had)


def own_template() -> tuple[bytes | None, str]:
    """Return this session's company template, if any, and the error if it is unusable."""
    with st.popover("Own template"):
        file = st.file_uploader(
            "Your company's .pptx or .potx", type=["pptx", "potx"], help=WORDS["template"]
        )
    if file is None:
        return None, ""
    template = file.getvalue()
    try:
        in_turn(("template", digest(template)), lambda: company_base(template), kind="template")
    except TemplateError as refusal:
        return None, f"{refusal} Until then the slides have our own look."
    except Busy as busy:
        return None, f"{busy} Try again in {busy.retry_after_s} s; until then the slides have our own look."
    return template, ""


def digest(template: bytes | None) -> str:
    """Return a digest of a template. Empty without a template."""
    return hashlib.sha256(template).hexdigest() if template else ""


def origin() -> str:
    """Return the scheme and host at which readers reach this site, from PUBLIC_URL or else the browser."""
    scheme, _, rest = (st.context.url or "").partition("://")
    here = f"{scheme}://{rest.partition('/')[0]}" if rest else ""
    return os.environ.get("PUBLIC_URL", "").rstrip("/") or here


def admitted_file_of(deck: decks.Deck, *, origin: str, template: bytes | None) -> bytes:
    """Return the deck as a .pptx file, rendered in a pool."""
    key = ("deck file", decks.deck_link(deck), origin, digest(template))
    return in_turn(
        key,
        lambda: deck_file(deck, origin=origin, template=template),
        kind="deck",
        pool=pool_of(expensive=decks.expensive(deck)),
    )


def empty() -> None:
    """Show that no view is chosen, and how to choose one."""
    st.title("Your deck is empty", anchor=False)
    st.markdown("Open a view, choose its settings, and press **Add to deck** above its chart.")
    with st.container(horizontal=True):
        st.page_link(page_of(VIEWS["/"]), label="Overview")
        st.page_link(page_of(VIEWS["/training-compute"]), label="Compute growth")
        st.page_link(page_of(VIEWS["/accelerators"]), label="Chip growth")


def filled(deck: decks.Deck) -> None:
    """Draw a deck: the controls for all slides, its views, the numbers that moved, and its link."""
    st.title(f"{counted(len(deck.items), 'view')}, ready as slides", anchor=False)
    st.session_state[TITLE_KEY], st.session_state[RELEASE_KEY] = deck.title, deck.release
    changing = {"on_change": change_words, "args": (deck,)}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        longest = decks.TITLE_SETTING.longest
        st.text_input(
            "Title", key=TITLE_KEY, max_chars=longest, help=decks.TITLE_SETTING.help, width=380, **changing
        )
        options = list(decks.RELEASE_SETTING.options)
        st.selectbox(
            "Data release",
            options,
            format_func=decks.RELEASE_SETTING.shown,
            key=RELEASE_KEY,
            help=decks.RELEASE_SETTING.help,
            width=190,
            **changing,
        )
        template, refusal = own_template()
        file = partial(admitted_file_of, deck, origin=origin() or "http://localhost", template=template)
        download("Download slides (.pptx)", data=file, key="download_deck")
        st.link_button("Present", f"{decks.deck_link(deck)}&present=1", icon=":material/slideshow:")
    if refusal:
        st.error(plain(refusal), icon=":material/block:")
    key = ("deck page", *(one.link for one in (*deck.items, *decks.shown(deck))))
    answers, moved = admitted(
        key,
        lambda: (decks.results(deck), decks.moves(deck)),
        kind="deck page",
        pool=pool_of(expensive=decks.expensive(deck)),
    )
    listing(deck, answers)
    if moved:
        st.header("What moved", anchor=False)
        st.dataframe(
            [{name.title(): text for name, text in vars(one).items()} for one in moved], hide_index=True
        )
    address = decks.short_deck(deck)
    newest = "`?release=latest` behind" if address else "`release=latest` in"
    st.markdown(f"This link opens the same deck; with {newest} it, next quarter's numbers.")
    st.code(f"{origin()}{address or decks.deck_link(deck)}", language=None, wrap_lines=True)


query = {name: st.query_params.get_all(name) for name in st.query_params}
deck, ignored = decks.parse_deck(query)
if {"view", *decks.SETTINGS} & query.keys():
    if deck != basket() and decks.deck_link(deck) not in st.session_state.get(WRITTEN, ()) and basket().items:
        take_the_place_of(basket())
    keep(deck)
else:
    deck = basket()
st.caption(decks.QUESTION)
for fault in ignored:
    st.warning(plain(fault.sentence), icon=":material/link_off:")
replaced()
if deck.items:
    filled(deck)
else:
    empty()
renewal()
