"""An hour of readers: 50 sessions, files, decks and own data on two replicas, one of which is killed.

    make soak                                   # an hour
    make soak SOAK='--minutes 5 --sessions 20'  # less
    python -m benchmarks.soak --minutes 1

Every file is compared with the one that was made alone, before: a wrong answer is a different one. A session keeps to
its replica, as behind a proxy, and goes on at the other when its own is gone. Some bring an export of their own and
read pages of it. It prints answers, waits, faults, and how the memory of each replica grows; the exit status is 1 for a
wrong or failed answer, over 1 % of answers 503, a 95th percentile of waits over 1 s, 1 GB, or 20 MB more an hour.
"""

import argparse
import asyncio
import hashlib
import json
import math
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

import numpy as np
import websockets
from websockets.protocol import State

from benchmarks.clients import Session, fetch
from benchmarks.exports import export_of_runs
from benchmarks.servers import memory_byte, started, tracebacks
from scripts.same_results import random_links
from views.registry import VIEWS
from views.view import link, read, split

MINUTES, SESSIONS = 60.0, 50
EVERY_S = 5.0
"""From one thing a session does to its next, on average. [s]"""
LINKS_A_VIEW = 4
FORMS = (".panel.json", ".panel.json", ".csv", ".json", ".png", ".svg", ".pptx", ".bib")
DECK_VIEWS = ("/growth-gap", "/training-compute", "/fleet")
OWN_ROWS = 3000
OWN_VIEWS = ("/training-compute", "/growth-gap", "/accelerators")
BUSY = "busy (503)"
MOST_BUSY = 0.01
P95_S = 1.0
STEEPEST_MB_PER_H = 20.0
MEMORY_BYTE = 1e9
SAMPLE_S = 5.0
SHORTEST_S = 600.0
"""Over less than this growth says nothing. [s]"""
SETTINGS = {"PUBLIC_URL": "https://gap.example"}
"""Files name their address: it is the same from either replica."""


@dataclass(kw_only=True)
class Seen:
    """What the sessions have met so far."""

    waits_s: list[float] = field(default_factory=list)
    did: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    moved: int = 0
    memory: dict[int, list[tuple[float, int]]] = field(default_factory=dict)


def pool() -> list[str]:
    """Return pinned links of every view in several forms, and a deck; each answers the same for good."""
    links = []
    for view in VIEWS.values():
        for place, asked in enumerate(random_links(view, LINKS_A_VIEW)):
            settings, ignored = read(view, split(asked)[1])
            if not ignored:
                form = FORMS[(place + len(links)) % len(FORMS)]
                links.append(f"/{view.name}{form}?{split(link(view, settings))[1]}")
    views = "&".join(f"view={quote(link(VIEWS[path], VIEWS[path].settings()))}" for path in DECK_VIEWS)
    return [*links, f"/deck.pptx?{views}"]


def digest(body: bytes) -> str:
    """Return what stands for a file."""
    return hashlib.sha256(body).hexdigest()


def made_alone(url: str, links: list[str]) -> dict[str, tuple[int, str]]:
    """Return status and digest of each link, asked one after the other."""
    alone = {}
    for path in links:
        answer = fetch(url, path)
        alone[path] = (answer.status, digest(answer.body))
    return alone


class Reader:
    """One session: it opens a page, and then asks, exports, uploads and runs its page again until the time is up."""

    def __init__(
        self, number: int, *, replicas: list[str], alone: dict[str, tuple[int, str]], seen: Seen
    ) -> None:
        self.chance = random.Random(number)
        self.replicas, self.alone, self.seen = replicas, alone, seen
        self.home = number % len(replicas)
        self.session: Session | None = None
        self.reads_own = False

    @property
    def url(self) -> str:
        """Return the address of its replica."""
        return self.replicas[self.home]

    async def read(self, until: float) -> None:
        """Go on until then."""
        await asyncio.sleep(self.chance.random() * EVERY_S)
        while time.monotonic() < until:
            began_s = time.perf_counter()
            try:
                did = await self._one()
            except (OSError, websockets.WebSocketException, TimeoutError):
                # Its replica is gone or renewed: it goes on at the other, as behind a proxy.
                self.session, self.reads_own = None, False
                self.home = (self.home + 1) % len(self.replicas)
                self.seen.moved += 1
            else:
                self.seen.waits_s.append(time.perf_counter() - began_s)
                self.seen.did[did] += 1
            await asyncio.sleep(self.chance.uniform(0, 2 * EVERY_S))
        if self.session is not None:
            await self.session.socket.close()

    async def _one(self) -> str:
        if self.session is None:
            self.session = await self._open()
            return "page opened"
        if self.session.socket.state is not State.OPEN:
            raise ConnectionResetError("its session is gone")
        what = self.chance.random()
        if what < 0.1:
            await self.session.run()
            return "page run"
        if what < 0.2:
            return await (self._read_own(self.session) if self.reads_own else self._bring(self.session))
        return await self._file(self.chance.choice(list(self.alone)))

    async def _open(self) -> Session:
        path = self.chance.choice([path for path in VIEWS if path != "/"])
        answer = await asyncio.to_thread(fetch, self.url, path)
        if answer.status != 200:
            self.seen.faults[f"page {answer.status}"] += 1
        return await Session.open(self.url, path)

    async def _file(self, path: str) -> str:
        answer = await asyncio.to_thread(fetch, self.url, path)
        if answer.status == 503:
            self.seen.faults[BUSY] += 1
        elif (answer.status, digest(answer.body)) != self.alone[path]:
            self.seen.wrong.append(path)
        return urlsplit(path).path.partition(".")[2]

    async def _bring(self, session: Session) -> str:
        await session.run("data")
        status = await session.upload(export_of_runs(OWN_ROWS))
        await session.run()
        self.reads_own = status == 204 and bool(session.shown("checkbox"))
        if not self.reads_own:
            self.seen.faults[f"own data not taken ({status})"] += 1
        return "own data brought"

    async def _read_own(self, session: Session) -> str:
        await session.run(self.chance.choice(OWN_VIEWS))
        answer = await session.own()
        if "busy_s" in answer:
            self.seen.faults[BUSY] += 1
        elif "your export" not in json.dumps(answer.get("body", "")):
            self.seen.faults["own data not read"] += 1
        if self.chance.random() < 0.2:
            await session.take_away()
            self.reads_own = False
        return "own data read"


def slope_mb_per_h(samples: list[tuple[float, int]]) -> float:
    """Return how fast memory grows over the second half of the samples, by least squares; nan if short. [MB/h]"""
    later = samples[len(samples) // 2 :]
    if len(later) < 3 or later[-1][0] - later[0][0] < SHORTEST_S:
        return float("nan")
    at_s, held_byte = np.array(later, dtype=float).T
    return float(np.polyfit(at_s, held_byte, 1)[0] * 3600 / 1e6)


async def _soaked(
    stack: ExitStack,
    *,
    minutes: float,
    sessions: int,
    replicas: list[tuple[str, int]],
    seen: Seen,
    folder: Path,
) -> None:
    urls = [url for url, _ in replicas]
    processes = [process for _, process in replicas]
    began = time.monotonic()
    until = began + 60 * minutes
    alone = await asyncio.to_thread(made_alone, urls[0], pool())

    async def watch() -> None:
        while time.monotonic() < until:
            for process in processes:
                with suppress(OSError, StopIteration):  # it has been killed
                    held = (time.monotonic() - began, memory_byte(process))
                    seen.memory.setdefault(process, []).append(held)
            await asyncio.sleep(SAMPLE_S)

    async def kill() -> None:
        await asyncio.sleep(max((until - time.monotonic()) / 2, 0))
        os.kill(processes[1], signal.SIGKILL)
        await asyncio.sleep(1)
        again = started("ours", folder=folder / "again", settings=SETTINGS)
        urls[1], processes[1] = await asyncio.to_thread(stack.enter_context, again)

    until = time.monotonic() + 60 * minutes  # what was made alone does not count
    readers = [Reader(number, replicas=urls, alone=alone, seen=seen) for number in range(sessions)]
    await asyncio.gather(watch(), kill(), *(reader.read(until) for reader in readers))


def soak(*, minutes: float, sessions: int, say: Callable[[str], None] = print) -> Seen:
    """Run the readers and say what they met; return it."""
    seen = Seen()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        replicas = [
            stack.enter_context(started("ours", folder=Path(name, place), settings=SETTINGS))
            for place in ("one", "two")
        ]
        asyncio.run(
            _soaked(
                stack, minutes=minutes, sessions=sessions, replicas=replicas, seen=seen, folder=Path(name)
            )
        )
        if faulty := tracebacks(Path(name)):
            seen.faults["tracebacks in the logs"] = faulty
    p50_s, p95_s = (float(np.quantile(seen.waits_s, share)) for share in (0.5, 0.95))
    say(
        f"{sessions} sessions for {minutes:g} minutes on two replicas, one killed half-way (SIGKILL) and started anew"
    )
    say(f"  done       {seen.did.total():,}: {json.dumps(dict(seen.did.most_common()))}")
    say(f"  waits      p50 {p50_s:.2f} s, p95 {p95_s:.2f} s, longest {max(seen.waits_s):.1f} s")
    say(f"  moved      {seen.moved} times a session went on at the other replica")
    say(f"  faults     {dict(seen.faults) or 'none'}")
    say(
        f"  wrong      {len(seen.wrong)} files that are not as made alone{': ' if seen.wrong else ''}{seen.wrong[:3]}"
    )
    for place, samples in enumerate(seen.memory.values(), start=1):
        held, slope = max(byte for _, byte in samples), slope_mb_per_h(samples)
        grows = (
            "too short for a slope (20 minutes at least)"
            if math.isnan(slope)
            else f"{slope:+.0f} MB/h over the second half"
        )
        lived_s = samples[-1][0] - samples[0][0]
        say(f"  replica {place}  {held / MEMORY_BYTE:.2f} of 1 GB at most, {lived_s:.0f} s, {grows}")
    return seen


def unsound(seen: Seen) -> list[str]:
    """Return what is wrong: answers, faults, too many told to come back, waits, memory or its growth."""
    p95_s = float(np.quantile(seen.waits_s, 0.95))
    most_byte = max(byte for samples in seen.memory.values() for _, byte in samples)
    slopes = [slope_mb_per_h(samples) for samples in seen.memory.values()]
    steepest = max((slope for slope in slopes if not math.isnan(slope)), default=0.0)
    faults = {
        f"{len(seen.wrong)} wrong files": bool(seen.wrong),
        f"faults: {', '.join(sorted(seen.faults.keys() - {BUSY}))}": bool(seen.faults.keys() - {BUSY}),
        f"{seen.faults[BUSY]} of {seen.did.total()} answers 503": seen.faults[BUSY]
        > MOST_BUSY * seen.did.total(),
        f"95 of 100 waits up to {p95_s:.2f} s": p95_s > P95_S,
        f"{most_byte / MEMORY_BYTE:.2f} GB": most_byte > MEMORY_BYTE,
        f"memory grows by {steepest:.0f} MB/h": steepest > STEEPEST_MB_PER_H,
    }
    return [what for what, is_so in faults.items() if is_so]


def main(arguments: list[str] | None = None) -> int:
    """Soak as the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"for how long ({MINUTES:g})")
    parser.add_argument("--sessions", type=int, default=SESSIONS, help=f"how many sessions ({SESSIONS})")
    chosen = parser.parse_args(arguments)
    faults = unsound(soak(minutes=chosen.minutes, sessions=chosen.sessions))
    print(f"not sound: {'; '.join(faults)}" if faults else "sound")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
