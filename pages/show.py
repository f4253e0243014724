"""Show a view: give its panel a place in Streamlit's page, and answer it where the reader reads their own data."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import streamlit as st
import streamlit.components.v2 as components

from pages.admitted import in_turn
from panel.answer import PanelSettings, answer_of
from views.admission import Busy
from views.own_data import OwnData
from views.settings import LONGEST_QUERY, parse
from views.view import View, read

BROUGHT = "brought"
"""Where a session keeps the data of a reader's own export."""
BROUGHT_FILES = "brought files"
"""Where it keeps which files that was made from, a name for each upload."""

JS = """export default (component) => {
  const box = component.parentElement;
  const { src } = document.querySelector("script[data-boot]");
  import(new URL("component.js", src).href).then((panel) => {
    box.place ??= panel.place();
    panel.mount(component, box.place);
  });
  return () => { box.place?.aborted.abort(); box.place = undefined; };
}"""
"""Gives the place to the panel's module that the document has loaded, be this the server of a newer version."""


def show(view: View) -> None:
    """Draw the page of a view: its panel asks the server itself, or this session where the data are its own."""
    key = f"panel {view.name}"
    own = brought_data()
    data: dict[str, Any] = {
        "view": view.name,
        "path": view.path,
        "own": None,
    }
    if own is not None:
        files = st.session_state.get(BROUGHT_FILES, ())
        data["own"] = {
            "id": " ".join(map(str, files)),
            "answer": _answer(view, st.session_state.get(key), own=own),
        }
    _panel()(key=key, data=data, on_asked_change=_nothing)


def brought_data() -> OwnData | None:
    """Return the data of the reader's own export in this session, unless they switched it off."""
    return st.session_state.get(BROUGHT) if st.session_state.get("use_brought", True) else None


def _answer(view: View, state: Mapping[str, Any] | None, *, own: OwnData) -> dict[str, Any] | None:
    """Return the answer to what the panel asked last of the reader's own data; None where it asked nothing."""
    asked = (state or {}).get("asked")
    if not asked:
        return None
    given = {name: [str(value)] for name, value in asked.items() if name not in ("id", "attempt", "query")}
    wanted, _ = parse(PanelSettings, given)
    query = str(asked.get("query", ""))
    settings, ignored = read(view, query if len(query) <= LONGEST_QUERY else "")

    def make() -> dict[str, Any]:
        return answer_of(view, settings, wanted=wanted, ignored=ignored, release=own.release)

    try:
        body = in_turn(
            (id(own), view.name, settings, wanted),
            make,
            kind=f"{view.name} own",
            dear=True,  # nothing of it was made before, and there may be many rows
        )
    except Busy as busy:
        return {"id": asked["id"], "busy_s": busy.retry_after_s}
    except ValueError as problem:
        return {"id": asked["id"], "problem": str(problem)}
    return {"id": asked["id"], "body": body}


@cache
def _panel() -> Callable[..., Any]:
    return components.component("scaling_gap_panel", js=JS, isolate_styles=False)


def _nothing() -> None:
    """Only have the script run again."""
