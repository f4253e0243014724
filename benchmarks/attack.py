"""Attack a server of our own on this machine, for minutes: what is asked, how much of it, and what came of it.

    make attack                             # all of it, about three minutes
    python -m benchmarks.attack --share 0.1 # a tenth of the load
    python -m benchmarks.attack --only abandoned half-open

It starts the server it attacks, on the loopback address, and knows no other.
"""

import argparse
import asyncio
import contextlib
import http.client
import random
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, urlencode

import numpy as np
import websockets
from websockets.typing import Origin, Subprotocol

from benchmarks.admission import ask, dear
from benchmarks.memory import memory_byte
from benchmarks.servers import started
from views.registry import VIEWS
from web.forms import FORMS

LOOPBACK = "http://127.0.0.1:"
MEMORY_BYTE = 1e9
FRESH_S = 2.0
"""So long a fresh answer may wait beside or after an attack. [s]"""
MOST_TIMES_ALONE = 8.0
"""Where the machine itself is slow, so many times as long as alone. [1]"""
LATE_S = 15.0
"""So long the slowest hostile link may take. [s]"""
WARM_S = 6.0
VALUES = (
    *(
        "",
        "\0",
        "../../etc/passwd",
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "=HYPERLINK(1)",
    ),
    *(
        "9" * 400,
        "-1",
        "1e309",
        "NaN",
        "٣",
        "2020-13",
        "\r\nSet-Cookie: a=b",
        "{{7*7}}",
        "' OR 1=1",
        "a" * 5000,
    ),
)
KNOWN = (200, 400, 404, 405, 411, 413, 414, 422, 431)
"""What hostile links may be answered with."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table."""

    test: str
    load: str
    result: str
    held: bool


def ordinary(address: str, number: int) -> str:
    """Return an ordinary link of a trend, another for each of 728 numbers."""
    rest, since = divmod(number, 13)
    level, to = divmod(rest, 14)
    return f"{address}?since={2010 + since}&to={2027 + to}&level={(50, 80, 90, 95)[level % 4]}"


@dataclass(frozen=True, kw_only=True)
class Target:
    """The server under attack, and which share of the whole load it gets."""

    url: str
    process: int
    share: float
    alone_s: float
    """How long a fresh file takes that nobody asks for beside it: the machine may be busy with other things. [s]"""

    @property
    def port(self) -> int:
        """Return its port."""
        return int(self.url.rpartition(":")[2])

    def of(self, count: int) -> int:
        """Return the share of a count, one at least."""
        return max(round(self.share * count), 1)

    def soon(self, wait_s: float) -> bool:
        """Return whether a reader waits no longer than they may, on this machine as it is now."""
        return wait_s < max(FRESH_S, MOST_TIMES_ALONE * self.alone_s)

    def fresh(self, number: int) -> tuple[int, float]:
        """Return status of and wait for an answer that nobody has asked for. [s]"""
        return ask(f"{self.url}{ordinary('/training-compute.csv', number)}")


def hostile_links(target: Target) -> Row:
    """Ask addresses of ours for what no link may say."""
    draw, count = random.Random(15), target.of(3000)
    names = sorted({name for view in VIEWS.values() for name in view.settings().described()})
    addresses = [f"/{view.name}.{form}" for view in VIEWS.values() for form in (*FORMS, "panel.json")]
    addresses += ["/", "/deck.pptx", "/v/nothing", "/data/2026-07.zip", "/api/views", "/assets/x/y.js"]
    links = [
        f"{draw.choice(addresses)}?{urlencode([(draw.choice(names), draw.choice(VALUES)) for _ in range(3)])}"
        for _ in range(count)
    ]
    links += [f"/{quote(value, safe='/')}" for value in VALUES if value]

    def one(link: str) -> tuple[int, float, bool]:
        began_s = time.perf_counter()
        connection = http.client.HTTPConnection("127.0.0.1", target.port, timeout=60)
        with contextlib.closing(connection):
            connection.request("GET", link)
            answer = connection.getresponse()
            body = answer.read()
        bad = answer.headers.get("content-type", "").startswith("text/html") and b"<script>alert" in body
        return (
            answer.status,
            time.perf_counter() - began_s,
            bad or answer.headers.get("set-cookie") is not None,
        )

    with ThreadPoolExecutor(8) as readers:
        got = list(readers.map(one, links))
    statuses = Counter(status for status, _, _ in got)
    slowest_s, reflected = max(wait_s for _, wait_s, _ in got), sum(bad for *_, bad in got)
    return Row(
        test="hostile links",
        load=f"{len(links):,} links, 8 at a time",
        result=f"{_told(statuses)}; slowest {slowest_s:.1f} s; {reflected} reflect markup or set a cookie",
        held=set(statuses) <= set(KNOWN) and not reflected and slowest_s < max(LATE_S, 100 * target.alone_s),
    )


def expensive_links(target: Target) -> Row:
    """Let programs ask for the dearest links without a pause, and a reader for fresh files beside them."""
    stop, got, lock, numbers = threading.Event(), Counter[int](), threading.Lock(), iter(range(10**9))
    clients = target.of(20)

    def program() -> None:
        while not stop.is_set():
            with lock:
                number = next(numbers)
            with contextlib.suppress(OSError):
                status, _ = ask(target.url + dear(number))
                with lock:
                    got[status] += 1
            time.sleep(0.1)

    threads = [threading.Thread(target=program, daemon=True) for _ in range(clients)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    waits, until = [], time.monotonic() + max(15 * target.share, 2)
    while time.monotonic() < until:
        status, wait_s = target.fresh(len(waits))
        waits.append(wait_s if status == 200 else float("inf"))
        time.sleep(0.1)
    stop.set()
    for thread in threads:
        thread.join(timeout=40)
    p95_s = float(np.quantile(waits, 0.95, method="higher"))
    return Row(
        test="expensive links",
        load=f"{clients} programs, each the dearest links without a pause",
        result=f"the programs get {_told(got)}; a fresh file beside them: p95 {p95_s:.2f} s, "
        f"{p95_s / target.alone_s:.1f} times alone (n = {len(waits)})",
        held=target.soon(p95_s) and set(got) <= {200, 503},
    )


def abandoned_links(target: Target) -> Row:
    """Ask for many different files, hang up, and then ask for a fresh one."""
    count, opened = target.of(250), []
    for number in range(count):
        connection = socket.create_connection(("127.0.0.1", target.port), timeout=10)
        link = ordinary("/accelerators.png", number) if number % 2 else dear(10**5 + number)
        connection.sendall(f"GET {link} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        opened.append(connection)
    time.sleep(0.5)
    for connection in opened:
        connection.close()
    status, wait_s = target.fresh(700)
    return Row(
        test="abandoned links",
        load=f"{count} files asked for and hung up on after 0.5 s",
        result=f"a fresh file right after: {status} in {wait_s:.2f} s, {wait_s / target.alone_s:.1f} times alone",
        held=status == 200 and target.soon(wait_s),
    )


def half_open(target: Target) -> Row:
    """Open connections whose requests never end."""
    count, opened = target.of(1100), []
    for number in range(count):
        with contextlib.suppress(OSError):
            connection = socket.create_connection(("127.0.0.1", target.port), timeout=5)
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n" if number % 2 else b"")
            opened.append(connection)
    status, wait_s = ask(f"{target.url}/healthz")
    time.sleep(12)
    closed = 0
    for connection in opened:
        connection.setblocking(False)
        try:
            closed += connection.recv(1) == b""
        except BlockingIOError:
            pass
        except OSError:
            closed += 1
        connection.close()
    return Row(
        test="half-open connections",
        load=f"{len(opened):,} connections with half a request or none",
        result=f"/healthz meanwhile: {status} in {wait_s:.2f} s; after 12 s the server had let go of {closed:,}",
        held=status == 200 and target.soon(wait_s) and closed == len(opened),
    )


def socket_bombs(target: Target) -> Row:
    """Send messages to the session's socket that are far longer than any of ours, packed and not."""
    before_byte, count = memory_byte(target.process), target.of(20)

    async def bomb() -> str:
        packs = False
        address = f"ws{target.url.removeprefix('http')}/_stcore/stream"
        try:
            async with websockets.connect(
                address,
                origin=Origin(target.url),
                subprotocols=[Subprotocol("streamlit")],
                compression="deflate",
            ) as opened:
                packs = any("deflate" in str(extension) for extension in opened.protocol.extensions)
                await opened.send(bytes(20_000_000))
                async with asyncio.timeout(10):
                    while True:
                        await opened.recv()
        except websockets.ConnectionClosed as end:
            return f"{'packed ' if packs else ''}closed {end.rcvd.code if end.rcvd else 1006}"
        except (OSError, TimeoutError, websockets.InvalidHandshake) as fault:
            return type(fault).__name__

    async def all_of_them() -> Counter[str]:
        return Counter(await asyncio.gather(*(bomb() for _ in range(count))))

    ends = asyncio.run(all_of_them())
    grown_byte = memory_byte(target.process) - before_byte
    status, wait_s = ask(f"{target.url}/healthz")
    return Row(
        test="bombs on the socket",
        load=f"{count} messages of 20 MB, packed where the server lets them",
        result=f"{_told(ends)}; memory +{max(grown_byte, 0) / 1e6:.0f} MB; /healthz {status} in {wait_s:.2f} s",
        held=grown_byte < 0.2e9
        and status == 200
        and wait_s < FRESH_S
        and not any("packed" in end for end in ends),
    )


def uploads(target: Target) -> Row:
    """Send files that no page asked for, some of no stated length, some of a length that is not true."""
    before_byte, count = memory_byte(target.process), target.of(60)
    bodies: list[tuple[dict[str, str], bytes]] = [
        ({"Content-Length": str(2_000_000)}, bytes(2_000_000)),
        ({"Content-Length": str(300_000_000)}, b""),
        ({}, b""),
    ]
    statuses: Counter[str] = Counter()
    for number in range(count):
        headers, body = bodies[number % 3]
        connection = http.client.HTTPConnection("127.0.0.1", target.port, timeout=20)
        with contextlib.closing(connection):
            try:
                connection.putrequest("PUT", f"/_stcore/upload_file/nobody{number}/file")
                for name, text in {**headers, "Content-Type": "multipart/form-data; boundary=x"}.items():
                    connection.putheader(name, text)
                connection.endheaders(body or None)
                statuses[str(connection.getresponse().status)] += 1
            except OSError as fault:
                statuses[type(fault).__name__] += 1
    grown_byte = memory_byte(target.process) - before_byte
    return Row(
        test="uploads nobody asked for",
        load=f"{count} of 2 MB, of 300 MB by their word, and of no length",
        result=f"{_told(statuses)}; memory +{max(grown_byte, 0) / 1e6:.0f} MB",
        held=grown_byte < 0.3e9 and not any(status.startswith(("2", "500")) for status in statuses),
    )


ATTACKS: dict[str, Callable[[Target], Row]] = {
    "hostile": hostile_links,
    "expensive": expensive_links,
    "abandoned": abandoned_links,
    "half-open": half_open,
    "bombs": socket_bombs,
    "uploads": uploads,
}


def _told(counted: Counter[int] | Counter[str]) -> str:
    return ", ".join(f"{count:,} x {what}" for what, count in sorted(counted.items(), key=str)) or "nothing"


def after_all(target: Target, *, log: Path) -> Row:
    """Return how the server stands when all is over."""
    status, wait_s = target.fresh(720)
    tracebacks = log.read_text(encoding="utf-8", errors="replace").count("Traceback")
    peak_byte = memory_byte(target.process, name="VmHWM")
    return Row(
        test="afterwards",
        load="all of the above",
        result=f"a fresh file: {status} in {wait_s:.2f} s; memory at its peak {peak_byte / MEMORY_BYTE:.2f} of 1 GB; "
        f"{tracebacks} tracebacks in {log.stat().st_size / 1e3:,.0f} kB of log",
        held=status == 200 and target.soon(wait_s) and peak_byte < MEMORY_BYTE and not tracebacks,
    )


def attacked(names: Sequence[str], *, share: float, say: Callable[[str], None] = print) -> list[Row]:
    """Return a row for each attack on a server started for them, and how it stands afterwards."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name, started("ours", folder=Path(name)) as (url, process):
        if not url.startswith(LOOPBACK):
            raise ValueError(f"Only a server on this machine is attacked; got {url}.")
        time.sleep(WARM_S)
        target = Target(url=url, process=process, share=share, alone_s=0.0)
        alone_s = float(np.median([target.fresh(600 + number)[1] for number in range(7)]))
        target = replace(target, alone_s=alone_s)
        say(f"A fresh file alone takes {alone_s:.2f} s here.")
        for attack in names:
            rows.append(ATTACKS[attack](target))
            say(_line(rows[-1]))
        rows.append(after_all(target, log=Path(name) / "ours.log"))
        say(_line(rows[-1]))
    return rows


def _line(row: Row) -> str:
    return f"{'held' if row.held else 'FELL'}  {row.test:26} {row.load}\n      {'':26} {row.result}"


def main(arguments: list[str] | None = None) -> int:
    """Attack as the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.attack",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--share", type=float, default=1.0, help="which share of the load (1)")
    parser.add_argument("--only", nargs="+", choices=list(ATTACKS), default=list(ATTACKS), help="these alone")
    chosen = parser.parse_args(arguments)
    rows = attacked(chosen.only, share=chosen.share)
    fell = [row.test for row in rows if not row.held]
    print(f"{len(rows) - len(fell)} of {len(rows)} held" + (f"; fell: {', '.join(fell)}" if fell else ""))
    return bool(fell)


if __name__ == "__main__":
    sys.exit(main())
