"""Attacks by requests: hostile and expensive links, links hung up on, forged addresses, connections that dawdle."""

import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote, urlencode

import streamlit

from benchmarks.clients import fetch
from benchmarks.servers import descriptors_of
from benchmarks.target import Row, Target, counted, expensive, ordinary
from views.registry import VIEWS
from web.forms import FORMS

LATE_S = 15.0
"""So long the slowest hostile link may take. [s]"""
LAST_S = 40.0
"""So long programs may still wait for what they asked for when an attack is over. [s]"""
MARKUP = "<script>alert(1)</script>"
VALUES = (
    *(
        "",
        "\0",
        "../../etc/passwd",
        MARKUP,
        '"><img src=x onerror=alert(1)>',
        "=HYPERLINK(1)",
        "9" * 400,
        "-1",
    ),
    *("1e309", "NaN", "٣", "2020-13", "\r\nSet-Cookie: a=b", "{{7*7}}", "' OR 1=1", "a" * 5000),
)
ANSWERS = {
    "/training-compute.csv?since=2018": 200,
    "/training-compute.csv?since=0": 422,
    f"/training-compute.csv?since={'1' * 9000}": 414,
    "/training-compute.exe": 404,
    f"/training-compute?{urlencode({'since': MARKUP})}": 200,
}
"""The status that these links get, whatever other links are requested."""
KNOWN = (200, 400, 404, 405, 411, 413, 414, 422, 431)
"""What hostile links may be answered with."""


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
    links += [*ANSWERS, *(f"/{quote(value, safe='/')}" for value in VALUES if value)]
    with ThreadPoolExecutor(8) as readers:
        answers = list(readers.map(lambda link: fetch(target.url, link), links))
    slowest_s = max(answer.wait_s for answer in answers)
    faults = []
    for link, answer in zip(links, answers, strict=True):
        page = answer.headers.get("content-type", "").startswith("text/html")
        if (page and MARKUP.encode() in answer.body) or answer.headers.get("set-cookie"):
            faults.append(f"{link[:100]} reflects markup or sets a cookie")
        if answer.status not in KNOWN or answer.status != ANSWERS.get(link, answer.status):
            faults.append(f"{link[:100]} is answered {answer.status}")
        if answer.status == 200 and not answer.body:
            faults.append(f"{link[:100]} is answered 200 with nothing")
    if slowest_s > target.stretch * LATE_S:
        faults.append(f"the slowest took {slowest_s:.1f} s")
    return Row(
        test="hostile links",
        load=f"{len(links):,} links, 8 at a time",
        result=f"{counted(Counter(answer.status for answer in answers))}; slowest {slowest_s:.1f} s; "
        f"{len(faults)} faults",
        faults=faults[:3],
    )


@contextmanager
def programs(ask: Callable[[int], int], *, clients: int) -> Iterator[Counter[int]]:
    """Give a count of the statuses that some programs get, which ask without a pause while this lasts."""
    stop, statuses, lock, numbers = threading.Event(), Counter[int](), threading.Lock(), iter(range(10**9))

    def program() -> None:
        while not stop.is_set():
            with lock:
                number = next(numbers)
            with suppress(OSError):
                status = ask(number)
                with lock:
                    statuses[status] += 1
            stop.wait(0.1)

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
    """Let programs ask for the most expensive links without a pause, and a reader for fresh files beside them."""
    clients = target.of(20)
    with programs(lambda number: fetch(target.url, expensive(number)).status, clients=clients) as statuses:
        waits_s = target.fresh_waits_s()
    odd = statuses.keys() - {200, 503}
    return Row(
        test="expensive links",
        load=f"{clients} programs, each the most expensive links without a pause",
        result=f"the programs get {counted(statuses)}",
        faults=[f"the programs get {counted(statuses)}"] if odd or not statuses[200] else (),
        waits_s=waits_s,
    )


def forged_addresses(target: Target) -> Row:
    """Let programs ask for files like a reader's, from another address in each request: alone, and behind a proxy."""
    clients, waits_s, seen = target.of(60), [], []

    def attack(url: str, forge: Callable[[int], str]) -> Callable[[int], int]:
        def ask(number: int) -> int:
            link = ordinary("/training-compute.csv", 3000 + number % 4000)
            return fetch(url, link, headers={"X-Forwarded-For": forge(number)}).status

        return ask

    def invented(number: int) -> str:
        return f"203.0.{number // 250 % 250}.{number % 250}"

    with programs(attack(target.url, invented), clients=clients) as statuses:
        waits_s += target.fresh_waits_s(source="127.0.0.2")
    seen.append(f"without a proxy the programs get {counted(statuses)}")
    with target.start("proxied", settings={"TRUSTED_PROXY": "127.0.0.1"}) as proxied:
        proxied.until_warm()
        # A proxy adds the address that it saw at the end.
        ask = attack(proxied.url, lambda number: f"{invented(number)}, 198.51.100.7")
        with programs(ask, clients=clients) as statuses:
            waits_s += proxied.fresh_waits_s(headers={"X-Forwarded-For": "198.51.100.8"})
    seen.append(f"behind one {counted(statuses)}")
    return Row(
        test="forged addresses",
        load=f"{clients} programs, another X-Forwarded-For in each request, without TRUSTED_PROXY and with it",
        result="; ".join(seen),
        waits_s=waits_s,
    )


def abandoned_links(target: Target) -> Row:
    """Ask for many different files, hang up, and then ask for fresh ones."""
    count = target.of(250)
    with ExitStack() as opened:
        for number in range(count):
            connection = opened.enter_context(
                socket.create_connection(("127.0.0.1", target.port), timeout=10)
            )
            link = ordinary("/accelerators.png", number) if number % 2 else expensive(10**5 + number)
            connection.sendall(f"GET {link} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        time.sleep(0.5)
    return Row(
        test="abandoned links",
        load=f"{count} files asked for and hung up on after 0.5 s",
        result="",
        waits_s=target.fresh_waits_s(),
    )


def half_open(target: Target) -> Row:
    """Open connections whose requests never end."""
    count, opened = target.of(1100), []
    for number in range(count):
        with suppress(OSError):
            connection = socket.create_connection(("127.0.0.1", target.port), timeout=5)
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n" if number % 2 else b"")
            opened.append(connection)
    status = fetch(target.url, "/healthz", timeout_s=60).status
    held = len(opened)
    until = time.monotonic() + min(12 * target.stretch, target.patience_s)
    while opened and time.monotonic() < until:
        opened = [connection for connection in opened if not _is_closed(connection)]
        time.sleep(0.2)
    for connection in opened:
        connection.close()
    faults = [f"{len(opened):,} of {held:,} connections stay open"] if opened or held < count / 2 else []
    return Row(
        test="half-open connections",
        load=f"{held:,} connections with half a request or none",
        result=f"/healthz meanwhile {status}; in time the server let go of {held - len(opened):,}",
        faults=faults if status == 200 else [*faults, f"/healthz meanwhile: {status}"],
    )


def _is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        closed = connection.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        closed = True
    if closed:
        connection.close()
    return closed


def slow_readers(target: Target) -> Row:
    """Ask for the largest script and the largest answer of ours and read nothing, until the server is full."""
    static = Path(streamlit.__file__).parent / "static"
    script = max((static / "static" / "js").glob("*.js"), key=lambda file: file.stat().st_size)
    small = min((static / "static" / "js").glob("*.js"), key=lambda file: file.stat().st_size)
    paths = [f"/{script.relative_to(static)}", "/claims.panel.json?part=page"]
    count, opened, sent, faults = target.of(600), [], Counter[str](), []
    with target.start("slow", descriptors=200 + round(1.4 * count)) as slow, ExitStack() as connections:
        before = descriptors_of(slow.process)
        for number in range(count):
            connection = connections.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(5)
            with suppress(OSError):
                connection.connect(("127.0.0.1", slow.port))
                path = paths[number % 2]
                connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
                opened.append(connection)
        time.sleep(1)
        most = descriptors_of(slow.process)
        for _ in range(20):
            try:
                answer = fetch(slow.url, f"/{small.relative_to(static)}", timeout_s=10)
                sent[f"{answer.status} with {'content' if answer.body else 'nothing'}"] += 1
            except OSError:
                sent["refused"] += 1
        until = time.monotonic() + target.patience_s
        while descriptors_of(slow.process) > before + 0.1 * count and time.monotonic() < until:
            time.sleep(0.5)
        after = descriptors_of(slow.process)
        if after > before + 0.1 * count:
            faults.append(f"{after - before} descriptors are not let go")
        if sent["200 with nothing"]:
            faults.append("static files are answered 200 with nothing")
        faults += slow.faults_of_service()
    return Row(
        test="slow readers",
        load=f"{count} connections that ask for {script.stat().st_size / 1e6:.1f} MB and read nothing",
        result=f"descriptors {before} before, {most} at most, {after} in the end; a small script: {counted(sent)}",
        faults=faults,
    )
