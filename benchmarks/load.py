"""Many readers at once: sessions that change a control once a second each, and readers who open a pinned link.

A session is what an open page is to the server: a websocket of Streamlit's, kept open, and a GET of the panel's answer
for each change. The bare Streamlit page only sends a figure made beforehand, over its websocket. The readers' side runs
on the same machine, in a process of its own, and takes its share of it; what it took is printed.
"""

import asyncio
import itertools
import json
import multiprocessing
import os
import random
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.browser import PATH, YEARS, figures
from benchmarks.clients import Connection, Session
from benchmarks.servers import serving

SECONDS = 10
SESSIONS = (50, 100, 200, 300, 500)
NEW_SESSIONS = (5, 10, 15)
"""So many sessions a process, where nobody has made any of the choices before."""
READERS = 1000
"""So many open a pinned link within SECONDS."""
BUDGET_S = 0.3
"""The wait that 95 of 100 changes should keep. [s]"""
PINNED = f"{PATH}?release=2026-07&since=2018&rule=frontier"


@dataclass(frozen=True, kw_only=True)
class Waits:
    """How long readers waited [s], and what share of one core their own side took."""

    waits_s: list[float]
    readers_core: float


def _choices(*, new: int | None, chance: random.Random) -> Iterator[str]:
    """Yield what a session chooses: years that others choose too, or from ``new`` on what nobody chose before."""
    if new is None:
        while True:
            yield f"since={chance.choice(YEARS)}"
    for number in itertools.count(new):
        top, year = divmod(number, len(YEARS))
        yield f"since={YEARS[year]}&top={3 + top}"


async def _sessions(
    url: str, *, page: str, sessions: int, every_s: float, seconds: float, new: int | None = None
) -> list[float]:
    """Return the time from each change to its answer. [s]

    ``every_s`` is the time from one change of a session to its next; a change that is late delays the next.
    ``page`` is the address of our page, "" for the bare Streamlit page. From ``new`` on every choice is one that
    nobody made before.
    """
    took: list[float] = []
    shared = None if new is None else _choices(new=new, chance=random.Random(0))
    begun = asyncio.Barrier(sessions)
    opening = asyncio.Semaphore(20)

    async def reader(number: int) -> None:
        chance = random.Random(number)
        async with opening:
            session = await Session.open(url, page)
        async with session, Connection(url) as connection:
            await begun.wait()
            choices = shared or _choices(new=None, chance=chance)
            until = time.perf_counter() + seconds
            await asyncio.sleep(chance.random() * every_s)
            while (start := time.perf_counter()) < until:
                choice = next(choices)
                if page:
                    await connection.get(f"{page}.panel.json?{choice}&part=finding")
                else:
                    session.choose(choice.partition("=")[2])
                    await session.run()
                took.append(time.perf_counter() - start)
                await asyncio.sleep(max(0.0, start + every_s - time.perf_counter()))

    await asyncio.gather(*(reader(number) for number in range(sessions)))
    return took


async def _opening(url: str, *, readers: int, seconds: float) -> list[float]:
    """Return how long each of many readers waited for the page of a pinned link and its further answer. [s]"""
    took: list[float] = []

    async def reader(number: int) -> None:
        await asyncio.sleep(seconds * number / readers)
        start = time.perf_counter()
        async with Connection(url) as connection:
            await connection.get(PINNED)
            took.append(time.perf_counter() - start)
            await connection.get(f"{PATH}.panel.json?{PINNED.partition('?')[2]}&part=further")
            async with await Session.open(url, PATH):
                pass

    await asyncio.gather(*(reader(number) for number in range(readers)))
    return took


Ask = Callable[..., Coroutine[Any, Any, list[float]]]


def _apart(pipe: Pipe, ask: Ask, options: dict[str, Any]) -> None:  # noqa: PLR0917 - a process's target
    """Run readers in this process, and hand back their waits and what processor time it took."""
    begun, clock = time.process_time(), time.perf_counter()
    waits = asyncio.run(ask(**options))
    pipe.send((waits, (time.process_time() - begun) / (time.perf_counter() - clock)))


def measured(ask: Ask, **options: Any) -> Waits:
    """Return how long readers waited who run in a process of their own."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=_apart, args=(there, ask, options))
    process.start()
    there.close()
    try:
        waits, core = here.recv()
    except EOFError:
        raise RuntimeError("the readers ended early; see their message above") from None
    finally:
        process.join()
    return Waits(waits_s=waits, readers_core=core)


def main() -> None:
    """Print what one process answers a second against the bare page, and the wait by number of sessions."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "figures.json").write_text(json.dumps(figures()))
        bare, ours = (
            stack.enter_context(serving(name, folder=folder)) for name in ("bare Streamlit", "ours")
        )
        most = {
            name: len(measured(_sessions, url=url, page=page, sessions=8, every_s=0, seconds=SECONDS).waits_s)
            for name, url, page in (("bare", bare, ""), ("ours", ours, PATH))
        }
        print(
            f"{'changes one process answers a second':52} {most['ours'] / most['bare']:5.2f}x bare Streamlit"
            f"   ({most['ours'] / SECONDS:.0f})",
            flush=True,
        )
        for sessions in SESSIONS:
            found = measured(_sessions, url=ours, page=PATH, sessions=sessions, every_s=1, seconds=SECONDS)
            report(f"{sessions} sessions, a change a second, one process", found)
        new = 0
        for sessions in NEW_SESSIONS:
            found = measured(
                _sessions, url=ours, page=PATH, sessions=sessions, every_s=1, seconds=SECONDS, new=new
            )
            new += sessions * SECONDS * 2
            report(f"{sessions} sessions, a change a second, each change new", found)
        found = measured(_opening, url=ours, readers=READERS, seconds=SECONDS)
        report(f"{READERS} readers open a pinned link in {SECONDS} s", found)


def report(what: str, found: Waits) -> None:
    """Print the middle and the late wait of readers, and what their side took."""
    middle, late = (np.quantile(found.waits_s, share) / BUDGET_S for share in (0.5, 0.95))
    print(
        f"{what:52} p50 {middle:.2f}, p95 {late:.2f} of the budget of {BUDGET_S} s   (n = {len(found.waits_s)}; "
        f"the readers' side took {found.readers_core:.2f} of a core)",
        flush=True,
    )
