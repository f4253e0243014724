"""Files, rendered once in a pool outside the event loop, and then cached."""

import asyncio
from collections.abc import Callable

from views.compute_pool import EXPENSIVE, ORDINARY, PATIENCE_S, Busy, ComputePool
from views.store import MEBIBYTE, Store

__all__ = ["MEBIBYTE", "Busy", "Renderings"]


class Renderings:
    """Files rendered in the pools. Concurrent requests for a file share one rendering.

    ``keep_byte`` bounds the files in memory, the least recently used dropped first [byte]. With a ``name``,
    metrics report it.
    """

    def __init__(
        self,
        *,
        ordinary: ComputePool = ORDINARY,
        keep_byte: int = 96 * MEBIBYTE,
        name: str = "",
    ) -> None:
        self.ordinary = ordinary
        self.store: Store[bytes] = Store(keep_byte, name=name)

    def kept(self, key: str) -> bytes | None:
        """Return the cached file for a key, or None if there is none."""
        return self.store.get(key)

    async def get(
        self,
        key: str,
        make: Callable[[], bytes],
        *,
        kind: str = "",
        expensive: bool = False,
        patience_s: float = PATIENCE_S,
        client: str = "",
    ) -> bytes:
        """Return the file of a key. Unless it is cached or in progress, ``make`` renders it in a thread.

        Files of a ``kind`` take similar times; ``expensive`` ones have their own queue; ``client`` waits for at most
        ``patience_s`` [s].
        A cancelled client does not affect others; a job without clients is dropped, or ends at its next step.

        Raises
        ------
        Busy
            If the pool is full or the file is not ready in time (once started, it is still finished and cached).
        Exception
            Whatever ``make`` raises.
        """
        file = self.kept(key)
        if file is not None:
            return file
        pool = EXPENSIVE if expensive else self.ordinary
        job = pool.order((self, key), lambda: self._make(key, make), kind=kind, client=client)
        making = asyncio.wrap_future(job.future)
        making.add_done_callback(_heard)
        made = asyncio.shield(making)
        comes_back = False
        try:
            return await asyncio.wait_for(made, patience_s)
        except TimeoutError:
            if job.future.done():
                return job.future.result()
            comes_back = True
            raise pool.late() from None
        finally:
            pool.leave(job, comes_back=comes_back)

    def _make(self, key: str, make: Callable[[], bytes]) -> bytes:
        file = self.kept(key)
        if file is None:
            file = make()
            self.store.put(key, file, byte=len(file))
        return file


def _heard(made: asyncio.Future[bytes]) -> None:
    """Retrieve the outcome of an abandoned job, which asyncio would otherwise log as an unhandled error."""
    if not made.cancelled():
        made.exception()
