"""The menu: every page once, grouped by the kind of question it answers."""

from pathlib import Path

import streamlit as st

from charts import mark
from pages.basket import basket, keeper
from pages.show import page_of
from views import deck
from views.methods import text as methods
from views.registry import MENU, tab_title

HERE = Path(__file__).resolve().parent


def plain_page(file: str, *, title: str, path: str) -> st.Page:
    """Return the menu entry of a page that shows no single view."""
    return st.Page(HERE / file, title=title, url_path=path.strip("/"))


st.set_page_config(layout="wide", initial_sidebar_state=236)
menu = {group: [page_of(view) for view in views] for group, views in MENU.items()}
menu["Evidence"].append(plain_page("methods.py", title=methods.TITLE, path=methods.PATH))
in_deck = len(basket().items)
title = f"{deck.TITLE} ({in_deck})" if in_deck else deck.TITLE
menu["Slides"] = [plain_page("deck.py", title=title, path=deck.PATH)]
chosen = st.navigation(menu, position="hidden" if st.context.is_embedded else "sidebar")
st.set_page_config(page_title=tab_title(deck.TITLE if chosen.title == title else chosen.title))
st.logo(mark.svg("dark" if st.context.theme.type == "dark" else "light", alone=True))
chosen.run()
keeper()
