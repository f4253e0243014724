"""Which rows, from where, and what did we correct? And the same for the reader's own export."""

from functools import partial

import streamlit as st

from data.epoch import MAX_ROWS, ExportError
from data.releases import from_export, latest, load
from pages.admitted import admitted
from pages.own_files import content_of
from pages.show import BROUGHT, BROUGHT_FILES, show
from pages.table import show_table
from pages.text import plain
from views.data_tables.headline_rates import compared
from views.data_tables.view import VIEW
from views.own_data import OwnData
from views.registry import VIEWS
from views.result import Table

CHANGED = "brought_changed"


def changed() -> None:
    """Note that the reader chose or removed a file; a page opened again has none chosen, and changes nothing."""
    st.session_state[CHANGED] = True


def curated(models: bytes | None, hardware: bytes | None, *, files: tuple[str, str]) -> OwnData:
    """Return a reader's export as this session keeps it."""
    return OwnData(from_export(models, hardware, name="your export", files=files))


def rates_of(own: OwnData) -> Table:
    """Return the quoted growth rates of the newest release beside those of the reader's own."""
    return compared((load(latest()), own.release), views=VIEWS)


show(VIEW)

st.header("Bring your own export", anchor=False)
st.markdown(
    "Upload an export of Epoch AI's notable models, of its machine learning hardware, or both. They pass "
    "the same checks and curation as ours, and every page of this session then reads them. A file may have "
    f"{MAX_ROWS:,} rows. Nothing is stored, and nobody else sees them."
)
with st.container(horizontal=True):
    models = st.file_uploader("Models (notable_ai_models.csv)", type="csv", width=380, on_change=changed)
    hardware = st.file_uploader("Hardware (ml_hardware.csv)", type="csv", width=380, on_change=changed)
if st.session_state.get(CHANGED):
    files = tuple(file.file_id for file in (models, hardware) if file)
    st.session_state[BROUGHT_FILES] = files
    st.session_state.pop(BROUGHT, None)
    st.session_state.pop("brought_problems", None)
    if models or hardware:
        make = partial(
            curated,
            content_of(models),
            content_of(hardware),
            files=(models.name if models else "", hardware.name if hardware else ""),
        )
        try:
            with st.spinner("Checking and curating", show_time=True):
                st.session_state[BROUGHT] = admitted(files, make, dear=True)
        except ExportError as refusal:
            st.session_state["brought_problems"] = [str(problem) for problem in refusal.problems]
    st.session_state[CHANGED] = False
    st.rerun()
for problem in st.session_state.get("brought_problems", []):
    st.error(plain(problem), icon=":material/block:")
if st.session_state.get("brought_problems"):
    st.markdown("Nothing was loaded. Correct the file and upload it again.")
own = st.session_state.get(BROUGHT)
if own:
    st.toggle("Use my export on every page", value=True, key="use_brought", persist_state="session")
    if own.warnings:
        st.warning("\n\n".join(plain(line) for line in own.warnings), icon=":material/warning:")
    with st.spinner("Computing growth rates", show_time=True):
        rates = admitted((id(own), "rates"), partial(rates_of, own), kind="rates own", dear=True)
    show_table(rates, name="brought")
    for line in own.refused:
        st.caption(plain(line))
