"""Files in the making: off the event loop, each made once by the pool of the process, and then kept."""

import asyncio
from collections.abc import Callable

from views.compute_pool import EXPENSIVE, ORDINARY, PATIENCE_S, Busy, ComputePool
from views.store import MEBIBYTE, Store

__all__ = ["MEBIBYTE", "Busy", "Renderings"]


class Renderings:
    """Files made by the pools; however many ask for the same file at once, it is made once.

    ``patience_s`` bounds how long one client waits [s], ``keep_byte`` the files kept in memory, the longest unused
    dropped first [byte]. What has a ``name`` is told to operators.
    """

    def __init__(
        self,
        *,
        ordinary: ComputePool = ORDINARY,
        expensive: ComputePool = EXPENSIVE,
        patience_s: float = PATIENCE_S,
        keep_byte: int = 96 * MEBIBYTE,
        name: str = "",
    ) -> None:
        self.ordinary, self.expensive = ordinary, expensive
        self.patience_s = patience_s
        self.store: Store[bytes] = Store(keep_byte, name=name)

    def kept(self, key: str) -> bytes | None:
        """Return the file if it is at hand."""
        return self.store.get(key)

    async def get(
        self,
        key: str,
        make: Callable[[], bytes],
        *,
        kind: str = "",
        expensive: bool = False,
        patience_s: float | None = None,
        client: str = "",
    ) -> bytes:
        """Return the file of that key, made by ``make`` in a thread unless it is kept or under way.

        Files of a ``kind`` take alike long; what is ``expensive`` waits apart; ``client`` is who asks.
        Who is cancelled takes the file from nobody else; what nobody waits for is dropped, or ends at its next step.

        Raises
        ------
        Busy
            When the pool is full or the file is not ready in time (begun, it is still finished and kept).
        Exception
            Whatever ``make`` raises.
        """
        file = self.kept(key)
        if file is not None:
            return file
        pool = self.expensive if expensive else self.ordinary
        job = pool.order((self, key), lambda: self._make(key, make), kind=kind, client=client)
        making = asyncio.wrap_future(job.future)
        making.add_done_callback(_heard)
        made = asyncio.shield(making)
        comes_back = False
        try:
            return await asyncio.wait_for(made, self.patience_s if patience_s is None else patience_s)
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
    """Take note of how it ended: asyncio would log each end as a fault that everybody has left before."""
    if not made.cancelled():
        made.exception()
