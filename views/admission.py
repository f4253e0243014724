"""Who may compute now: everything that computes for a reader passes one small pool, and is told when it is full."""

import math
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future
from functools import partial
from typing import Any, TypeVar
from weakref import WeakSet

from views.lane import UNKNOWN_S, Busy, Lane, Ordered, inside

__all__ = ["PATIENCE_S", "POOL", "Admission", "Busy", "drop_all_waiting", "late"]

PATIENCE_S = 30.0
"""So long one asker waits. [s]"""

Made = TypeVar("Made")

_all: WeakSet["Admission"] = WeakSet()


class Admission:
    """Makes things in a few threads; however many ask for the same thing at once, it is made once.

    What is known to be dear has ``dear`` threads and a short queue of its own, so that it never holds up the rest,
    which has the ``ordinary`` ones: there kinds of jobs that take short pass those that take long. ``waiting`` and
    ``dear_waiting`` bound the jobs of each, running ones included; dear ones are also refused where they would wait
    for longer than ``patience_s``. [s]
    """

    def __init__(
        self,
        *,
        ordinary: int = 2,
        dear: int = 1,
        waiting: int = 256,
        dear_waiting: int = 16,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._lock = threading.RLock()  # what is dropped tells so in the thread that holds it
        self.ordinary = Lane(
            "ordinary",
            threads=ordinary,
            waiting=waiting,
            patience_s=math.inf,
            usual_s=UNKNOWN_S,
        )
        self.dear = Lane(
            "dear",
            threads=dear,
            waiting=dear_waiting,
            patience_s=patience_s,
            usual_s=1.0,
        )
        self.patience_s = patience_s
        self._under_way: dict[Hashable, Ordered[Any]] = {}
        _all.add(self)

    def order(
        self,
        key: Hashable,
        make: Callable[[], Made],
        *,
        kind: str = "",
        dear: bool = False,
        asker: str = "",
    ) -> Ordered[Made]:
        """Return the job of that key: the one under way, else a new one of a ``kind`` that takes alike long.

        ``asker`` names who asks, so that nobody takes the turns of others.

        Raises
        ------
        Busy
            When its lane is full.
        """
        with self._lock:
            ordered = self._under_way.get(key)
            if ordered is None:
                ordered = (self.dear if dear else self.ordinary).add(make, kind=kind, asker=asker)
                ordered.unwanted = partial(self._give_up, key, ordered)
                self._under_way[key] = ordered
                ordered.future.add_done_callback(partial(self._finished, key, ordered))
            ordered.askers += 1
            return ordered

    def leave(self, ordered: Ordered[Any], *, comes_back: bool = False) -> None:
        """Say that one asker is gone.

        A job that nobody asks for any more is dropped when it has not begun, and ends at its next step when it has. One
        whose asker ``comes_back``, told to ask again later, is made to its end once begun.
        """
        with self._lock:
            if ordered.askers > 1 or not comes_back or ordered.future.cancel():
                ordered.askers -= 1
            if ordered.askers == 0:
                ordered.future.cancel()

    def _give_up(self, key: Hashable, ordered: Ordered[Any]) -> bool:
        """Return whether nobody asks for a job under way; then whoever comes later gets one of their own."""
        with self._lock:
            if ordered.askers > 0:
                return False
            if self._under_way.get(key) is ordered:
                del self._under_way[key]
            return True

    def admitted(
        self,
        key: Hashable,
        make: Callable[[], Made],
        *,
        kind: str = "",
        dear: bool = False,
        patience_s: float | None = None,
        asker: str = "",
    ) -> Made:
        """Return what ``make`` returns, made in the pool while this thread waits; at once in a thread of the pool.

        Raises
        ------
        Busy
            When the lane is full, or it is not ready in time.
        Exception
            Whatever ``make`` raises.
        """
        if inside():
            return make()
        ordered = self.order(key, make, kind=kind, dear=dear, asker=asker)
        try:
            return ordered.future.result(self.patience_s if patience_s is None else patience_s)
        except TimeoutError:
            if ordered.future.done():
                return ordered.future.result()
            self.leave(ordered, comes_back=True)
            raise late(ordered) from None
        except CancelledError:
            raise Busy("The server is being stopped.") from None

    def _finished(self, key: Hashable, ordered: Ordered[Any], *_done: Future[Any]) -> None:
        with self._lock:
            if self._under_way.get(key) is ordered:
                del self._under_way[key]

    def drop_waiting(self) -> None:
        """Give up every job that has not begun."""
        with self._lock:
            waiting = list(self._under_way.values())
        for ordered in waiting:
            ordered.future.cancel()


def late(ordered: Ordered[Any]) -> Busy:
    """Return what is said to one who has waited for as long as they may."""
    return Busy("This takes longer than a request may wait.", retry_after_s=ordered.lane.retry_after_s)


def drop_all_waiting() -> None:
    """Give up every job that has not begun, so that the process can end."""
    for admission in list(_all):
        admission.drop_waiting()


POOL = Admission()
"""The pool of this process."""
OWN_DATA = Admission(ordinary=1, waiting=16)
"""What waits for the worker, which reads readers' own data."""
