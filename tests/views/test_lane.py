"""Short jobs soon, none waits for good, long ones leave a thread to the others."""

import threading
from concurrent.futures import Future

import pytest

from views.lane import LEFT_TO_OTHERS, LONG_S, RECENT, UNKNOWN_S, YIELDS, Busy, Lane, inside


class Clock:
    """A clock that stands still unless a job takes its time."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def gate():
    """Hold up what waits for it; opened at the end, whatever happens."""
    opened = threading.Event()
    yield opened
    opened.set()


def lane_of(threads, clock, *, known=None):
    """Return a lane that has learnt how long the known kinds take. [s]"""
    lane = Lane("test", threads=threads, waiting=100, patience_s=1e9, usual_s=1.0, clock=clock)

    def taking(seconds):
        clock.now += seconds

    for kind, seconds in (known or {}).items():
        for _ in range(40):
            ended(lane.add(lambda seconds=seconds: taking(seconds), kind=kind).future)
    return lane


def ended(future: Future):
    return future.result(timeout=10)


def order_of(lane, jobs, *, gate, clock):
    """Return in which order jobs of a lane with one thread are made, given their kinds and when they come. [s]"""
    made = []
    began = threading.Event()

    def first():
        began.set()
        assert gate.wait(10)

    lane.add(first, kind="")
    assert began.wait(10)
    futures = []
    for kind, comes_s in jobs:
        clock.now = comes_s
        futures.append(lane.add(lambda kind=kind, at=comes_s: made.append((kind, at)), kind=kind).future)
    gate.set()
    for future in futures:
        ended(future)
    return made


def test_the_time_of_a_job_is_learnt_from_the_latest_of_its_kind(clock):
    lane = lane_of(1, clock, known={"long": 10.0})
    assert lane.usual_s == pytest.approx(10, rel=0.01)
    assert lane.expected_s("long") == pytest.approx(10)
    assert lane.expected_s("new") == UNKNOWN_S
    ended(lane.add(str, kind="long").future)
    assert lane.expected_s("long") == pytest.approx(10 * (1 - RECENT))


def test_jobs_of_one_kind_come_in_turn(clock, gate):
    lane = lane_of(1, clock)
    jobs = [("same", 0.1 * place) for place in range(5)]
    assert order_of(lane, jobs, gate=gate, clock=clock) == jobs


def test_short_jobs_pass_long_ones_that_came_before_them_but_not_for_good(clock, gate):
    lane = lane_of(1, clock, known={"long": 1.0, "short": 0.0})
    start, passed = clock.now, YIELDS * 1.0
    jobs = [
        ("long", start),
        ("short", start + 1),
        ("short", start + 0.9 * passed),
        ("short", start + 1.1 * passed),
    ]
    assert order_of(lane, jobs, gate=gate, clock=clock) == [jobs[1], jobs[2], jobs[0], jobs[3]]


def test_what_is_learnt_of_a_kind_counts_for_its_jobs_that_wait_already(clock, gate):
    lane, made = lane_of(1, clock), []
    began = threading.Event()

    def long():
        began.set()
        assert gate.wait(10)
        clock.now += 1
        made.append("long")

    futures = [lane.add(long, kind="long").future for _ in range(3)]
    assert began.wait(10)
    futures.append(lane.add(lambda: made.append("short"), kind="short").future)
    gate.set()
    for future in futures:
        ended(future)
    assert made == ["long", "short", "long", "long"]


def test_long_jobs_leave_a_thread_to_the_others(clock, gate):
    lane = lane_of(2, clock, known={"long": 2 * LONG_S})
    began = [threading.Event() for _ in range(3)]

    def long(place):
        began[place].set()
        return gate.wait(10)

    long_ones = [lane.add(lambda place=place: long(place), kind="long").future for place in range(3)]
    assert began[0].wait(10)
    assert ended(lane.add(lambda: "short", kind="short").future) == "short"
    assert [one.is_set() for one in began] == [True, False, False]
    gate.set()
    assert [ended(one) for one in long_ones] == [True] * 3


def test_what_is_given_up_is_passed_over_and_a_fault_ends_only_its_own_job(clock, gate):
    lane = lane_of(1, clock)
    began = threading.Event()

    def first():
        began.set()
        return gate.wait(10)

    def broken():
        raise ValueError("broken")

    running = lane.add(first, kind="").future
    assert began.wait(10)
    given_up, faulty, last = (lane.add(make, kind="").future for make in (str, broken, inside))
    assert given_up.cancel()
    gate.set()
    assert ended(running)
    with pytest.raises(ValueError, match="broken"):
        ended(faulty)
    assert ended(last) is True
    assert not inside()


def busy_lane(clock, gate, *, waiting=100):
    """Return a lane of one thread that is held up until the gate opens."""
    lane = Lane("test", threads=1, waiting=waiting, patience_s=1e9, usual_s=1.0, clock=clock)
    began = threading.Event()

    def first():
        began.set()
        assert gate.wait(10)

    lane.add(first, kind="")
    assert began.wait(10)
    return lane


def test_who_asks_for_much_waits_behind_who_asks_for_little(clock, gate):
    lane, made = busy_lane(clock, gate), []
    futures = [
        lane.add(lambda at=at: made.append(("much", at)), kind="same", asker="much").future for at in range(9)
    ]
    clock.now += 0.5 * UNKNOWN_S
    for asker in ("little", "another", ""):
        futures.append(lane.add(lambda asker=asker: made.append((asker, 0)), kind="same", asker=asker).future)
    gate.set()
    for future in futures:
        ended(future)
    assert made[:4] == [("much", 0), ("little", 0), ("another", 0), ("", 0)]
    assert made[4:] == [("much", at) for at in range(1, 9)]


def test_what_an_asker_gives_up_is_not_counted_against_them(clock, gate):
    lane, made = busy_lane(clock, gate), []
    for at in range(9):
        assert lane.add(str, kind="same", asker="gone").future.cancel(), at
    clock.now += 0.1 * UNKNOWN_S
    futures = [
        lane.add(lambda who=who: made.append(who), kind="same", asker=who).future for who in ("gone", "new")
    ]
    gate.set()
    for future in futures:
        ended(future)
    assert made == ["gone", "new"]
    assert lane.jobs == 0


def test_one_asker_leaves_room_to_the_others(clock, gate):
    lane = busy_lane(clock, gate, waiting=16)
    taken = 0
    with pytest.raises(Busy, match="Too many answers are being computed already"):
        while True:
            lane.add(str, kind="same", asker="much")
            taken += 1
    assert taken == 16 - 16 // LEFT_TO_OTHERS - 1  # one place is the first job's
    assert lane.add(str, kind="same", asker="other").turn_s == clock.now
