"""Who may compute now: everything that computes for a reader passes a small pool, and is told when it is full."""

import math
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from analysis.steps import at_each_step

PATIENCE_S = 30.0
"""So long one client waits. [s]"""
LONGEST_RETRY_S = 60
RECENT = 0.2
"""Weight of the latest job in what a job of its kind is expected to take. [1]"""
UNKNOWN_S = 0.1
"""What a job is expected to take of whose kind none was made yet. [s]"""
LONG_S = 0.25
"""Jobs expected to take longer leave one thread of their pool to the others. [s]"""
LEFT_TO_OTHERS = 8
"""One client alone may not have the last eighth of the places of a pool."""
LONGEST_S = 60.0
"""So long an answer may take to make. [s]"""
YIELDS = 20.0
"""A job lets those pass that come up to so many times its own expected time later, if they take none. [1]"""

Made = TypeVar("Made")

_here = threading.local()


class Abandoned(BaseException):
    """Nobody asks any more for what this thread makes; like the end of a program, no fault to be handled on the way."""


class Busy(Exception):  # noqa: N818 - a state, not a fault
    """There is too much to make already, or making it takes too long; ask again after ``retry_after_s``."""

    def __init__(self, text: str, *, retry_after_s: int = 5) -> None:
        """Take what to say, and when the client should come back. [s]"""
        super().__init__(text)
        self.retry_after_s = retry_after_s


@dataclass(kw_only=True, eq=False)
class Job(Generic[Made]):
    """A job whose turn comes from ``turn_s`` on; ``counted_s`` of its time put off the next one of its ``client``.

    ``clients`` are how many ask for it, ``long`` how it was begun, ``until_s`` by when it is to be made.
    """

    pool: "ComputePool"
    key: Hashable
    make: Callable[[], Made]
    kind: str
    turn_s: float
    client: str
    counted_s: float
    future: Future[Made] = field(default_factory=Future)
    clients: int = 0
    long: bool = False
    until_s: float = math.inf


def check_cancelled() -> None:
    """Return, between two steps of what a thread of a pool makes, when the next one is wanted; elsewhere at once.

    Raises
    ------
    Abandoned
        When nobody asks for it any more.
    Busy
        When it has taken too long already.
    """
    job: Job[Any] | None = getattr(_here, "job", None)
    if job is None:
        return
    if job.pool.gives_up(job):
        raise Abandoned
    if job.pool.clock() > job.until_s:
        raise Busy(
            f"This answer takes longer than {job.pool.longest_s:g} s to make.", retry_after_s=LONGEST_RETRY_S
        )


at_each_step(check_cancelled)

_all: WeakSet["ComputePool"] = WeakSet()


class ComputePool:
    """Makes things in a few threads: once for all who ask at once, short ones soon, none last, each client in turn.

    Whoever asks for much waits behind whoever asks for little: the second job of a client has its turn when the first
    would be done had they a pool to themselves, on the scale of YIELDS (start-time fair queueing: Goyal, Vin and
    Cheng, IEEE/ACM Transactions on Networking 5, 1997, section 2). A client without a name, "", has its turn at once.
    ``waiting`` bounds the jobs, running ones included, ``patience_s`` the time that a new one is expected to wait,
    ``longest_s`` the time that one may take from step to step, ``usual_s`` is what a job takes before any has been
    timed. [s]
    """

    def __init__(
        self,
        name: str = "test",
        *,
        threads: int = 2,
        waiting: int = 256,
        patience_s: float = math.inf,
        usual_s: float = UNKNOWN_S,
        longest_s: float = LONGEST_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self.size = threads
        self.waiting = waiting
        self.patience_s = patience_s
        self.usual_s = usual_s
        self.longest_s = longest_s
        self.jobs = 0
        self.clock = clock
        self._kinds: dict[str, float] = {}
        self._served_s: dict[str, float] = {}
        self._under_way: dict[Hashable, Job[Any]] = {}
        self._queue: list[Job[Any]] = []
        self._long = 0
        self._lock = threading.RLock()
        _all.add(self)

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

    def order(
        self, key: Hashable, make: Callable[[], Made], *, kind: str = "", client: str = ""
    ) -> Job[Made]:
        """Return the job of that key: the one under way, else a new one, of a ``kind`` that takes equally long.

        Busy where there are too many already; one client leaves some room to the others.
        """
        with self._lock:
            job = self._under_way.get(key)
            if job is None:
                job = self._under_way[key] = self._new(key, make, kind=kind, client=client)
                self.threads.submit(self._work)
            job.clients += 1
            return job

    def leave(self, job: Job[Any], *, comes_back: bool = False) -> None:
        """Take note that one client is gone.

        A job that nobody asks for any more is dropped if it has not begun, and ends at its next step if it has. One
        whose client ``comes_back``, told to ask again later, is made to its end once begun.
        """
        with self._lock:
            if job.clients > 1 or not comes_back or job in self._queue:
                job.clients -= 1
            if job.clients == 0:
                self._drop(job)

    def gives_up(self, job: Job[Any]) -> bool:
        """Return whether nobody asks for a job under way; then whoever comes later gets one of their own."""
        with self._lock:
            if job.clients > 0:
                return False
            self._forget(job)
            return True

    def result(
        self,
        key: Hashable,
        make: Callable[[], Made],
        *,
        kind: str = "",
        client: str = "",
        patience_s: float = PATIENCE_S,
    ) -> Made:
        """Return what ``make`` returns, made in the pool while this thread waits; at once in a thread of any pool.

        Raises
        ------
        Busy
            When the pool is full, or it is not ready in time.
        Exception
            Whatever ``make`` raises.
        """
        if hasattr(_here, "job"):
            return make()
        job = self.order(key, make, kind=kind, client=client)
        try:
            return job.future.result(patience_s)
        except TimeoutError:
            if job.future.done():
                return job.future.result()
            self.leave(job, comes_back=True)
            raise self.late() from None
        except CancelledError:
            raise Busy("The server is being stopped.") from None

    def late(self) -> Busy:
        """Return what to say to a client who has waited for as long as they may."""
        return Busy("This takes longer than a request may wait.", retry_after_s=self.retry_after_s)

    def drop_waiting(self) -> None:
        """Give up every job that has not begun."""
        with self._lock:
            for job in list(self._queue):
                self._drop(job)

    def _new(self, key: Hashable, make: Callable[[], Made], *, kind: str, client: str) -> Job[Made]:
        room = self.waiting - (self.waiting // LEFT_TO_OTHERS if self._has_most(client) else 0)
        if self.jobs >= room or self.wait_s > self.patience_s:
            raise Busy("Too many answers are being computed already.", retry_after_s=self.retry_after_s)
        now, counted_s = self.clock(), YIELDS * self.expected_s(kind) / self.size if client else 0.0
        turn_s = max(now, self._served_s.get(client, now))
        if client:
            self._served_s = {who: until_s for who, until_s in self._served_s.items() if until_s > now}
            self._served_s[client] = turn_s + counted_s
        job = Job(pool=self, key=key, make=make, kind=kind, turn_s=turn_s, client=client, counted_s=counted_s)
        self.jobs += 1
        self._queue.append(job)
        return job

    def _has_most(self, client: str) -> bool:
        return bool(client) and 2 * sum(job.client == client for job in self._queue) > self.jobs

    def _work(self) -> None:
        while (job := self._next()) is not None:
            start = self.clock()
            job.until_s = start + self.longest_s
            _here.job = job
            try:
                made = job.make()
            except Abandoned:  # what it took until then says nothing of its kind
                self._end(job, took_s=self.expected_s(job.kind))
                job.future.set_exception(CancelledError())
            except BaseException as fault:  # it is the client's
                self._end(job, took_s=self.clock() - start)
                job.future.set_exception(fault)
            else:
                self._end(job, took_s=self.clock() - start)
                job.future.set_result(made)
            finally:
                del _here.job

    def _next(self) -> Job[Any] | None:
        """Return the job whose turn it is, None where none may begin: long ones leave a thread to the others."""
        with self._lock:
            for job in sorted(self._queue, key=self._turn_s):
                job.long = self.expected_s(job.kind) > LONG_S
                if job.long and self._long >= max(self.size - 1, 1):
                    continue
                self._queue.remove(job)
                self._long += job.long
                job.future.set_running_or_notify_cancel()
                return job
            return None

    def _turn_s(self, job: Job[Any]) -> float:
        return job.turn_s + YIELDS * self.expected_s(job.kind)

    def _end(self, job: Job[Any], *, took_s: float) -> None:
        with self._lock:
            self.jobs -= 1
            self._forget(job)
            self._long -= job.long
            self.usual_s += RECENT * (took_s - self.usual_s)
            known_s = self._kinds.get(job.kind, took_s)
            self._kinds[job.kind] = known_s + RECENT * (took_s - known_s)

    def _drop(self, job: Job[Any]) -> None:
        if job not in self._queue:
            return
        self._queue.remove(job)
        self.jobs -= 1
        self._forget(job)
        if job.client in self._served_s:
            self._served_s[job.client] -= job.counted_s
        job.future.cancel()

    def _forget(self, job: Job[Any]) -> None:
        if self._under_way.get(job.key) is job:
            del self._under_way[job.key]


def drop_all_waiting() -> None:
    """Give up every job that has not begun, so that the process can end."""
    for pool in list(_all):
        pool.drop_waiting()


ORDINARY = ComputePool("ordinary")
EXPENSIVE = ComputePool("dear", threads=1, waiting=16, patience_s=PATIENCE_S, usual_s=1.0)
"""What is known to take long has a short queue of its own, and never holds up the rest."""
OWN_DATA = ComputePool("own data", threads=1, waiting=128)
"""What waits for the worker, which reads readers' own data; a page that waits costs less than one that asks again."""
POOLS = {"ordinary": ORDINARY, "dear": EXPENSIVE, "own data": OWN_DATA}
"""The pools of this process by the names that metrics give them."""


def pool_of(*, expensive: bool) -> ComputePool:
    """Return the pool for what takes long, or the one for what does not."""
    return EXPENSIVE if expensive else ORDINARY
