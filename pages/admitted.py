"""What a page computes passes a pool of the process; a full pool is told to the reader."""

from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st

from pages.streamlit_internals import session_id
from views.compute_pool import ORDINARY, Busy, ComputePool

Made = TypeVar("Made")


def in_turn(key: Hashable, make: Callable[[], Made], *, kind: str = "", pool: ComputePool = ORDINARY) -> Made:
    """Return what ``make`` returns, made in a pool when it is this session's turn.

    Raises
    ------
    Busy
        When the pool is full, or it is not ready in time.
    """
    return pool.result(key, make, kind=kind, client=session_id())


def admitted(
    key: Hashable, make: Callable[[], Made], *, kind: str = "", pool: ComputePool = ORDINARY
) -> Made:
    """Return what ``make`` returns, made once for all who ask for ``key`` at once.

    ``make`` runs in another thread, so it draws nothing. Where the pool is full the reader is told so, and the run of
    the page ends.
    """
    try:
        return in_turn(key, make, kind=kind, pool=pool)
    except Busy as busy:
        st.warning(f"{busy} Try again in {busy.retry_after_s} s.", icon=":material/hourglass_empty:")
        st.button("Try again", key="try_again")
        st.stop()
