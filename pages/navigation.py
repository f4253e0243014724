"""Streamlit's navigation, with every page at its address. The bar is in ``panel/menu.py``."""

from pathlib import Path

import streamlit as st

from pages.basket import keeper
from pages.show import brought_data, page_of
from panel.menu import TITLES
from views.registry import VIEWS, tab_title

HERE = Path(__file__).resolve().parent

st.set_page_config(layout="wide")
plain = [
    st.Page(HERE / f"{path[1:]}.py", title=title, url_path=path[1:])
    for path, title in TITLES.items()
    if path not in VIEWS
]
chosen = st.navigation([*map(page_of, VIEWS.values()), *plain], position="hidden")
st.set_page_config(page_title=tab_title(chosen.title))
if (own := brought_data()) is not None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(own.words, width="content")
        st.button("Stop using it", on_click=st.session_state.update, args=({"use_brought": False},))
chosen.run()
keeper()
