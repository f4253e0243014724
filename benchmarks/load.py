"""Load test with many sessions, each of which changes a control once per second.

`make bench` runs it; `python -m benchmarks.load` it alone.

A session does what an open page does: it keeps a Streamlit websocket open, and sends a GET for the panel on each
change. The clients run on the same machine, and their share of it is printed.
"""

import asyncio
import itertools
import random
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.browser import PATH, YEARS
from benchmarks.clients import LATEST_S, Session, fetch
from benchmarks.servers import started

SECONDS = 10
SESSIONS = (50, 100, 200, 300, 500)
NEW_SESSIONS = (5, 10, 15)
"""Numbers of sessions per process whose choices are not cached."""
BUDGET_S = 0.3
"""Target for the 95th percentile of waiting times. [s]"""


def new_choices(first: int) -> Iterator[str]:
    """Yield choices that are not cached, starting with number ``first``."""
    for number in itertools.count(first):
        top, month = divmod(number, 12 * len(YEARS))
        yield f"since={YEARS[month // 12]}-{month % 12 + 1:02}&top={3 + top}"


async def change_controls(
    url: str, *, sessions: int, every_s: float, seconds: float, new: int | None = None
) -> list[float]:
    """Return the time from each change to its response. Raises RuntimeError unless all statuses are 200. [s]

    ``every_s`` is the interval between changes of a session; a late change delays the next. Choices are years shared
    with other sessions, or with ``new`` those of :func:`new_choices` from there on.
    """
    waits_s: list[float] = []
    unshared = None if new is None else new_choices(new)
    begun = asyncio.Barrier(sessions)
    opening = asyncio.Semaphore(20)

    async def reader(number: int) -> None:
        chance = random.Random(number)
        async with opening:
            session = await Session.open(url, PATH)
        async with session:
            await begun.wait()
            until = time.perf_counter() + seconds
            await asyncio.sleep(chance.random() * every_s)
            while (start := time.perf_counter()) < until:
                choice = next(unshared) if unshared else f"since={chance.choice(YEARS)}"
                path = f"{PATH}.panel.json?{choice}&part=finding"
                headers = {"Accept-Encoding": "gzip"}
                answer = await asyncio.to_thread(fetch, url, path, headers=headers, timeout_s=LATEST_S)
                if answer.status != 200:
                    raise RuntimeError(f"{path}: got {answer.status}; expected 200.")
                waits_s.append(time.perf_counter() - start)
                await asyncio.sleep(max(0.0, start + every_s - time.perf_counter()))

    await asyncio.gather(*(reader(number) for number in range(sessions)))
    return waits_s


def run_load(url: str, *, sessions: int, **options: Any) -> tuple[list[float], float]:
    """Return the time of each change [s], and the share of one core that the clients used."""

    async def run() -> list[float]:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(sessions))
        return await change_controls(url, sessions=sessions, seconds=SECONDS, **options)

    begun, clock = time.process_time(), time.perf_counter()
    waits_s = asyncio.run(run())
    return waits_s, (time.process_time() - begun) / (time.perf_counter() - clock)


def main() -> None:
    """Print one process's responses per second, and the waiting time for each number of sessions."""
    with tempfile.TemporaryDirectory() as folder, started("ours", folder=Path(folder)) as (url, _):
        waits_s, _ = run_load(url, sessions=8, every_s=0)
        print(f"{'changes one process answers a second':52} {len(waits_s) / SECONDS:.0f}", flush=True)
        for sessions in SESSIONS:
            report(f"{sessions} sessions, a change a second", *run_load(url, sessions=sessions, every_s=1))
        new = 0
        for sessions in NEW_SESSIONS:
            seen = run_load(url, sessions=sessions, every_s=1, new=new)
            new += sessions * SECONDS * 2
            report(f"{sessions} sessions, a change a second, each change new", *seen)


def report(what: str, waits_s: list[float], readers_core: float) -> None:  # noqa: PLR0917 - as run_load returns
    """Print the median and the 95th percentile of waiting times, and the clients' use of a core."""
    median, late = np.quantile(waits_s, (0.5, 0.95)) / BUDGET_S
    print(
        f"{what:52} p50 {median:.2f}, p95 {late:.2f} of the budget of {BUDGET_S} s   (n = {len(waits_s)}; "
        f"the readers' side took {readers_core:.2f} of a core)",
        flush=True,
    )


if __name__ == "__main__":
    main()
