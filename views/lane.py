"""Whose turn is it? A few threads and the jobs that wait for them."""

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from analysis.steps import at_each_step

LONGEST_RETRY_S = 60
RECENT = 0.2
"""Weight of the latest job in what a job of its kind is expected to take. [1]"""
UNKNOWN_S = 0.1
"""What a job is expected to take of whose kind none was made yet. [s]"""
LONG_S = 0.25
"""Jobs expected to take longer leave one thread of their lane to the others. [s]"""
LEFT_TO_OTHERS = 8
"""One asker alone may not have the last eighth of the places of a lane."""
LONGEST_S = 60.0
"""So long an answer may take to make. [s]"""
YIELDS = 20.0
"""A job lets those pass that come up to so many times its own expected time later, if they take none. [1]"""

Made = TypeVar("Made")

_here = threading.local()


def inside() -> bool:
    """Return whether this is a thread of a lane."""
    return getattr(_here, "inside", False)


class Abandoned(BaseException):
    """Nobody asks any more for what this thread makes; like the end of a program, no fault to be handled on the way."""


class Busy(Exception):  # noqa: N818 - a state, not a fault
    """There is too much to make already, or making it takes too long; ask again after ``retry_after_s``."""

    def __init__(self, text: str, *, retry_after_s: int = 5) -> None:
        """Take what to say, and when the asker should come back. [s]"""
        super().__init__(text)
        self.retry_after_s = retry_after_s


@dataclass(kw_only=True, eq=False)
class Ordered(Generic[Made]):
    """A job whose turn comes from ``turn_s`` on; ``counted_s`` of its time put off the next one of its ``asker``.

    ``askers`` are how many ask for it, ``long`` how it was begun, ``until_s`` by when it is to be made. ``unwanted``
    tells, once it was begun, whether it may be given up, and then it is: nobody is to join it any more.
    """

    lane: "Lane"
    make: Callable[[], Made]
    kind: str
    turn_s: float
    asker: str = ""
    counted_s: float = 0.0
    future: Future[Made] = field(default_factory=Future)
    askers: int = 0
    long: bool = False
    until_s: float = math.inf
    unwanted: Callable[[], bool] = bool


def go_on() -> None:
    """Return, between two steps of what a thread of a lane makes, when the next one is wanted; elsewhere at once.

    Raises
    ------
    Abandoned
        When nobody asks for it any more.
    Busy
        When it has taken too long already.
    """
    ordered: Ordered[Any] | None = getattr(_here, "ordered", None)
    if ordered is None:
        return
    if ordered.unwanted():
        raise Abandoned
    if ordered.lane.clock() > ordered.until_s:
        raise Busy(
            f"This answer takes longer than {ordered.lane.longest_s:g} s to make.",
            retry_after_s=LONGEST_RETRY_S,
        )


at_each_step(go_on)


class Lane:
    """Some threads and the jobs that wait for them: short ones soon, none for good, and each asker in turn.

    Whoever asks for much waits behind whoever asks for little: the second job of an asker has its turn when the first
    would be done had they a lane to themselves, on the scale of YIELDS (start-time fair queueing: Goyal, Vin and
    Cheng, IEEE/ACM Transactions on Networking 5, 1997, section 2). An asker without a name, "", has its turn at once.
    ``waiting`` bounds the jobs, ``patience_s`` the time that a new one is expected to wait, ``longest_s`` the time that
    one may take from step to step, ``usual_s`` is what a job takes before any has been timed. [s]
    """

    def __init__(
        self,
        name: str,
        *,
        threads: int,
        waiting: int,
        patience_s: float,
        usual_s: float,
        longest_s: float = LONGEST_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix=name, initializer=_inside)
        self.size = threads
        self.waiting = waiting
        self.patience_s = patience_s
        self.usual_s = usual_s
        self.longest_s = longest_s
        self.jobs = 0
        self.clock = clock
        self._kinds: dict[str, float] = {}
        self._served_s: dict[str, float] = {}
        self._queue: list[Ordered[Any]] = []
        self._long = 0
        self._lock = threading.RLock()  # what is given up tells so in the thread that holds it

    @property
    def wait_s(self) -> float:
        """Return how long a new job is expected to wait. [s]"""
        return max(self.jobs + 1 - self.size, 0) * self.usual_s / self.size

    @property
    def retry_after_s(self) -> int:
        """Return when to come back, in whole seconds. [s]"""
        return min(max(math.ceil(self.wait_s), 1), LONGEST_RETRY_S)

    def expected_s(self, kind: str) -> float:
        """Return how long a job of a kind is expected to take, by those made. [s]"""
        return self._kinds.get(kind, UNKNOWN_S)

    def add(self, make: Callable[[], Made], *, kind: str, asker: str = "") -> Ordered[Made]:
        """Return the job, which now waits for its turn.

        Raises
        ------
        Busy
            When there are too many already; one asker leaves some room to the others.
        """
        with self._lock:
            room = self.waiting - (self.waiting // LEFT_TO_OTHERS if self._has_most(asker) else 0)
            if self.jobs >= room or self.wait_s > self.patience_s:
                raise Busy("Too many answers are being computed already.", retry_after_s=self.retry_after_s)
            now, counted_s = self.clock(), YIELDS * self.expected_s(kind) / self.size if asker else 0.0
            turn_s = max(now, self._served_s.get(asker, now))
            if asker:
                self._served_s = {who: until for who, until in self._served_s.items() if until > now}
                self._served_s[asker] = turn_s + counted_s
            ordered = Ordered(
                lane=self, make=make, kind=kind, turn_s=turn_s, asker=asker, counted_s=counted_s
            )
            self.jobs += 1
            self._queue.append(ordered)
        ordered.future.add_done_callback(self._ended)
        self.threads.submit(self._work)
        return ordered

    def _work(self) -> None:
        while (ordered := self._next()) is not None:
            start = self.clock()
            ordered.until_s = start + self.longest_s
            _here.ordered = ordered
            try:
                made = ordered.make()
            except Abandoned:  # what it took until then says nothing of its kind
                self._learn(ordered, self.expected_s(ordered.kind))
                ordered.future.set_exception(CancelledError())
            except BaseException as fault:  # it is the asker's
                self._learn(ordered, self.clock() - start)
                ordered.future.set_exception(fault)
            else:
                self._learn(ordered, self.clock() - start)
                ordered.future.set_result(made)
            finally:
                _here.ordered = None

    def _next(self) -> Ordered[Any] | None:
        """Return the job whose turn it is, None where none may begin: long ones leave a thread to the others."""
        with self._lock:
            for ordered in sorted(self._queue, key=self._turn_s):
                ordered.long = self.expected_s(ordered.kind) > LONG_S
                if ordered.long and self._long >= max(self.size - 1, 1) and not ordered.future.cancelled():
                    continue
                self._queue.remove(ordered)
                if ordered.future.set_running_or_notify_cancel():
                    self._long += ordered.long
                    return ordered
            return None

    def _turn_s(self, ordered: Ordered[Any]) -> float:
        return ordered.turn_s + YIELDS * self.expected_s(ordered.kind)

    def _has_most(self, asker: str) -> bool:
        return bool(asker) and 2 * sum(ordered.asker == asker for ordered in self._queue) > self.jobs

    def _ended(self, done: Future[Any]) -> None:
        with self._lock:
            self.jobs -= 1
            given_up = [ordered for ordered in self._queue if ordered.future is done]
            for ordered in given_up:
                self._queue.remove(ordered)
                if ordered.asker in self._served_s:
                    self._served_s[ordered.asker] -= ordered.counted_s

    def _learn(self, ordered: Ordered[Any], took_s: float) -> None:
        with self._lock:
            self._long -= ordered.long
            self.usual_s += RECENT * (took_s - self.usual_s)
            known_s = self._kinds.get(ordered.kind, took_s)
            self._kinds[ordered.kind] = known_s + RECENT * (took_s - known_s)


def _inside() -> None:
    _here.inside = True
