"""The pool: each thing made once, dear things apart, and a full pool says when to come back."""

import threading
import time
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor

import pytest

from views.admission import Admission, Busy, drop_all_waiting
from views.lane import LONGEST_RETRY_S, Abandoned, go_on


class Job:
    """A job that begins, waits until it may go on, and counts how often it was made."""

    def __init__(self, result="made"):
        self.began, self.go, self.made, self.result = threading.Event(), threading.Event(), 0, result

    def __call__(self):
        self.made += 1
        self.began.set()
        assert self.go.wait(10)
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


@pytest.fixture
def jobs():
    """Make jobs that are let go at the end, whatever happens."""
    all_jobs = []

    def new(result="made"):
        all_jobs.append(Job(result))
        return all_jobs[-1]

    yield new
    for job in all_jobs:
        job.go.set()


def ended(future: Future):
    return future.result(timeout=10)


def test_dear_jobs_leave_the_ordinary_threads_free(jobs):
    pool = Admission(ordinary=1, dear=1)
    dear = [jobs() for _ in range(5)]
    waiting = [pool.order(place, job, dear=True) for place, job in enumerate(dear)]
    assert dear[0].began.wait(10)
    assert pool.admitted("ordinary", lambda: "at once", patience_s=10) == "at once"
    assert [job.made for job in dear] == [1, 0, 0, 0, 0]
    for job in dear:
        job.go.set()
    assert [ended(one.future) for one in waiting] == ["made"] * 5


def test_what_several_ask_for_at_once_is_made_once_and_anew_for_who_comes_later(jobs):
    pool, job = Admission(), jobs()
    asked = [pool.order("key", job) for _ in range(8)]
    assert job.began.wait(10)
    job.go.set()
    assert [ended(one.future) for one in asked] == ["made"] * 8
    assert job.made == 1
    assert pool.admitted("key", job) == "made"
    assert job.made == 2
    assert (pool.ordinary.jobs, pool.dear.jobs) == (0, 0)


def test_a_full_lane_refuses_at_once_and_says_when_to_come_back(jobs):
    pool, job = Admission(dear=1, dear_waiting=3), jobs()
    pool.dear.usual_s = 7.0
    for place in range(3):
        pool.order(place, job, dear=True)
    with pytest.raises(Busy) as refused:
        pool.order("one more", job, dear=True)
    assert str(refused.value) == "Too many answers are being computed already."
    assert refused.value.retry_after_s == 21
    assert pool.order(2, job, dear=True).askers == 2  # who asks for what is under way is let in
    assert pool.admitted("ordinary", lambda: "made") == "made"


def test_dear_jobs_are_refused_where_they_would_wait_longer_than_one_may(jobs):
    pool, job = Admission(patience_s=60), jobs()
    pool.dear.usual_s = 50.0
    pool.order(0, job, dear=True)
    pool.order(1, job, dear=True)
    with pytest.raises(Busy) as refused:
        pool.order(2, job, dear=True)
    assert refused.value.retry_after_s == 60
    assert pool.dear.jobs == 2


def test_what_nobody_waits_for_any_more_is_dropped_unless_it_has_begun(jobs):
    pool = Admission(ordinary=1)
    first, second = jobs(), jobs()
    begun, queued = pool.order("first", first), pool.order("second", second)
    assert first.began.wait(10)
    pool.order("second", second)
    pool.leave(queued)
    assert not queued.future.cancelled()  # another still asks for it
    pool.leave(queued)
    pool.leave(begun)
    assert queued.future.cancelled()
    assert pool.ordinary.jobs == 1
    first.go.set()
    assert ended(begun.future) == "made"
    second.go.set()
    assert pool.admitted("second", second) == "made"
    assert second.made == 1


def test_one_who_waits_too_long_is_told_and_what_had_not_begun_is_dropped(jobs):
    pool, first, second = Admission(ordinary=1), jobs(), jobs()
    pool.order("first", first)
    with pytest.raises(Busy) as refused:
        pool.admitted("second", second, patience_s=0.01)
    assert str(refused.value) == "This takes longer than a request may wait."
    assert refused.value.retry_after_s == 1
    first.go.set()
    assert pool.admitted("third", lambda: "made") == "made"
    assert second.made == 0


@pytest.mark.parametrize("fault", [ValueError("no such thing"), TimeoutError("its own")])
def test_a_fault_reaches_who_asked(jobs, fault):
    pool, job = Admission(), jobs(fault)
    job.go.set()
    with pytest.raises(type(fault), match=str(fault)):
        pool.admitted("key", job)
    assert pool.ordinary.jobs == 0


def test_what_is_asked_for_from_within_is_made_at_once():
    pool = Admission(ordinary=1)
    names = pool.admitted(
        "outer", lambda: pool.admitted("inner", lambda: threading.current_thread().name), patience_s=10
    )
    assert names.startswith("ordinary")
    assert pool.admitted("dear", lambda: threading.current_thread().name, dear=True).startswith("dear")


def test_at_the_end_what_has_not_begun_is_given_up_and_what_has_is_finished(jobs):
    pool, first, second = Admission(ordinary=1), jobs(), jobs()
    begun = pool.order("first", first)
    with ThreadPoolExecutor(1) as askers:
        asked = askers.submit(pool.admitted, "second", second)
        assert first.began.wait(10)
        while pool.ordinary.jobs < 2:
            time.sleep(0.001)
        waiting = pool.order("second", second)
        drop_all_waiting()
        with pytest.raises(CancelledError):
            ended(waiting.future)
        with pytest.raises(Busy, match=r"The server is being stopped\."):
            ended(asked)
    first.go.set()
    assert ended(begun.future) == "made"


class Steps:
    """A job of two steps: it waits in the first, and counts the second."""

    def __init__(self):
        self.began, self.go, self.second = threading.Event(), threading.Event(), 0

    def __call__(self):
        self.began.set()
        assert self.go.wait(10)
        go_on()
        self.second += 1
        return "made"


@pytest.fixture
def steps():
    """Give a job of steps that is let go at the end, whatever happens."""
    job = Steps()
    yield job
    job.go.set()


def test_what_was_begun_ends_at_its_next_step_when_its_last_asker_is_gone(steps):
    pool = Admission(ordinary=1)
    first, second = pool.order("key", steps), pool.order("key", steps)
    assert steps.began.wait(10)
    pool.leave(first)
    pool.leave(second)
    steps.go.set()
    with pytest.raises(CancelledError):
        ended(first.future)
    assert steps.second == 0
    assert pool.admitted("next", lambda: "at once", patience_s=10) == "at once"


def test_what_one_asker_still_waits_for_is_made_to_its_end(steps):
    pool = Admission(ordinary=1)
    first, second = pool.order("key", steps), pool.order("key", steps)
    assert steps.began.wait(10)
    pool.leave(first)
    steps.go.set()
    assert ended(second.future) == "made"


def test_who_is_told_to_come_back_finds_it_made(steps):
    pool = Admission(ordinary=1)
    with pytest.raises(Busy):
        pool.admitted("key", steps, patience_s=0.3)
    assert steps.began.is_set()
    again = pool.order("key", steps)
    steps.go.set()
    assert ended(again.future) == "made"
    assert steps.second == 1


def test_who_asks_while_it_is_given_up_gets_one_of_their_own(steps):
    pool, gone, other = Admission(ordinary=2), threading.Event(), threading.Event()

    def given_up_late():
        steps.began.set()
        assert steps.go.wait(10)
        try:
            go_on()
        except Abandoned:
            gone.set()
            assert other.wait(10)
            raise

    first = pool.order("key", given_up_late)
    assert steps.began.wait(10)
    pool.leave(first)
    steps.go.set()
    assert gone.wait(10)
    mine = pool.order("key", lambda: "mine")
    assert ended(mine.future) == "mine"
    other.set()
    with pytest.raises(CancelledError):
        ended(first.future)


def test_an_answer_that_takes_too_long_ends_at_its_next_step_and_says_when_to_come_back(monkeypatch):
    pool = Admission(ordinary=1)
    monkeypatch.setattr(pool.ordinary, "longest_s", 0.01)

    def long():
        time.sleep(0.05)
        go_on()

    with pytest.raises(Busy, match=r"^This answer takes longer than 0\.01 s to make\.$") as refused:
        pool.admitted("key", long, patience_s=10)
    assert refused.value.retry_after_s == LONGEST_RETRY_S


def test_outside_the_pool_every_step_is_wanted():
    go_on()
