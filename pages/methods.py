"""How is each number made?"""

import streamlit as st

from views.methods.text import NUMBERS, QUESTION, settings_sections

st.caption(QUESTION)
st.title("Every rate comes with its rule, window, estimator, interval and release", anchor=False)
for section in NUMBERS:
    st.header(section.heading)
    st.markdown(section.text, width=860)
st.header("What each view computes, and what its settings mean")
for section in settings_sections():
    with st.expander(section.heading):
        st.markdown(section.text)
