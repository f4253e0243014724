import asyncio
import gc
import threading

import pytest

from views.compute_pool import ComputePool, check_cancelled
from web.renderings import Busy, Renderings


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


def test_what_nobody_waits_for_any_more_leaves_nothing_in_the_log(caplog: pytest.LogCaptureFixture):
    began, go = threading.Event(), threading.Event()

    def make() -> bytes:
        began.set()
        go.wait(5)
        check_cancelled()
        return b"file"

    async def one_who_leaves() -> None:
        pool = ComputePool(threads=1)
        reader = asyncio.create_task(Renderings(ordinary=pool).get("key", make))
        await asyncio.to_thread(began.wait, 5)
        reader.cancel()
        await asyncio.sleep(0.05)
        go.set()
        while pool.jobs:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        del reader
        gc.collect()

    asyncio.run(one_who_leaves())
    assert not caplog.records
