"""Clean pages on paper: what the style sheet hides and scales, and the script that makes charts scalable."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import streamlit as st
import streamlit.components.v2 as components

HERE = Path(__file__).resolve().parent


def printable() -> None:
    """Let the page be printed; drawn last, for it takes a place without showing anything."""
    st.html(HERE / "print.css")
    _scaling()(key="printing", height=0)


@cache
def _scaling() -> Callable:
    return components.component("scaling_gap_print", js=(HERE / "print.js").read_text("utf-8"))
