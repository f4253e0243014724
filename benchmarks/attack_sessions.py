"""Attacks through sessions: bombs on the socket, files beyond every bound, files never sent, readers' own data."""

import asyncio
import socket
import time
from collections import Counter
from contextlib import AsyncExitStack, suppress
from typing import Any

import websockets

from benchmarks.clients import Session, fetch, socket_of, upload_headers
from benchmarks.exports import export_of_runs
from benchmarks.servers import memory_byte, watched_memory
from benchmarks.target import Row, Target, counted
from panel.streamlit_names import UPLOADS

MEGABYTE = 1_000_000
FILE_BYTE = 19 * MEGABYTE
"""A file that one alone may send. [byte]"""
OWN_ROWS, TOO_MANY_ROWS = 5_000, 19_000
LONGEST_S = 240.0
"""So long one step of a session may take. [s]"""
WATCHED_S = 100.0
"""So long sessions that bring and read their data are watched. [s]"""
CLOSED_TOO_BIG = "closed 1009"


async def several_sessions(opened: AsyncExitStack, count: int, *, url: str) -> list[Session]:
    """Return so many sessions on the page that takes files, closed with ``opened``."""
    return [await opened.enter_async_context(await Session.open(url, "data")) for _ in range(count)]


def socket_bombs(target: Target) -> Row:
    """Send messages to the session's socket that are far longer than any of ours, packed and not."""
    before_byte, count = target.memory_byte, target.of(20)

    async def bomb() -> str:
        packs = False
        try:
            async with socket_of(target.url, compression="deflate") as opened:
                packs = any("deflate" in str(extension) for extension in opened.protocol.extensions)
                await opened.send(bytes(20 * MEGABYTE))
                async with asyncio.timeout(10 * target.stretch):
                    while True:
                        await opened.recv()
        except websockets.ConnectionClosed as end:
            return f"{'packed ' if packs else ''}closed {end.rcvd.code if end.rcvd else 1006}"
        except (OSError, TimeoutError, websockets.InvalidHandshake) as fault:
            return type(fault).__name__

    async def all_of_them() -> Counter[str]:
        return Counter(await asyncio.gather(*(bomb() for _ in range(count))))

    ends = asyncio.run(all_of_them())
    grown_byte = target.memory_byte - before_byte
    faults = [f"a bomb's end: {end}" for end in ends if end not in (CLOSED_TOO_BIG, "closed 1006")]
    return Row(
        test="bombs on the socket",
        load=f"{count} messages of 20 MB, packed where the server lets them",
        result=f"{counted(ends)}; memory +{max(grown_byte, 0) / 1e6:.0f} MB",
        faults=[*faults, "memory grew by 200 MB"] if grown_byte > 0.2e9 else faults,
    )


def uploads(target: Target) -> Row:
    """Send files that no page asked for, of no length or a false one, and from real sessions more than they may."""
    before_byte, statuses = target.memory_byte, Counter[str]()
    bodies: list[tuple[dict[str, str], bytes]] = [
        ({"Content-Length": "2000000"}, bytes(2 * MEGABYTE)),
        ({"Content-Length": "300000000"}, b""),
        ({"Transfer-Encoding": "chunked"}, b"0\r\n\r\n"),
    ]
    for number in range(target.of(60)):
        headers, body = bodies[number % 3]
        try:
            path = f"{UPLOADS}nobody{number}/file"
            answer = fetch(target.url, path, method="PUT", body=body, headers=headers, timeout_s=20)
            statuses[str(answer.status)] += 1
        except OSError as fault:
            statuses[type(fault).__name__] += 1
    faults = [f"a file that no page asked for: {status}" for status in statuses if status[0] in "25"]

    async def greedy() -> tuple[list[Counter[int]], int]:
        async with AsyncExitStack() as opened:
            sessions = await several_sessions(opened, target.of(5), url=target.url)
            taken = [Counter([await one.upload(bytes(FILE_BYTE)) for _ in range(4)]) for one in sessions]
            grown_byte = target.memory_byte - before_byte
            # What stays counts against this address for as long as Streamlit keeps sessions.
            for one in sessions:
                await one.take_away()
            return taken, grown_byte

    grown_byte = 0
    with suppress(
        OSError, TimeoutError, websockets.WebSocketException
    ):  # shown by what an ordinary reader gets
        taken, grown_byte = asyncio.run(greedy())
        if not taken[0][204]:
            faults.append(f"a session's first file: {counted(taken[0])}")
        if (
            any(each[204] > 3 for each in taken)
            or sum(each[204] for each in taken) * FILE_BYTE > 240 * MEGABYTE
        ):
            faults.append(f"files of 19 MB taken by session: {[each[204] for each in taken]}")
        statuses[f"204 of {4 * len(taken)} files of 19 MB from {len(taken)} sessions"] = sum(
            each[204] for each in taken
        )
    return Row(
        test="uploads beyond the bounds",
        load=f"{target.of(60)} that no page asked for; four files of 19 MB from each of {target.of(5)} sessions",
        result=f"{counted(statuses)}; memory +{max(grown_byte, 0) / 1e6:.0f} MB",
        faults=faults,
    )


def held_uploads(target: Target) -> Row:
    """Begin the largest files from some sessions, send nothing, and have another session send one meanwhile."""
    sessions_count, count = 4, 12

    async def begun() -> tuple[int, float]:
        async with AsyncExitStack() as opened:
            *sessions, other = await several_sessions(opened, sessions_count + 1, url=target.url)
            headers = upload_headers(target.url) | {"Host": "127.0.0.1", "Content-Length": f"{20 * MEGABYTE}"}
            lines = "".join(f"{name}: {text}\r\n" for name, text in headers.items())
            for number in range(count):
                connection = opened.enter_context(
                    socket.create_connection(("127.0.0.1", target.port), timeout=10)
                )
                path = f"{UPLOADS}{sessions[number % sessions_count].name}/held{number}"
                connection.sendall(f"PUT {path} HTTP/1.1\r\n{lines}\r\n".encode())
            await asyncio.sleep(0.5)
            begin_s = time.perf_counter()
            return await other.upload(bytes(MEGABYTE)), time.perf_counter() - begin_s

    status, wait_s = asyncio.run(begun())
    return Row(
        test="uploads held open",
        load=f"{count} of 20 MB begun by {sessions_count} sessions, of which nothing comes",
        result=f"another session's file of 1 MB: {status} in {wait_s:.2f} s",
        faults=[] if status == 204 else [f"another session's file: {status}"],
    )


def own_data(target: Target) -> Row:
    """Have many sessions bring exports of their own and open Claims on them, and a reader ask for fresh files."""
    count, export, ended = target.of(100), export_of_runs(OWN_ROWS), Counter[str]()

    async def one(opened: AsyncExitStack) -> None:
        session = await opened.enter_async_context(await Session.open(target.url, "data"))
        status = await session.upload(export)
        await session.run(timeout_s=LONGEST_S)
        until = time.monotonic() + LONGEST_S
        while (
            any("Try again in" in alert.body for alert in session.shown("alert")) and time.monotonic() < until
        ):
            await asyncio.sleep(2)
            await session.run(timeout_s=LONGEST_S)
        if status != 204 or not session.shown("checkbox"):
            ended[f"data not taken ({status}, {[alert.body[:60] for alert in session.shown('alert')]})"] += 1
            return
        await session.run("claims", timeout_s=LONGEST_S)
        until, answer = time.monotonic() + LONGEST_S, dict[str, Any]()
        while time.monotonic() < until and "body" not in answer:
            answer = await session.own(timeout_s=LONGEST_S)
            await asyncio.sleep(min(answer.get("busy_s", 0), 5))
        ended["read" if "body" in answer else f"not read ({list(answer)[-1:]})"] += 1

    async def all_of_them() -> list[float]:
        until = time.monotonic() + WATCHED_S * target.stretch
        async with AsyncExitStack() as opened:
            readers = [asyncio.create_task(one(opened)) for _ in range(count)]
            waits_s = await asyncio.to_thread(
                target.fresh_waits_s,
                go_on=lambda: time.monotonic() < until and not all(reader.done() for reader in readers),
            )
            for reader in readers:
                reader.cancel()
            ends = await asyncio.gather(*readers, return_exceptions=True)
            ended["waiting still"] = sum(isinstance(end, asyncio.CancelledError) for end in ends)
            ended.update(f"{type(end).__name__} {end}"[:80] for end in ends if isinstance(end, Exception))
        return waits_s

    with watched_memory(target.process) as seen_byte:
        waits_s = asyncio.run(all_of_them())
    peak_byte = max(seen_byte)
    faults = [f"memory at its peak: {peak_byte / 1e9:.2f} GB"] if peak_byte > 1e9 else []
    if not ended["read"] or any(end.startswith("data") for end in ended):
        faults.append(f"of the sessions: {counted(ended)}")
    return Row(
        test="readers' own data",
        load=f"{count} sessions with {OWN_ROWS:,} rows each that open Claims",
        result=f"{counted(+ended)}; memory at its peak {peak_byte / 1e9:.2f} GB",
        faults=faults,
        waits_s=waits_s,
    )


def rows_over_the_bound(target: Target) -> Row:
    """Bring an export with far more rows than one has, of allowed length, and one of the length that is promised."""

    async def bring(rows: int) -> tuple[bool, str, float]:
        async with await Session.open(target.url, "data") as session:
            await session.upload(export_of_runs(rows))
            begin_s = time.perf_counter()
            await session.run(timeout_s=LONGEST_S)
            message = " ".join(alert.body for alert in session.shown("alert"))
            taken = bool(session.shown("checkbox"))
        return taken, message, time.perf_counter() - begin_s

    taken, _, _ = asyncio.run(bring(OWN_ROWS))
    before_byte = memory_byte(target.process, name="VmHWM")
    too_many, message, wait_s = asyncio.run(bring(TOO_MANY_ROWS))
    grown_byte = memory_byte(target.process, name="VmHWM") - before_byte
    faults = [] if taken else [f"an export of {OWN_ROWS:,} rows is refused"]
    if too_many or "rows" not in message:
        faults.append(f"an export of {TOO_MANY_ROWS:,} rows: {message[:100] or 'taken'}")
    if grown_byte > 0.1e9:
        faults.append(f"memory grew by {grown_byte / 1e6:.0f} MB")
    return Row(
        test="rows over the bound",
        load=f"an export of {TOO_MANY_ROWS:,} rows, {len(export_of_runs(TOO_MANY_ROWS)) / 1e6:.1f} MB",
        result=f"{message[:100] or 'taken'}; {wait_s:.1f} s; memory +{grown_byte / 1e6:.0f} MB at its peak",
        faults=faults,
    )
