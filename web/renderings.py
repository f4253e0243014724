"""Files in the making: off the event loop, bounded in number and time, each made once and then kept."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from weakref import WeakSet

MEBIBYTE = 2**20


_all: WeakSet["Renderings"] = WeakSet()


class Busy(Exception):  # noqa: N818 - a state, not a fault
    """There is too much to make already, or making it takes too long; ask again later."""


class Renderings:
    """Makes files in a few threads; however many ask for the same file at once, it is made once.

    ``waiting`` bounds the files in the making or in the queue, ``patience_s`` how long one asker waits [s],
    ``keep_byte`` the files kept in memory, the longest unused dropped first [byte].
    """

    def __init__(
        self,
        *,
        threads: int = 3,
        waiting: int = 256,
        patience_s: float = 60,
        keep_byte: int = 128 * MEBIBYTE,
    ) -> None:
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="rendering")
        self.waiting = waiting
        self.patience_s = patience_s
        self.keep_byte = keep_byte
        self.kept_byte = 0
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._under_way: dict[str, Future[bytes]] = {}
        self._lock = Lock()
        _all.add(self)

    def kept(self, key: str) -> bytes | None:
        """Return the file if it is at hand."""
        with self._lock:
            file = self._kept.get(key)
            if file is not None:
                self._kept.move_to_end(key)
            return file

    async def get(self, key: str, make: Callable[[], bytes], *, patience_s: float | None = None) -> bytes:
        """Return the file of that key, made by ``make`` in a thread unless it is kept or under way.

        Raises
        ------
        Busy
            When the queue is full or the file is not ready in time (it is still finished and kept).
        Exception
            Whatever ``make`` raises.
        """
        made = asyncio.shield(asyncio.wrap_future(self._order(key, make)))
        try:
            return await asyncio.wait_for(made, self.patience_s if patience_s is None else patience_s)
        except TimeoutError as late:
            raise Busy("This file takes longer than a request may wait.") from late

    def _order(self, key: str, make: Callable[[], bytes]) -> Future[bytes]:
        with self._lock:
            file = self._kept.get(key)
            if file is not None:
                self._kept.move_to_end(key)
                ready: Future[bytes] = Future()
                ready.set_result(file)
                return ready
            ordered = self._under_way.get(key)
            if ordered is not None:
                return ordered
            if len(self._under_way) >= self.waiting:
                raise Busy("Too many files are in the making.")
            ordered = self._under_way[key] = self.threads.submit(self._make, key, make)
        ordered.add_done_callback(lambda _done: self._finished(key))
        return ordered

    def _make(self, key: str, make: Callable[[], bytes]) -> bytes:
        file = make()
        with self._lock:
            if len(file) <= self.keep_byte:
                self.kept_byte += len(file) - len(self._kept.pop(key, b""))
                self._kept[key] = file
            while self.kept_byte > self.keep_byte:
                self.kept_byte -= len(self._kept.popitem(last=False)[1])
        return file

    def _finished(self, key: str) -> None:
        with self._lock:
            self._under_way.pop(key, None)

    def drop_waiting(self) -> None:
        """Give up every file that is not being made yet."""
        with self._lock:
            waiting = list(self._under_way.values())
        for file in waiting:
            file.cancel()


def drop_all_waiting() -> None:
    """Give up every file that is not being made yet, so that the process can end."""
    for renderings in list(_all):
        renderings.drop_waiting()
