"""Computations of pages, run in the process's pools. If a pool is full, the reader sees a message."""

from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st

from pages.streamlit_internals import session_id
from views.compute_pool import ORDINARY, Busy, ComputePool

Made = TypeVar("Made")


def in_turn(key: Hashable, make: Callable[[], Made], *, kind: str = "", pool: ComputePool = ORDINARY) -> Made:
    """Return the result of ``make``, run in a pool when it is this session's turn.

    Raises Busy if the pool is full, or the result is not ready in time.
    """
    return pool.result(key, make, kind=kind, client=session_id())


def admitted(
    key: Hashable, make: Callable[[], Made], *, kind: str = "", pool: ComputePool = ORDINARY
) -> Made:
    """Return the result of ``make``, computed once for concurrent requests with the same ``key``.

    ``make`` runs in another thread, so it must not draw. If the pool is full, the reader sees a message and the page's
    run ends.
    """
    try:
        return in_turn(key, make, kind=kind, pool=pool)
    except Busy as busy:
        st.warning(f"{busy} Try again in {busy.retry_after_s} s.", icon=":material/hourglass_empty:")
        st.button("Try again", key="try_again")
        st.stop()
