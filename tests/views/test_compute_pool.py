"""The pool: each thing made once, short ones soon, none waits for good, and a full pool says when to come back."""

import threading
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from views import compute_pool


class Held:
    """A job of two steps that begins, waits until it may go on, and counts how often each step was made."""

    def __init__(self, result="made"):
        self.began, self.go, self.result = threading.Event(), threading.Event(), result
        self.made = self.second = 0

    def __call__(self):
        self.made += 1
        self.began.set()
        assert self.go.wait(10)
        compute_pool.check_cancelled()
        self.second += 1
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


class Clock:
    """A clock that stands still unless a job takes its time."""

    now = 0.0

    def __call__(self):
        return self.now

    def take(self, seconds):
        self.now += seconds


@pytest.fixture
def held():
    """Make jobs that are let go at the end, whatever happens."""
    jobs = []

    def new(result="made"):
        jobs.append(Held(result))
        return jobs[-1]

    yield new
    for job in jobs:
        job.go.set()


@pytest.fixture
def clock():
    return Clock()


def ended(job):
    return job.future.result(timeout=10)


def begun(pool, job, *, key="first"):
    """Order a job and wait until it has begun."""
    ordered = pool.order(key, job)
    assert job.began.wait(10)
    return ordered


def pool_that_knows(clock, *, threads=1, **expected_s):
    """Return a pool that has learnt how long jobs of some kinds take. [s]"""
    pool = compute_pool.ComputePool(threads=threads, usual_s=1.0, clock=clock)
    for kind, seconds in expected_s.items():
        for _ in range(40):
            pool.result(kind, lambda seconds=seconds: clock.take(seconds), kind=kind)
    return pool


def order_of(pool, jobs, *, held, clock):
    """Return in which order jobs of a pool with one thread are made: of which kind and client, and when it comes."""
    first, made = held(), []
    begun(pool, first)
    ordered = []
    for kind, client, comes_s in jobs:
        clock.now = comes_s
        job = (kind, client, comes_s)
        ordered.append(pool.order(object(), lambda job=job: made.append(job), kind=kind, client=client))
    first.go.set()
    for job in ordered:
        ended(job)
    return made


def test_the_time_of_a_job_is_learnt_from_the_latest_of_its_kind(clock):
    pool = pool_that_knows(clock, long=10.0)
    assert pool.usual_s == pytest.approx(10, rel=0.01)
    assert pool.expected_s("long") == pytest.approx(10)
    assert pool.expected_s("new") == compute_pool.UNKNOWN_S
    pool.result("short", str, kind="long")
    assert pool.expected_s("long") == pytest.approx(10 * (1 - compute_pool.RECENT))


def test_jobs_of_one_kind_come_in_turn(clock, held):
    jobs = [("same", "", 0.1 * place) for place in range(5)]
    assert order_of(pool_that_knows(clock), jobs, held=held, clock=clock) == jobs


def test_short_jobs_pass_long_ones_that_came_before_them_but_not_for_good(clock, held):
    pool = pool_that_knows(clock, long=1.0, short=0.0)
    start = clock.now
    jobs = [
        ("long", "", start),
        ("short", "", start + 1),
        ("short", "", start + 0.9 * compute_pool.YIELDS),
        ("short", "", start + 1.1 * compute_pool.YIELDS),
    ]
    assert order_of(pool, jobs, held=held, clock=clock) == [jobs[1], jobs[2], jobs[0], jobs[3]]


def test_who_asks_for_much_waits_behind_who_asks_for_little(clock, held):
    much = [("same", "much", 0.0)] * 9
    little = [("same", client, 0.5 * compute_pool.UNKNOWN_S) for client in ("little", "another", "")]
    made = order_of(pool_that_knows(clock), [*much, *little], held=held, clock=clock)
    assert made == [much[0], *little, *much[1:]]


def test_what_is_learnt_of_a_kind_counts_for_its_jobs_that_wait_already(clock, held):
    pool, made, first = compute_pool.ComputePool(threads=1, clock=clock), [], held()

    def long():
        first()
        clock.take(1)
        made.append("long")

    jobs = [pool.order(number, long, kind="long") for number in range(3)]
    assert first.began.wait(10)
    jobs.append(pool.order("short", lambda: made.append("short"), kind="short"))
    first.go.set()
    for job in jobs:
        ended(job)
    assert made == ["long", "short", "long", "long"]


def test_long_jobs_leave_a_thread_to_the_others(clock, held):
    pool = pool_that_knows(clock, threads=2, long=2 * compute_pool.LONG_S)
    made = [held() for _ in range(3)]
    jobs = [pool.order(number, long, kind="long") for number, long in enumerate(made)]
    assert made[0].began.wait(10)
    assert pool.result("short", lambda: "short", kind="short", patience_s=10) == "short"
    assert [one.made for one in made] == [1, 0, 0]
    for one in made:
        one.go.set()
    assert [ended(job) for job in jobs] == ["made"] * 3


def test_short_jobs_run_one_at_a_time_but_none_waits_for_one_that_takes_long(held):
    pool, start = compute_pool.ComputePool(), time.monotonic()
    begun(pool, held())
    assert pool.result("short", lambda: "made", patience_s=10) == "made"
    assert time.monotonic() - start > compute_pool.LONG_S


def test_what_a_client_gives_up_is_passed_over_and_not_counted_against_them(clock, held):
    pool, first, made = compute_pool.ComputePool(threads=1, clock=clock), held(), []
    begun(pool, first)
    for number in range(9):
        pool.leave(pool.order(number, held(), kind="same", client="gone"))
    clock.take(0.1 * compute_pool.UNKNOWN_S)
    for client in ("gone", "new"):
        job = pool.order(client, lambda client=client: made.append(client), kind="same", client=client)
    first.go.set()
    ended(job)
    assert made == ["gone", "new"]
    assert pool.jobs == 0


def test_one_client_leaves_room_to_the_others(held):
    pool, first, placed = compute_pool.ComputePool(threads=1, waiting=16), held(), 0
    begun(pool, first)
    with pytest.raises(compute_pool.Busy, match="Too many answers are being computed already"):
        while True:
            pool.order(placed, str, kind="same", client="much")
            placed += 1
    assert placed == 16 - 16 // compute_pool.LEFT_TO_OTHERS - 1  # one place is the first job's
    pool.order("another", str, client="other")


def test_what_several_ask_for_at_once_is_made_once_and_anew_for_who_comes_later(held):
    pool, made = compute_pool.ComputePool(), held()
    jobs = [pool.order("key", made) for _ in range(8)]
    assert made.began.wait(10)
    made.go.set()
    assert [ended(job) for job in jobs] == ["made"] * 8
    assert made.made == 1
    assert pool.result("key", made) == "made"
    assert made.made == 2
    assert pool.jobs == 0


def test_a_full_pool_refuses_at_once_and_says_when_to_come_back(held):
    pool, made = compute_pool.ComputePool(threads=1, waiting=3, usual_s=7.0), held()
    for number in range(3):
        pool.order(number, made)
    with pytest.raises(
        compute_pool.Busy, match=r"^Too many answers are being computed already\.$"
    ) as refused:
        pool.order("one more", made)
    assert refused.value.retry_after_s == 21
    assert pool.order(2, made).clients == 2  # who asks for what is under way is let in


def test_jobs_are_refused_that_would_wait_longer_than_one_may(held):
    pool, made = compute_pool.ComputePool(threads=1, patience_s=60, usual_s=50.0), held()
    pool.order(0, made)
    pool.order(1, made)
    with pytest.raises(compute_pool.Busy) as refused:
        pool.order(2, made)
    assert refused.value.retry_after_s == compute_pool.LONGEST_RETRY_S
    assert pool.jobs == 2


def test_what_nobody_waits_for_any_more_is_dropped_unless_it_has_begun(held):
    pool, first, second = compute_pool.ComputePool(threads=1), held(), held()
    begun(pool, first)
    queued = pool.order("second", second)
    pool.order("second", second)
    pool.leave(queued)
    assert not queued.future.cancelled()  # another still asks for it
    pool.leave(queued)
    assert queued.future.cancelled() and pool.jobs == 1
    first.go.set()
    second.go.set()
    assert pool.result("second", second) == "made"
    assert second.made == 1


def test_one_who_waits_too_long_is_told_and_what_had_not_begun_is_dropped(held):
    pool, first, second = compute_pool.ComputePool(threads=1), held(), held()
    pool.order("first", first)
    with pytest.raises(compute_pool.Busy, match=r"^This takes longer than a request may wait\.$") as refused:
        pool.result("second", second, patience_s=0.01)
    assert refused.value.retry_after_s == 1
    first.go.set()
    assert pool.result("third", lambda: "made") == "made"
    assert second.made == 0


@pytest.mark.parametrize("fault", [ValueError("no such thing"), TimeoutError("its own")])
def test_a_fault_reaches_who_asked_and_ends_only_its_own_job(held, fault):
    pool, made = compute_pool.ComputePool(threads=1), held(fault)
    made.go.set()
    with pytest.raises(type(fault), match=str(fault)):
        pool.result("key", made)
    assert pool.result("next", lambda: "made") == "made"
    assert pool.jobs == 0


def test_what_is_asked_for_from_within_is_made_at_once():
    pool, other = compute_pool.ComputePool("one", threads=1), compute_pool.ComputePool("other")
    for inner in (pool, other):
        name = pool.result(
            "outer", lambda inner=inner: inner.result("inner", lambda: threading.current_thread().name)
        )
        assert name.startswith("one")


def test_at_the_end_what_has_not_begun_is_given_up_and_what_has_is_finished(held):
    pool, first, second = compute_pool.ComputePool(threads=1), held(), held()
    begun = pool.order("first", first)
    with ThreadPoolExecutor(1) as clients:
        waiting = clients.submit(pool.result, "second", second)
        while pool.jobs < 2 or not first.began.is_set():
            time.sleep(0.001)
        compute_pool.drop_all_waiting()
        with pytest.raises(compute_pool.Busy, match=r"The server is being stopped\."):
            waiting.result(timeout=10)
    first.go.set()
    assert ended(begun) == "made"


def test_what_was_begun_ends_at_its_next_step_when_its_last_client_is_gone(held):
    pool, made = compute_pool.ComputePool(threads=1), held()
    first, second = begun(pool, made, key="key"), pool.order("key", made)
    pool.leave(first)
    pool.leave(second)
    made.go.set()
    with pytest.raises(CancelledError):
        ended(first)
    assert made.second == 0
    assert pool.result("next", lambda: "at once", patience_s=10) == "at once"


def test_what_one_client_still_waits_for_is_made_to_its_end(held):
    pool, made = compute_pool.ComputePool(threads=1), held()
    first, second = begun(pool, made, key="key"), pool.order("key", made)
    pool.leave(first)
    made.go.set()
    assert ended(second) == "made"


def test_who_is_told_to_come_back_finds_it_made(held):
    pool, made = compute_pool.ComputePool(threads=1), held()
    with pytest.raises(compute_pool.Busy):
        pool.result("key", made, patience_s=0.3)
    assert made.began.is_set()
    again = pool.order("key", made)
    made.go.set()
    assert ended(again) == "made"
    assert made.second == 1


def test_who_asks_while_it_is_given_up_gets_one_of_their_own(held):
    pool, made, gone, other = compute_pool.ComputePool(), held(), threading.Event(), threading.Event()

    def given_up_late():
        try:
            made()
        except compute_pool.Abandoned:
            gone.set()
            assert other.wait(10)
            raise

    first = pool.order("key", given_up_late)
    assert made.began.wait(10)
    pool.leave(first)
    made.go.set()
    assert gone.wait(10)
    assert ended(pool.order("key", lambda: "mine")) == "mine"
    other.set()
    with pytest.raises(CancelledError):
        ended(first)


def test_an_answer_that_takes_too_long_ends_at_its_next_step_and_says_when_to_come_back(clock):
    pool = compute_pool.ComputePool(threads=1, longest_s=2.5, clock=clock)

    def long():
        clock.take(2.5)
        compute_pool.check_cancelled()
        clock.take(0.1)
        compute_pool.check_cancelled()

    with pytest.raises(
        compute_pool.Busy, match=r"^This answer takes longer than 2\.5 s to make\.$"
    ) as refused:
        pool.result("key", long)
    assert refused.value.retry_after_s == compute_pool.LONGEST_RETRY_S
    assert clock.now == 2.6
