"""Attacks by sessions: oversized messages, files beyond the quota and incomplete uploads."""

import asyncio
import time
from collections import Counter
from contextlib import AsyncExitStack, suppress

import websockets

from benchmarks.attack_requests import held_open
from benchmarks.clients import LOST, Session, fetch, socket_of, upload_headers
from benchmarks.exports import export_of_runs
from benchmarks.servers import MEMORY_BYTE, memory_byte, watched_memory
from benchmarks.target import Row, Target, counted, true_of
from panel.streamlit_names import UPLOADS

MEGABYTE = 1_000_000
FILE_BYTE = 19 * MEGABYTE
"""Size of a file within the quota. [byte]"""
OWN_ROWS, TOO_MANY_ROWS = 5_000, 19_000
LONGEST_S = 240.0
"""Maximum time for one step of a session. [s]"""
WATCHED_S = 100.0
"""Time for which sessions with uploads and own data are observed. [s]"""


async def several_sessions(opened: AsyncExitStack, count: int, *, url: str) -> list[Session]:
    """Return ``count`` sessions on the page with uploads. They close together with ``opened``."""
    return [await opened.enter_async_context(await Session.open(url, "data")) for _ in range(count)]


def socket_bombs(target: Target) -> Row:
    """Send far too long messages to a session's socket, compressed if the server accepts that."""
    before_byte, count = memory_byte(target.process), target.of(20)

    async def bomb() -> str:
        packs = ""
        try:
            async with socket_of(target.url, compression="deflate") as opened:
                packs = "packed " if "deflate" in str(opened.protocol.extensions) else ""
                await opened.send(bytes(20 * MEGABYTE))
                async with asyncio.timeout(10 * target.stretch):
                    while True:
                        await opened.recv()
        except websockets.ConnectionClosed as end:
            return f"{packs}closed {end.rcvd.code if end.rcvd else 1006}"
        except (OSError, TimeoutError, websockets.InvalidHandshake) as fault:
            return type(fault).__name__

    async def all_of_them() -> Counter[str]:
        return Counter(await asyncio.gather(*(bomb() for _ in range(count))))

    ends = asyncio.run(all_of_them())
    grown_byte = memory_byte(target.process) - before_byte
    faults = {f"a bomb's end: {end}": end not in ("closed 1009", "closed 1006") for end in ends}
    return Row(
        load=f"{count} messages of 20 MB, packed where the server lets them",
        result=f"{counted(ends)}; {_grown(grown_byte)}",
        faults=true_of({**faults, "memory grew by 200 MB": grown_byte > 0.2e9}),
    )


def uploads(target: Target) -> Row:
    """Send unrequested files of false or unknown length, and files beyond the quota from real sessions."""
    before_byte, count = memory_byte(target.process), target.of(60)
    bodies: list[tuple[dict[str, str], bytes]] = [
        ({"Content-Length": "2000000"}, bytes(2 * MEGABYTE)),
        ({"Content-Length": "300000000"}, b""),
        ({"Transfer-Encoding": "chunked"}, b"0\r\n\r\n"),
    ]

    def unasked(number: int) -> str:
        headers, body = bodies[number % 3]
        path = f"{UPLOADS}nobody{number}/file"
        try:
            answer = fetch(target.url, path, method="PUT", body=body, headers=headers, timeout_s=20)
        except OSError as fault:
            return type(fault).__name__
        return str(answer.status)

    async def greedy() -> tuple[list[list[int]], int]:
        async with AsyncExitStack() as opened:
            sessions = await several_sessions(opened, target.of(5), url=target.url)
            statuses = [[await one.upload(bytes(FILE_BYTE)) for _ in range(4)] for one in sessions]
            grown_byte = memory_byte(target.process) - before_byte
            # Remaining files count against this address for as long as Streamlit keeps sessions.
            for one in sessions:
                await one.take_away()
            return statuses, grown_byte

    refused = Counter(unasked(number) for number in range(count))
    by_session, grown_byte = [[204]], 0
    with suppress(*LOST):  # visible in what an ordinary reader gets
        by_session, grown_byte = asyncio.run(greedy())
    taken = [statuses.count(204) for statuses in by_session]
    faults = {f"a file that no page asked for: {status}": status[0] in "25" for status in refused} | {
        f"a session's first files: {by_session[0]}": not taken[0],
        f"files of 19 MB taken by session: {taken}": max(taken) > 3
        or sum(taken) * FILE_BYTE > 240 * MEGABYTE,
    }
    return Row(
        load=f"{count} that no page asked for; four files of 19 MB from each of {target.of(5)} sessions",
        result=f"{counted(refused)}; {sum(taken)} of {4 * len(taken)} files of 19 MB taken; {_grown(grown_byte)}",
        faults=true_of(faults),
    )


def _grown(byte: int) -> str:
    return f"memory +{max(byte, 0) / 1e6:.0f} MB"


def held_uploads(target: Target) -> Row:
    """Start the largest uploads in some sessions and send nothing, while another session uploads."""
    sessions_count, count = 4, 12

    async def begun() -> tuple[int, float]:
        async with AsyncExitStack() as opened:
            *sessions, other = await several_sessions(opened, sessions_count + 1, url=target.url)
            headers = upload_headers(target.url) | {"Host": "127.0.0.1", "Content-Length": f"{20 * MEGABYTE}"}
            lines = "".join(f"{name}: {text}\r\n" for name, text in headers.items())
            requests = [
                f"PUT {UPLOADS}{sessions[number % sessions_count].name}/held{number} HTTP/1.1\r\n{lines}\r\n"
                for number in range(count)
            ]
            opened.enter_context(held_open(target, [request.encode() for request in requests]))
            await asyncio.sleep(0.5)
            begin_s = time.perf_counter()
            return await other.upload(bytes(MEGABYTE)), time.perf_counter() - begin_s

    status, wait_s = asyncio.run(begun())
    return Row(
        load=f"{count} of 20 MB begun by {sessions_count} sessions, of which nothing comes",
        result=f"another session's file of 1 MB: {status} in {wait_s:.2f} s",
        faults=true_of({f"another session's file: {status}": status != 204}),
    )


def own_data(target: Target) -> Row:
    """Let many sessions upload exports and open the Claims view on them, while a reader requests fresh files."""
    count, export = target.of(100), export_of_runs(OWN_ROWS)

    async def one(session: Session) -> str:
        status = await session.upload(export)
        await session.run()
        while "Try again in" in (alerts := session.alerts()):
            await asyncio.sleep(2)
            await session.run()
        if status != 204 or not session.shown("checkbox"):
            return f"data not taken ({status}, {alerts[:60]})"
        await session.run("claims")
        answer = await session.own()
        while not answer or "busy_s" in answer:
            await asyncio.sleep(min(answer.get("busy_s", 1), 5))
            answer = await session.own()
        return "read" if "body" in answer else f"not read ({list(answer)[-1:]})"

    async def reader(until: float) -> str:
        try:
            async with asyncio.timeout_at(until):
                async with await Session.open(target.url, "data", patience_s=LONGEST_S) as session:
                    return await one(session)
        except LOST as fault:
            return f"{type(fault).__name__} {fault}"[:80]

    async def all_of_them() -> tuple[list[str], list[float]]:
        until = asyncio.get_running_loop().time() + WATCHED_S * target.stretch
        readers = asyncio.gather(*(reader(until) for _ in range(count)))
        waits_s = await asyncio.to_thread(target.fresh_waits_s, go_on=lambda: not readers.done())
        return await readers, waits_s

    with watched_memory(target.process) as seen_byte:
        ends, waits_s = asyncio.run(all_of_them())
    ended = Counter(ends)
    refused = any(end.startswith("data") for end in ends)
    memory = f"memory at its peak {max(seen_byte) / 1e9:.2f} GB"
    faults = {
        memory: max(seen_byte) > MEMORY_BYTE,
        f"of the sessions: {counted(ended)}": refused or not ended["read"],
    }
    return Row(
        load=f"{count} sessions with {OWN_ROWS:,} rows each that open Claims",
        result=f"{counted(ended)}; {memory}",
        faults=true_of(faults),
        waits_s=waits_s,
    )


def rows_over_the_bound(target: Target) -> Row:
    """Upload an export with too many rows within the allowed length, and one with the most rows allowed."""

    async def bring(rows: int) -> tuple[bool, str, float]:
        async with await Session.open(target.url, "data", patience_s=LONGEST_S) as session:
            await session.upload(export_of_runs(rows))
            begin_s = time.perf_counter()
            await session.run()
            return bool(session.shown("checkbox")), session.alerts(), time.perf_counter() - begin_s

    taken, _, _ = asyncio.run(bring(OWN_ROWS))
    before_byte = memory_byte(target.process, name="VmHWM")
    too_many, message, wait_s = asyncio.run(bring(TOO_MANY_ROWS))
    grown_byte = memory_byte(target.process, name="VmHWM") - before_byte
    said = message[:100] or "taken"
    faults = {
        f"an export of {OWN_ROWS:,} rows is refused": not taken,
        f"an export of {TOO_MANY_ROWS:,} rows: {said}": too_many or "rows" not in message,
        _grown(grown_byte): grown_byte > 0.1e9,
    }
    return Row(
        load=f"an export of {TOO_MANY_ROWS:,} rows, {len(export_of_runs(TOO_MANY_ROWS)) / 1e6:.1f} MB",
        result=f"{said}; {wait_s:.1f} s; {_grown(grown_byte)} at its peak",
        faults=true_of(faults),
    )
