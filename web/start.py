"""Tasks run at start-up so that the first responses and pictures are not delayed."""

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
"""Time between start-up and warm-up. The first page then has the processor. [s]"""
M_ARENA_MAX = -8
"""Number of the glibc option for the maximum number of heaps (malloc.h)."""
HEAPS = 2


@asynccontextmanager
async def lifespan(
    _app: Any, *, settings: Settings | None = None, metrics: Metrics | None = None
) -> AsyncIterator[None]:
    """Prepare the app at start-up, expose metrics while it runs, and release resources at the end."""
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
    """Load the rendering libraries, and cache what the first reader of a slow view would wait for.

    Edge or cloud uses the fits of measured speeds, which Cost of tokens shares.
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
    """Exclude loaded objects from garbage collection, which would otherwise delay responses by 60 ms.

    Memory used only during start-up is returned to the system, which glibc does not do automatically.
    """
    gc.freeze()
    if glibc := _glibc():
        glibc.malloc_trim(0)


def few_heaps() -> None:
    """Limit the number of heaps. glibc would use up to eight per core, each kept at its largest size."""
    if glibc := _glibc():
        glibc.mallopt(M_ARENA_MAX, HEAPS)


def _glibc() -> ctypes.CDLL | None:
    """Return the C library if it is glibc, else None. Other libraries lack its options."""
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    return libc if hasattr(libc, "malloc_trim") else None
