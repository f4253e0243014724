"""Run 50 sessions for an hour with files, decks and own data on two replicas, one of which is killed.

    make soak                                   # an hour
    make soak SOAK='--minutes 5 --sessions 20'  # less
    python -m benchmarks.soak --minutes 1

Every file is compared with a copy computed separately before. A session keeps to its replica, as behind a proxy, and
continues on the other one after its own is killed. Some sessions upload an export and read pages of it. The command
prints answers, waits, errors and the memory growth of each replica. The exit status is 1 for a wrong or failed answer,
over 1% of answers 503, a 95th percentile of waits over 1 s, or memory over 1 GB or growing by over 20 MB an hour.
"""

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
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

import numpy as np
from websockets.protocol import State

from benchmarks.clients import LOST, Session, fetch
from benchmarks.exports import export_of_runs
from benchmarks.servers import MEMORY_BYTE, faults_of_servers, started, watched_memory
from benchmarks.target import true_of
from scripts.command import command
from scripts.same_results import random_links
from views.registry import VIEWS
from views.view import link, read, split

MINUTES, SESSIONS = 60.0, 50
EVERY_S = 5.0
"""Mean time between two actions of a session. [s]"""
LINKS_A_VIEW = 4
FORMS = (".panel.json", ".panel.json", ".csv", ".json", ".png", ".svg", ".pptx", ".bib")
DECK_VIEWS = ("/growth-gap", "/training-compute", "/fleet")
OWN_ROWS = 3000
OWN_VIEWS = ("/training-compute", "/growth-gap", "/accelerators")
BUSY = "busy (503)"
MOST_BUSY = 0.01
P95_S = 1.0
STEEPEST_MB_PER_H = 20.0
SAMPLE_S = 5.0
SHORTEST_S = 600.0
"""Minimum duration for measuring growth of memory. [s]"""
SETTINGS = {"PUBLIC_URL": "https://gap.example"}
"""Settings of both replicas. Files include the address, so it must be the same."""


@dataclass(kw_only=True)
class Seen:
    """The sessions' observations, and each replica's memory [byte], sampled every :data:`SAMPLE_S` seconds."""

    waits_s: list[float] = field(default_factory=list)
    did: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    moved: int = 0
    memory: list[list[int]] = field(default_factory=list)

    def wait_s(self, share: float) -> float:
        """Return a quantile of the waiting times. [s]"""
        return float(np.quantile(self.waits_s, share))


def pool() -> list[str]:
    """Return pinned links to every view in several forms, and to a deck. Their answers are permanent."""
    links = []
    for view in VIEWS.values():
        for place, requested in enumerate(random_links(view, LINKS_A_VIEW)):
            settings, ignored = read(view, split(requested)[1])
            if not ignored:
                form = FORMS[(place + len(links)) % len(FORMS)]
                links.append(f"/{view.name}{form}?{split(link(view, settings))[1]}")
    views = "&".join(f"view={quote(link(VIEWS[path], VIEWS[path].settings()))}" for path in DECK_VIEWS)
    return [*links, f"/deck.pptx?{views}"]


def file(url: str, path: str) -> tuple[int, str]:
    """Return the status of a response, and a digest of its file."""
    answer = fetch(url, path)
    return answer.status, hashlib.sha256(answer.body).hexdigest()


@dataclass(kw_only=True)
class Reader:
    """A session that opens a page, then requests files, uploads exports and reruns the page in a loop.

    ``alone`` has the digest of each file by its link; ``home`` is its replica.
    """

    chance: random.Random
    replicas: list[str]
    alone: dict[str, tuple[int, str]]
    seen: Seen
    home: int
    session: Session | None = None
    reads_own: bool = False

    async def read(self, until: float) -> None:
        """Act as a reader until a point in time."""
        await asyncio.sleep(self.chance.random() * EVERY_S)
        while time.monotonic() < until:
            began_s = time.perf_counter()
            try:
                did = await self._one()
            except LOST:
                # If its replica is gone or restarted, it continues on the other, as behind a proxy.
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
        url, what = self.replicas[self.home], self.chance.random()
        if self.session is None:
            page = self.chance.choice([path for path in VIEWS if path != "/"])
            status, _ = await asyncio.to_thread(file, url, page)
            if status != 200:
                self.seen.faults[f"page {status}"] += 1
            self.session = await Session.open(url, page)
            return "page opened"
        if self.session.socket.state is not State.OPEN:
            raise ConnectionResetError("its session is gone")
        if what < 0.1:
            await self.session.run()
            return "page run"
        if what < 0.2:
            return await (self._read_own(self.session) if self.reads_own else self._bring(self.session))
        path = self.chance.choice(list(self.alone))
        answer = await asyncio.to_thread(file, url, path)
        if answer[0] == 503:
            self.seen.faults[BUSY] += 1
        elif answer != self.alone[path]:
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


def slope_mb_per_h(samples_byte: list[int]) -> float:
    """Return the growth of memory over the second half of the samples. NaN if that half is too short. [MB/h]"""
    later = samples_byte[len(samples_byte) // 2 :]
    if SAMPLE_S * (len(later) - 1) < SHORTEST_S:
        return math.nan
    return float(np.polyfit(SAMPLE_S * np.arange(len(later)), later, 1)[0] * 3600 / 1e6)


async def _soaked(stack: ExitStack, *, minutes: float, sessions: int, seen: Seen, folder: Path) -> None:
    def replica(name: str) -> tuple[str, int]:
        url, process = stack.enter_context(started("ours", folder=folder / name, settings=SETTINGS))
        seen.memory.append(stack.enter_context(watched_memory(process, each_s=SAMPLE_S)))
        return url, process

    (first, _), (second, process) = replica("one"), replica("two")
    urls = [first, second]
    alone = {path: await asyncio.to_thread(file, urls[0], path) for path in pool()}
    until = time.monotonic() + 60 * minutes  # the reference files do not count

    async def kill() -> None:
        await asyncio.sleep(30 * minutes)
        os.kill(process, signal.SIGKILL)
        await asyncio.sleep(1)
        urls[1], _ = await asyncio.to_thread(replica, "again")

    readers = [
        Reader(chance=random.Random(number), replicas=urls, alone=alone, seen=seen, home=number % 2)
        for number in range(sessions)
    ]
    await asyncio.gather(kill(), *(reader.read(until) for reader in readers))


def soak(*, minutes: float, sessions: int) -> Seen:
    """Run the readers, and return their observations."""
    seen = Seen()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        asyncio.run(_soaked(stack, minutes=minutes, sessions=sessions, seen=seen, folder=folder))
        seen.faults.update(faults_of_servers(folder, peak_byte=max(map(max, seen.memory))))
    return seen


def report(seen: Seen) -> str:
    """Return the sessions' observations as lines of text."""
    p50_s, p95_s, longest_s = (seen.wait_s(share) for share in (0.5, 0.95, 1))
    lines = [
        f"  done       {seen.did.total():,}: {json.dumps(dict(seen.did.most_common()))}",
        f"  waits      p50 {p50_s:.2f} s, p95 {p95_s:.2f} s, longest {longest_s:.1f} s",
        f"  moved      {seen.moved} times a session went on at the other replica",
        f"  faults     {dict(seen.faults) or 'none'}",
        f"  wrong      {len(seen.wrong)} files that are not as made alone: {seen.wrong[:3] or 'none'}",
    ]
    for place, samples in enumerate(seen.memory, start=1):
        slope, lived_s = slope_mb_per_h(samples), SAMPLE_S * (len(samples) - 1)
        grows = "too short for a slope (20 minutes at least)"
        if not math.isnan(slope):
            grows = f"{slope:+.0f} MB/h over the second half"
        most = max(samples) / MEMORY_BYTE
        lines.append(f"  replica {place}  {most:.2f} of 1 GB at most, {lived_s:.0f} s, {grows}")
    return "\n".join(lines)


def unsound(seen: Seen) -> list[str]:
    """Return the faults: wrong answers, errors, too many retries, long waits, or growing memory."""
    slopes = [slope_mb_per_h(samples) for samples in seen.memory]
    steepest = max((slope for slope in slopes if not math.isnan(slope)), default=0.0)
    others, busy, done = seen.faults.keys() - {BUSY}, seen.faults[BUSY], seen.did.total()
    return true_of(
        {
            f"{len(seen.wrong)} wrong files": bool(seen.wrong),
            f"faults: {', '.join(sorted(others))}": bool(others),
            f"{busy} of {done} answers 503": busy > MOST_BUSY * done,
            f"95 of 100 waits up to {seen.wait_s(0.95):.2f} s": seen.wait_s(0.95) > P95_S,
            f"memory grows by {steepest:.0f} MB/h": steepest > STEEPEST_MB_PER_H,
        }
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the program with the command-line arguments. Return the exit code."""
    parser = command("benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES, help=f"duration ({MINUTES:g})")
    parser.add_argument("--sessions", type=int, default=SESSIONS, help=f"how many ({SESSIONS})")
    chosen = parser.parse_args(arguments)
    print(
        f"{chosen.sessions} sessions for {chosen.minutes:g} minutes on two replicas, one killed half-way (SIGKILL) and "
        "started anew",
        flush=True,
    )
    seen = soak(minutes=chosen.minutes, sessions=chosen.sessions)
    faults = unsound(seen)
    print(report(seen), f"not sound: {'; '.join(faults)}" if faults else "sound", sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
