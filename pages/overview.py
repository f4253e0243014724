"""What is the gap between training compute and memory bandwidth, in one page?"""

import streamlit as st

from pages.show import show
from views.overview import VIEW

show(VIEW)

if not st.context.is_embedded:
    st.header("Go on", anchor=False)
    with st.container(horizontal=True):
        st.page_link("training_compute.py", label="How fast does training compute grow?")
        st.page_link("accelerators.py", label="Which part of a chip lags?")
        st.page_link("data_tables.py", label="Which rows, from where?")
        st.page_link("methods.py", label="How is each number made?")
