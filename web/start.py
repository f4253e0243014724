"""What is done once when the app starts: answers leave at once, and no first picture waits for its tools."""

import ctypes
import gc
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from views.compute_pool import drop_all_waiting
from views.worker import WORKER
from web.release_watch import WATCH
from web.settings import Settings
from web.telemetry import Metrics, exposed, log_lines

AFTER_S = 4.0
"""So long after the start the app warms up: the first page has the processor to itself until then. [s]"""
M_ARENA_MAX = -8
"""The number of glibc's option for the most heaps of a process (malloc.h)."""
HEAPS = 2


@asynccontextmanager
async def lifespan(
    _app: Any, *, settings: Settings | None = None, metrics: Metrics | None = None
) -> AsyncIterator[None]:
    """Run beside the app: prepare it when it starts, tell operators of it, let go when it ends."""
    settings = settings or Settings()
    if settings.log_requests:
        log_lines()
    few_heaps()
    keep_for_good()
    timer = threading.Timer(AFTER_S, warm_up)
    timer.daemon = True
    if settings.warm_up:
        timer.start()
    over = threading.Event()
    threading.Thread(target=WATCH.run, args=(over,), kwargs={"taken": keep_for_good}, daemon=True).start()
    with exposed(metrics, settings):
        yield
    over.set()
    timer.cancel()
    drop_all_waiting()
    WORKER.end()


def warm_up() -> None:
    """Return when what files are made with is loaded, and what the first reader of a slow view would wait for is kept.

    Edge or cloud is answered from the fits of measured speeds, which Cost of tokens shares.
    """
    import charts.picture  # noqa: F401
    import charts.powerpoint  # noqa: F401
    from views.placement.view import VIEW
    from views.view import answer
    from web.code_version import code_version

    code_version()
    answer(VIEW, VIEW.settings())
    keep_for_good()


def keep_for_good() -> None:
    """Return when what is loaded is no longer searched for garbage: that held up an answer by 60 ms now and then.

    What was only needed on the way goes back to the system, which glibc does not do by itself.
    """
    gc.freeze()
    if glibc := _glibc():
        glibc.malloc_trim(0)


def few_heaps() -> None:
    """Have all threads allocate from few heaps: glibc would make up to eight a core, each as large as it ever was."""
    if glibc := _glibc():
        glibc.mallopt(M_ARENA_MAX, HEAPS)


def _glibc() -> ctypes.CDLL | None:
    """Return the C library if it is glibc, which has options that others lack."""
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    return libc if hasattr(libc, "malloc_trim") else None
