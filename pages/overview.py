"""What is the gap between training compute and memory bandwidth, in one page?"""

import streamlit as st

from data.releases import names
from pages.show import show
from pages.text import plain
from views.overview import VIEW, leads
from views.registry import VIEWS

shown = show(VIEW)

if not st.context.is_embedded:
    st.header("Go on", anchor=False)
    release = shown.release if shown.release in names() else ""
    same = {"release": release} if release and "release" in st.query_params else None
    onward = leads(VIEWS, release=release)
    for place, lead in zip(st.columns(len(onward)), onward, strict=True):
        with place.container(gap="xxsmall"):
            page = f"{lead.view.module}.py"
            st.page_link(page, label=lead.view.question, icon=":material/arrow_forward:", query_params=same)
            st.caption(plain(lead.finding))
    with st.container(horizontal=True):
        st.page_link("claims.py", label="Which published statements hold?")
        st.page_link("data_tables.py", label="Which rows, from where?")
        st.page_link("methods.py", label="How is each number made?")
