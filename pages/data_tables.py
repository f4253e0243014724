"""Rows, sources and corrections of the tables and of the reader's own export."""

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from data.epoch import MAX_ROWS
from pages.admitted import admitted
from pages.show import BROUGHT, BROUGHT_FILES, show
from pages.text import WORDS, plain
from panel.own_data import curated
from views.compute_pool import OWN_DATA
from views.data_tables.view import VIEW
from views.kept import OwnData
from views.worker import WORKER

CHANGED = "brought_changed"


def changed() -> None:
    """Record that the reader chose or removed a file. Reopening the page does not count as a change."""
    st.session_state[CHANGED] = True


def taken(
    models: UploadedFile | None, hardware: UploadedFile | None, *, key: tuple[str, ...]
) -> OwnData | list[str]:
    """Return the reader's data or, if the files have errors, a list of the errors."""
    files = models, hardware
    contents = [file.getvalue() if file else None for file in files]
    names = models.name if models else "", hardware.name if hardware else ""
    with st.spinner("Checking and curating", show_time=True):
        return admitted(
            key,
            lambda: WORKER.call(curated, *contents, files=names),
            kind="curated",
            pool=OWN_DATA,
        )


def choose_files() -> None:
    """Let the reader choose files, and load them. The memory of local variables is freed on return.

    Globals of a page's run stay in memory until garbage collection.
    """
    with st.container(horizontal=True):
        models = st.file_uploader("Models (notable_ai_models.csv)", type="csv", width=380, on_change=changed)
        hardware = st.file_uploader("Hardware (ml_hardware.csv)", type="csv", width=380, on_change=changed)
    if st.session_state.get(CHANGED):
        files = tuple(file.file_id for file in (models, hardware) if file)
        st.session_state[BROUGHT_FILES] = files
        st.session_state.pop(BROUGHT, None)
        st.session_state.pop("brought_problems", None)
        if models or hardware:
            own = taken(models, hardware, key=files)
            st.session_state[BROUGHT if isinstance(own, OwnData) else "brought_problems"] = own
        st.session_state[CHANGED] = False
        st.rerun()


def show_own(own: OwnData) -> None:
    """Show the loaded data, and the pages where their numbers appear beside ours."""
    st.toggle("Use my export on every page", value=True, key="use_brought", persist_state="session")
    if own.warnings:
        st.warning("\n\n".join(plain(line) for line in own.warnings), icon=":material/warning:")
    st.markdown(WORDS["own_numbers"])
    for line in own.refused:
        st.caption(plain(line))


show(VIEW)

st.header("Bring your own export", anchor=False)
st.markdown(WORDS["own_export"].format(rows=MAX_ROWS))
choose_files()
for problem in st.session_state.get("brought_problems", []):
    st.error(plain(problem), icon=":material/block:")
if st.session_state.get("brought_problems"):
    st.markdown("Nothing was loaded. Correct the file and upload it again.")
if BROUGHT in st.session_state:
    show_own(st.session_state[BROUGHT])
