"""The page of a view. Its panel is placed in Streamlit's page; requests on a reader's own data are answered here."""

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import streamlit as st
import streamlit.components.v2 as components

from pages.admitted import in_turn
from panel.own_data import answer_from
from views.compute_pool import OWN_DATA, Busy
from views.kept import OwnData
from views.view import View
from views.worker import WORKER

BROUGHT = "brought"
"""Session key of a reader's own data."""
BROUGHT_FILES = "brought files"
"""Session key of the uploads with these data."""

FILES = {"/data": Path(__file__).with_name("data_tables.py")}
"""Scripts of pages that show more than a view, keyed by address."""

JS = """export default (component) => {
  const box = component.parentElement;
  const { src } = document.querySelector("script[data-boot]");
  import(new URL("component.js", src).href).then((panel) => {
    box.place ??= panel.place();
    panel.mount(component, box.place);
  });
  return () => { box.place?.aborted.abort(); box.place = undefined; };
}"""
"""Script that connects the component to the panel's loaded module, even if the server is newer."""

_panel = cache(partial(components.component, "scaling_gap_panel", js=JS, isolate_styles=False))


def page_of(view: View) -> st.Page:
    """Return the Streamlit page of a view at its address. The first view is the start page."""
    return st.Page(
        FILES.get(view.path) or partial(show, view),
        title=view.title,
        url_path=view.path.strip("/") or None,
        default=view.path == "/",
    )


def show(view: View) -> None:
    """Draw the page of a view. The server answers its panel; for a reader's own data, this session does."""
    key = f"panel {view.name}"
    own = brought_data()
    data: dict[str, Any] = {"view": view.name, "path": view.path, "own": None}
    if own is not None:
        files = st.session_state.get(BROUGHT_FILES, ())
        data["own"] = {
            "id": " ".join(map(str, files)),
            "answer": _answer(view, st.session_state.get(key), own=own),
        }
    # The callback only makes the script run again.
    _panel()(key=key, data=data, on_asked_change=lambda: None)


def brought_data() -> OwnData | None:
    """Return the data of the reader's own export in this session. None if they are switched off."""
    return st.session_state.get(BROUGHT) if st.session_state.get("use_brought", True) else None


def _answer(view: View, state: Mapping[str, Any] | None, *, own: OwnData) -> dict[str, Any] | None:
    """Return the answer to the panel's latest request on the reader's own data. None if there was no such request."""
    request = (state or {}).get("asked")
    if not request:
        return None
    wanted = {name: value for name, value in request.items() if name not in ("id", "attempt")}
    try:
        answer = in_turn(
            (id(own), view.name, *sorted(wanted.items())),
            lambda: WORKER.call(answer_from, own, wanted, path=view.path),
            kind=view.name,
            pool=OWN_DATA,
        )
    except Busy as busy:
        answer = {"busy_s": busy.retry_after_s}
    return {"id": request["id"], **answer}
