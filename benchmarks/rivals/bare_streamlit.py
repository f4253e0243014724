"""The least a Streamlit page can do: one control, one ready-made figure."""

import json
import os
from pathlib import Path

import plotly.graph_objects as go
import streamlit as st


@st.cache_resource
def figures() -> dict[str, go.Figure]:
    """Return the figure of each choice, made beforehand."""
    stored = json.loads(Path(os.environ["FIGURES"]).read_text())
    return {choice: go.Figure(figure) for choice, figure in stored.items()}


st.set_page_config(layout="wide")
choice = st.selectbox("Since", list(figures()), key="since")
st.plotly_chart(figures()[choice], theme=None, key="chart")
