"""Attacks by requests: hostile links, expensive links, disconnects and forged addresses."""

import itertools
import random
import socket
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote, urlencode

import streamlit

from benchmarks.clients import Answer, fetch
from benchmarks.servers import descriptors_of
from benchmarks.target import Row, Target, counted, expensive, ordinary, true_of
from views.registry import VIEWS
from web.forms import FORMS

LATE_S = 15.0
"""Maximum time for the slowest hostile link. [s]"""
LAST_S = 40.0
"""Maximum time after an attack for which programs may wait for responses. [s]"""
MARKUP = "<script>alert(1)</script>"
HOSTILE = tomllib.loads(Path(__file__).with_name("hostile.toml").read_text(encoding="utf-8"))
VALUES = [*HOSTILE["values"], *HOSTILE["more"], *(sign * count for sign, count in HOSTILE["long"])]
ANSWERS = {link.replace("LONG", "1" * 9000): status for link, status in HOSTILE["answers"].items()}
"""Expected status of each hostile link, independent of other requests."""
MOST_BUSY = 0.05
"""Maximum share of responses with status 503. On a busy machine, no view is ready at first. [1]"""


def hostile_links(target: Target) -> Row:
    """Request invalid links at all our addresses."""
    draw, count = random.Random(15), target.of(3000)
    names = sorted({name for view in VIEWS.values() for name in view.settings().described()})
    addresses = [f"/{view.name}.{form}" for view in VIEWS.values() for form in (*FORMS, "panel.json")]
    addresses += ["/", "/deck.pptx", "/v/nothing", "/data/2026-07.zip", "/api/views", "/assets/x/y.js"]
    links = [
        f"{draw.choice(addresses)}?{urlencode([(draw.choice(names), draw.choice(VALUES)) for _ in range(3)])}"
        for _ in range(count)
    ]
    links += [*ANSWERS, *(f"/{quote(value, safe='/')}" for value in VALUES if value)]

    with ThreadPoolExecutor(8) as readers:
        answers = list(readers.map(lambda link: fetch(target.url, link), links))
    slowest_s = max(answer.wait_s for answer in answers)
    faults = [fault for pair in zip(links, answers, strict=True) if (fault := _fault(*pair))]
    statuses = Counter(answer.status for answer in answers)
    faults += true_of(
        {
            f"the slowest took {slowest_s:.1f} s": slowest_s > target.stretch * LATE_S,
            f"{statuses[503]} links are answered 503": statuses[503] > MOST_BUSY * len(links),
        }
    )
    return Row(
        load=f"{len(links):,} links, 8 at a time",
        result=f"{counted(statuses)}; slowest {slowest_s:.1f} s; {len(faults)} faults",
        faults=faults[:3],
    )


def _fault(link: str, answer: Answer) -> str:
    page = answer.headers.get("content-type", "").startswith("text/html")
    if (page and MARKUP.encode() in answer.body) or answer.headers.get("set-cookie"):
        return f"{link[:100]} reflects markup or sets a cookie"
    if answer.status not in HOSTILE["known"] or answer.status not in (503, ANSWERS.get(link, answer.status)):
        return f"{link[:100]} is answered {answer.status}"
    return f"{link[:100]} is answered 200 with nothing" if answer.status == 200 and not answer.body else ""


@contextmanager
def programs(ask: Callable[[int], int], *, clients: int) -> Iterator[list[int]]:
    """Yield the statuses that programs receive. The programs send requests continually inside the context."""
    stop, statuses, numbers = threading.Event(), list[int](), itertools.count()

    def program() -> None:
        while not stop.wait(0.1):
            with suppress(OSError):
                statuses.append(ask(next(numbers)))

    threads = [threading.Thread(target=program, daemon=True) for _ in range(clients)]
    for thread in threads:
        thread.start()
    try:
        stop.wait(1)
        yield statuses
    finally:
        stop.set()
        until = time.monotonic() + LAST_S
        for thread in threads:
            thread.join(max(until - time.monotonic(), 0))


def expensive_links(target: Target) -> Row:
    """Let programs request the most expensive links without pause, while a reader requests fresh files."""
    clients = target.of(20)
    with programs(lambda number: fetch(target.url, expensive(number)).status, clients=clients) as statuses:
        waits_s = target.fresh_waits_s()
    seen = Counter(statuses)
    result = f"the programs get {counted(seen)}"
    # On a busy machine none may be ready in time while twenty programs wait; then a single one is requested.
    answered = seen[200] or fetch(target.url, expensive(10**6)).status == 200
    return Row(
        load=f"{clients} programs, each the most expensive links without a pause",
        result=result,
        faults=[result] if seen.keys() - {200, 503} or not answered else (),
        waits_s=waits_s,
    )


def forged_addresses(target: Target) -> Row:
    """Request a reader's files from many forged addresses, directly and through a proxy."""
    clients = target.of(60)

    def attack(url: str, *, seen_by_proxy: str = "") -> AbstractContextManager[list[int]]:
        def ask(number: int) -> int:
            link = ordinary("/training-compute.csv", 3000 + number % 4000)
            # A proxy appends the address that it saw.
            forged = f"203.0.{number // 250 % 250}.{number % 250}{seen_by_proxy}"
            return fetch(url, link, headers={"X-Forwarded-For": forged}).status

        return programs(ask, clients=clients)

    with attack(target.url) as alone:
        waits_s = target.fresh_waits_s(source="127.0.0.2")
    with target.start("proxied", settings={"TRUSTED_PROXY": "127.0.0.1"}) as proxied:
        proxied.until_warm()
        with attack(proxied.url, seen_by_proxy=", 198.51.100.7") as behind:
            waits_s += proxied.fresh_waits_s(headers={"X-Forwarded-For": "198.51.100.8"})
    return Row(
        load=f"{clients} programs, another X-Forwarded-For in each request, without TRUSTED_PROXY and with it",
        result=f"without a proxy they get {counted(Counter(alone))}; behind one {counted(Counter(behind))}",
        waits_s=waits_s,
    )


@contextmanager
def held_open(target: Target, requests: Sequence[bytes]) -> Iterator[int]:
    """Yield the number of connections opened. Each starts a request and stays open until the context ends."""
    count = 0
    with ExitStack() as connections:
        for request in requests:
            connection = connections.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(10)
            with suppress(OSError):
                connection.connect(("127.0.0.1", target.port))
                connection.sendall(request)
                count += 1
        yield count


def still_open(target: Target, *, before: int, most: float, within_s: float) -> int:
    """Return how many descriptors a server has gained, once the number is at most ``most`` or the time is up."""
    until = time.monotonic() + within_s
    while (count := descriptors_of(target.process) - before) > most and time.monotonic() < until:
        time.sleep(0.2)
    return max(count, 0)


def get(link: str) -> bytes:
    """Return the complete text of a GET request for a link."""
    return f"GET {link} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def abandoned_links(target: Target) -> Row:
    """Request many different files and disconnect immediately, then request fresh files."""
    links = [
        ordinary("/accelerators.png", number) if number % 2 else expensive(10**5 + number)
        for number in range(target.of(250))
    ]
    with held_open(target, [get(link) for link in links]) as count:
        time.sleep(0.5)
    return Row(load=f"{count} files asked for and hung up on after 0.5 s", waits_s=target.fresh_waits_s())


def half_open(target: Target) -> Row:
    """Open connections whose requests are never completed."""
    wanted, before = target.of(1100), descriptors_of(target.process)
    requests = [b"GET / HTTP/1.1\r\nHost: x\r\n" if number % 2 else b"" for number in range(wanted)]
    with held_open(target, requests) as count:
        status = fetch(target.url, "/healthz", timeout_s=60).status
        within_s = min(12 * target.stretch, target.patience_s)
        left = still_open(target, before=before, most=0.01 * count, within_s=within_s)
    faults = {
        f"only {count:,} of {wanted:,} connections were taken": count < wanted / 2,
        f"{left:,} of {count:,} connections stay open": left > 0.01 * count,
        f"/healthz meanwhile: {status}": status != 200,
    }
    return Row(
        load=f"{count:,} connections with half a request or none",
        result=f"/healthz meanwhile {status}; in time the server let go of {count - left:,}",
        faults=true_of(faults),
    )


def slow_readers(target: Target) -> Row:
    """Request the largest script and the largest answer without reading them, until the server is full."""
    static = Path(streamlit.__file__).parent / "static"
    small, *_, script = sorted((static / "static" / "js").glob("*.js"), key=lambda file: file.stat().st_size)
    paths = [f"/{script.relative_to(static)}", "/claims.panel.json?part=page"]
    count = target.of(600)
    with target.start("slow", descriptors=200 + round(1.4 * count)) as slow:
        before = descriptors_of(slow.process)
        with held_open(slow, [get(paths[number % 2]) for number in range(count)]):
            time.sleep(1)
            most = descriptors_of(slow.process)
            sent = Counter(_how(slow.url, f"/{small.relative_to(static)}") for _ in range(20))
            left = still_open(slow, before=before, most=0.1 * count, within_s=target.patience_s)
            faults = slow.faults_of_service()
    faults += true_of(
        {
            f"{left} descriptors are not let go": left > 0.1 * count,
            "static files are answered 200 with nothing": sent["200 with nothing"] > 0,
        }
    )
    return Row(
        load=f"{count} connections that ask for {script.stat().st_size / 1e6:.1f} MB and read nothing",
        result=f"descriptors {before} before, {most} at most, {before + left} in the end; "
        f"a small script: {counted(sent)}",
        faults=faults,
    )


def _how(url: str, path: str) -> str:
    try:
        answer = fetch(url, path, timeout_s=10)
    except OSError:
        return "refused"
    return f"{answer.status} with {'content' if answer.body else 'nothing'}"
