"""An hour of readers: 50 sessions, mixed links, exports, uploads and decks on two replicas, one of which is killed.

    make soak                                   # an hour
    make soak SOAK='--minutes 5 --sessions 20'  # less
    python -m benchmarks.soak --minutes 1

Every file is held against the one that was made alone, before: a wrong answer is one that is another. A session keeps
to its replica, as a proxy has it, and goes on at the other when its own is gone. Told are answers, 95 of 100 waits,
faults, wrong answers, and how the memory of each replica grows.
"""

import argparse
import asyncio
import hashlib
import http.client
import json
import math
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

import numpy as np
import websockets
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.protocol import State
from websockets.typing import Origin, Subprotocol

from benchmarks.load import Socket
from benchmarks.memory import memory_byte
from benchmarks.servers import started
from scripts.same_results import random_links
from views.registry import VIEWS
from views.view import link, read, split

MINUTES, SESSIONS = 60.0, 50
EVERY_S = 5.0
"""From one thing a session does to its next, on average. [s]"""
LINKS_A_VIEW = 4
FORMS = (".panel.json", ".panel.json", ".csv", ".json", ".png", ".svg", ".pptx", ".bib")
DECK_VIEWS = ("/growth-gap", "/training-compute", "/fleet")
UPLOAD_BYTE = 200_000
BOUNDARY = "soak"
MEMORY_BYTE = 1e9
SAMPLE_S = 5.0
SHORTEST_S = 60.0
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


def fetch(
    url: str, path: str, *, method: str = "GET", body: bytes = b"", headers: Mapping[str, str] | None = None
) -> tuple[int, bytes, str]:
    """Return status, body and cookies of an answer.

    Raises
    ------
    OSError
        When the server cannot be reached.
    """
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)
    try:
        connection.request(method, path, body or None, dict(headers or {}))
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers.get("Set-Cookie", "")
    except http.client.HTTPException as end:
        raise OSError(f"the answer broke off: {type(end).__name__}") from end
    finally:
        connection.close()


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
        status, body, _ = fetch(url, path)
        alone[path] = (status, digest(body))
    return alone


class SessionSocket(Socket):
    """A session's websocket that knows the name of its session."""

    session = ""

    def _is_end(self, told: ForwardMsg) -> bool:
        if told.WhichOneof("type") == "new_session":
            self.session = told.new_session.initialize.session_id
        return super()._is_end(told)


class Reader:
    """One session: it opens a page, and then asks, exports, uploads and runs its page again until the time is up."""

    def __init__(
        self, number: int, *, replicas: list[str], alone: dict[str, tuple[int, str]], seen: Seen
    ) -> None:
        self.chance = random.Random(number)
        self.replicas, self.alone, self.seen = replicas, alone, seen
        self.home = number % len(replicas)
        self.socket: SessionSocket | None = None

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
                self.socket = None
                self.home = (self.home + 1) % len(self.replicas)
                self.seen.moved += 1
            else:
                self.seen.waits_s.append(time.perf_counter() - began_s)
                self.seen.did[did] += 1
            await asyncio.sleep(self.chance.uniform(0, 2 * EVERY_S))
        if self.socket is not None:
            await self.socket.socket.close()

    async def _one(self) -> str:
        if self.socket is None:
            await self._open()
            return "page opened"
        if self.socket.socket.state is not State.OPEN:
            raise ConnectionResetError("its session is gone")
        what = self.chance.random()
        if what < 0.1:
            await self.socket.run()
            return "page run"
        if what < 0.2:
            return await self._upload()
        return await self._file(self.chance.choice(list(self.alone)))

    async def _open(self) -> None:
        path = self.chance.choice([path for path in VIEWS if path != "/"])
        status, _, _ = await asyncio.to_thread(fetch, self.url, path)
        if status != 200:
            self.seen.faults[f"page {status}"] += 1
        opened = await websockets.connect(
            f"ws{self.url.removeprefix('http')}/_stcore/stream",
            origin=Origin(self.url),
            subprotocols=[Subprotocol("streamlit")],
            max_size=None,
        )
        socket = SessionSocket(opened, page=path)
        await socket.run()
        self.socket = socket

    async def _file(self, path: str) -> str:
        status, body, _ = await asyncio.to_thread(fetch, self.url, path)
        form = urlsplit(path).path.partition(".")[2]
        if status == 503:
            self.seen.faults["busy (503)"] += 1
        elif (status, digest(body)) != self.alone[path]:
            self.seen.wrong.append(path)
        return form

    async def _upload(self) -> str:
        assert self.socket is not None
        _, _, cookies = await asyncio.to_thread(fetch, self.url, "/_stcore/health")
        token = cookies.partition(";")[0].partition("=")[2]
        file = f"/_stcore/upload_file/{self.socket.session}/{self.chance.getrandbits(64):x}"
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="export.csv"\r\n\r\n'
        body = head.encode() + b"a,b\n" * (UPLOAD_BYTE // 4) + f"\r\n--{BOUNDARY}--\r\n".encode()
        allowed: dict[str, str] = {"Cookie": f"_streamlit_xsrf={token}", "X-Xsrftoken": token}
        status, _, _ = await asyncio.to_thread(
            fetch,
            self.url,
            file,
            method="PUT",
            body=body,
            headers={**allowed, "Content-Type": f"multipart/form-data; boundary={BOUNDARY}"},
        )
        if status != 204:
            self.seen.faults[f"upload {status}"] += 1
        await asyncio.to_thread(fetch, self.url, file, method="DELETE", headers=allowed)
        return "upload"


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
        again = folder / "again"
        again.mkdir()
        urls[1], processes[1] = await asyncio.to_thread(
            stack.enter_context, started("ours", folder=again, settings=SETTINGS)
        )

    until = time.monotonic() + 60 * minutes  # what was made alone does not count
    readers = [Reader(number, replicas=urls, alone=alone, seen=seen) for number in range(sessions)]
    await asyncio.gather(watch(), kill(), *(reader.read(until) for reader in readers))


def soak(*, minutes: float, sessions: int, say: Callable[[str], None] = print) -> Seen:
    """Run the readers and say what they met; return it."""
    seen = Seen()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        replicas = []
        for place in ("one", "two"):
            folder = Path(name, place)
            folder.mkdir()
            replicas.append(stack.enter_context(started("ours", folder=folder, settings=SETTINGS)))
        asyncio.run(
            _soaked(
                stack, minutes=minutes, sessions=sessions, replicas=replicas, seen=seen, folder=Path(name)
            )
        )
        faulty = sum(
            log.read_text(encoding="utf-8", errors="replace").count("Traceback")
            for log in Path(name).rglob("*.log")
        )
        if faulty:
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
        grows = "too short for a slope" if math.isnan(slope) else f"{slope:+.0f} MB/h over the second half"
        lived_s = samples[-1][0] - samples[0][0]
        say(f"  replica {place}  {held / MEMORY_BYTE:.2f} of 1 GB at most, {lived_s:.0f} s, {grows}")
    return seen


def sound(seen: Seen) -> bool:
    """Return whether nothing was wrong and nothing failed but what was told to come back."""
    most_byte = max(byte for samples in seen.memory.values() for _, byte in samples)
    return not seen.wrong and not seen.faults.keys() - {"busy (503)"} and most_byte < MEMORY_BYTE


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
    return not sound(soak(minutes=chosen.minutes, sessions=chosen.sessions))


if __name__ == "__main__":
    sys.exit(main())
