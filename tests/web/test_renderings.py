import asyncio
import gc
import threading
import time

import pytest

from views.compute_pool import ComputePool, check_cancelled, drop_all_waiting
from web.renderings import Busy, Renderings


def test_a_file_is_made_once_however_many_ask_at_once_and_then_kept():
    made = []

    def make() -> bytes:
        made.append(threading.current_thread().name)
        time.sleep(0.05)
        return b"file"

    async def ask_all(renderings: Renderings) -> list[bytes]:
        return await asyncio.gather(*(renderings.get("key", make) for _ in range(200)))

    renderings = Renderings()
    assert asyncio.run(ask_all(renderings)) == [b"file"] * 200
    assert asyncio.run(ask_all(renderings)) == [b"file"] * 200
    assert len(made) == 1
    assert made[0].startswith("ordinary")
    assert renderings.kept("key") == b"file"


def test_one_who_gives_up_does_not_take_the_file_from_the_others():
    go = threading.Event()

    def make() -> bytes:
        go.wait(5)
        return b"file"

    async def two() -> bytes:
        renderings = Renderings(ordinary=ComputePool(threads=1))
        first = asyncio.create_task(renderings.get("key", make))
        second = asyncio.create_task(renderings.get("key", make))
        await asyncio.sleep(0.01)
        first.cancel()
        await asyncio.sleep(0.01)
        go.set()
        return await second

    assert asyncio.run(two()) == b"file"


def test_over_the_bound_is_busy_and_below_it_is_served_again():
    go = threading.Event()

    def wait() -> bytes:
        go.wait(5)
        return b"x"

    async def crowd() -> None:
        renderings = Renderings(ordinary=ComputePool(threads=1, waiting=2))
        waiting = [asyncio.create_task(renderings.get(str(n), wait)) for n in range(2)]
        await asyncio.sleep(0.01)
        with pytest.raises(Busy) as refused:
            await renderings.get("third", wait)
        assert str(refused.value) == "Too many answers are being computed already."
        go.set()
        await asyncio.gather(*waiting)
        assert await renderings.get("third", wait) == b"x"

    asyncio.run(crowd())


def test_who_waits_too_long_is_told_and_finds_the_file_later():
    began, go = threading.Event(), threading.Event()

    def slow() -> bytes:
        began.set()
        assert go.wait(10)
        return b"late"

    async def impatient() -> bytes:
        renderings = Renderings()
        patient = asyncio.ensure_future(renderings.get("key", slow))
        assert await asyncio.to_thread(began.wait, 10)
        with pytest.raises(Busy) as refused:
            await renderings.get("key", slow, patience_s=0.01)
        assert str(refused.value) == "This takes longer than a request may wait."
        patient.cancel()
        go.set()
        while (kept := renderings.kept("key")) is None:  # begun, it is finished though nobody waits
            await asyncio.sleep(0.01)
        return kept

    assert asyncio.run(asyncio.wait_for(impatient(), 20)) == b"late"


def test_a_fault_reaches_all_who_asked_and_is_not_kept():
    tries = []

    def broken() -> bytes:
        tries.append(1)
        time.sleep(0.02)
        raise ValueError("no such thing")

    async def ask_twice() -> None:
        renderings = Renderings()
        got = await asyncio.gather(*(renderings.get("key", broken) for _ in range(5)), return_exceptions=True)
        assert [str(one) for one in got] == ["no such thing"] * 5
        assert len(tries) == 1
        with pytest.raises(ValueError, match="no such thing"):
            await renderings.get("key", broken)

    asyncio.run(ask_twice())
    assert len(tries) == 2


def test_at_the_end_what_waits_is_given_up_and_what_is_being_made_is_finished():
    go = threading.Event()

    def wait() -> bytes:
        go.wait(5)
        return b"x"

    async def end() -> None:
        renderings = Renderings(ordinary=ComputePool(threads=1))
        made = asyncio.create_task(renderings.get("first", wait))
        waiting = asyncio.create_task(renderings.get("second", wait))
        await asyncio.sleep(0.05)
        drop_all_waiting()
        go.set()
        assert await made == b"x"
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert await renderings.get("second", wait) == b"x"

    asyncio.run(end())


def test_memory_is_bounded_and_the_longest_unused_goes_first():
    async def fill() -> Renderings:
        renderings = Renderings(keep_byte=25)
        for key in ("a", "b"):
            await renderings.get(key, lambda: b"0123456789")
        renderings.kept("a")
        await renderings.get("c", lambda: b"0123456789")
        await renderings.get("huge", lambda: b"x" * 26)
        return renderings

    renderings = asyncio.run(fill())
    assert [key for key in ("a", "b", "c", "huge") if renderings.kept(key)] == ["a", "c"]
    assert renderings.store.kept_byte == 20


def test_the_loop_stays_free_while_files_are_made():
    async def tick() -> int:
        renderings = Renderings()
        task = asyncio.create_task(renderings.get("key", lambda: time.sleep(0.2) or b"x"))
        ticks = 0
        while not task.done():
            await asyncio.sleep(0.01)
            ticks += 1
        return ticks

    assert asyncio.run(tick()) > 5


def test_who_hangs_up_leaves_nothing_in_the_queue():
    go, made = threading.Event(), []

    def wait() -> bytes:
        go.wait(5)
        return b"x"

    async def leave() -> None:
        renderings = Renderings(ordinary=ComputePool(threads=1))
        first = asyncio.create_task(renderings.get("first", wait))
        second = asyncio.create_task(renderings.get("second", lambda: made.append(1) or b"y"))
        await asyncio.sleep(0.01)
        assert renderings.ordinary.jobs == 2
        second.cancel()
        await asyncio.sleep(0.01)
        assert renderings.ordinary.jobs == 1
        go.set()
        assert await first == b"x"
        assert await renderings.get("third", lambda: b"z") == b"z"
        assert not made

    asyncio.run(leave())


def test_what_nobody_waits_for_any_more_leaves_nothing_in_the_log(caplog: pytest.LogCaptureFixture):
    began, go = threading.Event(), threading.Event()

    def make() -> bytes:
        began.set()
        go.wait(5)
        check_cancelled()
        return b"file"

    async def one_who_leaves() -> None:
        pool = ComputePool(threads=1)
        asker = asyncio.create_task(Renderings(ordinary=pool).get("key", make))
        await asyncio.to_thread(began.wait, 5)
        asker.cancel()
        await asyncio.sleep(0.05)
        go.set()
        while pool.jobs:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        del asker
        gc.collect()

    asyncio.run(one_who_leaves())
    assert not caplog.records
