"""Thread pools for readers' computations. A full pool refuses new work."""

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
"""Maximum time that a client waits. [s]"""
LONGEST_RETRY_S = 60
RECENT = 0.2
"""Weight of the latest job in the moving average of job times. [1]"""
UNKNOWN_S = 0.1
"""Expected time of a job of an untimed kind. [s]"""
LONG_S = 0.25
"""Expected time above which a job counts as long. [s]"""
LEFT_TO_OTHERS = 8
"""Divisor of a pool's queue size: one client cannot take the last eighth. [1]"""
LONGEST_S = 60.0
"""Maximum time to compute an answer. [s]"""
YIELDS = 20.0
"""Multiple of a job's expected time for which it lets shorter jobs pass. [1]"""

Made = TypeVar("Made")

_here = threading.local()


class Abandoned(BaseException):
    """Exception for a job that no client waits for any more. Like a program exit, it should not be caught early."""


class Busy(Exception):  # noqa: N818 - a state, not a fault
    """Error if a pool is full or a job takes too long. The client may retry after ``retry_after_s``."""

    def __init__(self, text: str, *, retry_after_s: int = 5) -> None:
        """Store the message and the time until the client should retry. [s]"""
        super().__init__(text)
        self.retry_after_s = retry_after_s


@dataclass(kw_only=True, eq=False)
class Job(Generic[Made]):
    """A job of the pool. Its turn is at ``turn_s``. It delays the turn of its client's next job by ``counted_s``. [s]

    ``clients`` is the number of waiting clients, ``long`` whether it started as a long job, ``until_s`` its deadline.
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
    """Raise an exception if this thread's pool job should end. Called between steps; without effect in other threads.

    Raises Abandoned if no client waits for the job any more; Busy if it has already taken too long.
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
    """Pool that runs jobs in a few threads. Equal requests share a job, short jobs run early, and clients take turns.

    Threads share an interpreter, so two short jobs would only delay each other: one runs at a time, beside long ones.
    Clients with many requests wait behind those with few: a client's second job has its turn when the first would be
    done if each client had its own pool, on the scale of YIELDS (start-time fair queueing: Goyal, Vin and Cheng,
    IEEE/ACM Transactions on Networking 5, 1997, section 2). A client without a name, "", has its turn at once.
    ``waiting`` is the maximum number of jobs, including running ones, ``patience_s`` that of the expected wait of a new
    one, and ``longest_s`` that of the time a job takes. ``usual_s`` is the expected time of a job before any has been
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
        self._running: list[Job[Any]] = []
        self._lock = threading.Condition()
        _all.add(self)

    @property
    def wait_s(self) -> float:
        """Return the expected wait of a new job. [s]"""
        return max(self.jobs + 1 - self.size, 0) * self.usual_s / self.size

    @property
    def retry_after_s(self) -> int:
        """Return the time until a client should retry, in whole seconds. [s]"""
        return min(max(math.ceil(self.wait_s), 1), LONGEST_RETRY_S)

    def expected_s(self, kind: str) -> float:
        """Return the expected time of a job, estimated from earlier jobs of its kind. [s]"""
        return self._kinds.get(kind, UNKNOWN_S)

    def order(
        self, key: Hashable, make: Callable[[], Made], *, kind: str = "", client: str = ""
    ) -> Job[Made]:
        """Return the job for a key: the current one or, if there is none, a new one.

        Raises Busy if the pool is full, or if this client already has its share of the places.
        """
        with self._lock:
            job = self._under_way.get(key)
            if job is None:
                job = self._under_way[key] = self._new(key, make, kind=kind, client=client)
                self.threads.submit(self._work)
            job.clients += 1
            return job

    def leave(self, job: Job[Any], *, comes_back: bool = False) -> None:
        """Record that a client has stopped waiting for a job.

        A job without clients is dropped if it has not started, and ends at its next step if it has. A started job whose
        client ``comes_back``, having been told to retry, is completed.
        """
        with self._lock:
            if job.clients > 1 or not comes_back or job in self._queue:
                job.clients -= 1
            if job.clients == 0:
                self._drop(job)

    def gives_up(self, job: Job[Any]) -> bool:
        """Return whether a running job has no clients left."""
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
        """Return the result of ``make``, run in the pool. In a pool thread, it is run directly.

        Raises Busy if the pool is full or the result is not ready in time, and any error that ``make`` raises.
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
        """Return the error for a request that has waited for the maximum time."""
        return Busy("This takes longer than a request may wait.", retry_after_s=self.retry_after_s)

    def drop_waiting(self) -> None:
        """Drop every job that has not started."""
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
            _here.job = job
            try:
                made = job.make()
            except Abandoned:  # an abandoned job's time says nothing about its kind
                self._end(job, took_s=self.expected_s(job.kind))
                job.future.set_exception(CancelledError())
            except BaseException as fault:  # raised to the client
                self._end(job, took_s=self.clock() - start)
                job.future.set_exception(fault)
            else:
                self._end(job, took_s=self.clock() - start)
                job.future.set_result(made)
            finally:
                del _here.job

    def _next(self) -> Job[Any] | None:
        """Return the next job to start. None if no job waits. A running job that has taken LONG_S counts as long."""
        most = max(self.size - 1, 1)
        with self._lock:
            while self._queue:
                late_s = self.clock() + self.longest_s - LONG_S
                for job in sorted(self._queue, key=self._turn_s):
                    job.long = self.expected_s(job.kind) > LONG_S
                    if sum((one.long or one.until_s < late_s) == job.long for one in self._running) < most:
                        self._queue.remove(job)
                        self._running.append(job)
                        job.until_s = self.clock() + self.longest_s
                        job.future.set_running_or_notify_cancel()
                        return job
                self._lock.wait(LONG_S)
            return None

    def _turn_s(self, job: Job[Any]) -> float:
        return job.turn_s + YIELDS * self.expected_s(job.kind)

    def _end(self, job: Job[Any], *, took_s: float) -> None:
        with self._lock:
            self.jobs -= 1
            self._forget(job)
            self._running.remove(job)
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
    """Drop all jobs that have not started, in every pool, so that the process can exit."""
    for pool in list(_all):
        pool.drop_waiting()


ORDINARY = ComputePool("ordinary")
EXPENSIVE = ComputePool("dear", threads=1, waiting=16, patience_s=PATIENCE_S, usual_s=1.0)
"""Pool for jobs known to be slow, so that they never delay others."""
OWN_DATA = ComputePool("own data", threads=1, waiting=128)
"""Pool for the worker that reads readers' own data. Its queue is long, because retries cost more."""
POOLS = {"ordinary": ORDINARY, "dear": EXPENSIVE, "own data": OWN_DATA}
"""The process's pools, keyed by their names in metrics."""


def pool_of(*, expensive: bool) -> ComputePool:
    """Return the pool for expensive jobs or, for other jobs, the ordinary pool."""
    return EXPENSIVE if expensive else ORDINARY
