"""The page of methods. It explains how each number is computed."""

import streamlit as st

from panel.menu import siblings
from views.methods.text import NUMBERS, PATH, QUESTION, SETTINGS, contents, settings_sections

st.caption(QUESTION)
st.html(siblings(PATH))
st.title("Every rate comes with its rule, window, estimator, interval and release", anchor=False)
st.markdown(contents(), width=860)
for section in NUMBERS:
    st.header(section.heading, anchor=section.anchor)
    st.markdown(section.text, width=860)
st.header(SETTINGS.heading, anchor=SETTINGS.anchor)
for section in settings_sections():
    st.subheader(section.heading, anchor=section.anchor)
    with st.expander("Method and settings"):
        st.markdown(section.text)
