"""Many readers at once: sessions that change a control once a second each, without a browser.

Each session speaks Streamlit's own protocol over its websocket and waits for the end of each script run. Ours
fits, words and draws; the bare Streamlit page only sends a figure made beforehand. The readers' side runs on the
same machine and takes its share of it, so the server's limits are a little higher than what is printed.
"""

import asyncio
import json
import random
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.typing import Origin, Subprotocol

from benchmarks.browser import PATH, YEARS, figures
from benchmarks.servers import serving

SECONDS = 10
LATEST_S = 30
"""So long a session waits for an answer before it counts as lost. [s]"""
LONGEST_END = 100
"""The message that ends a run is shorter; longer ones are not read, to leave the cores to the server. [bytes]"""
SESSIONS = (25, 50, 100)
BUDGET_S = 0.3
"""The wait that 95 of 100 changes should keep. [s]"""
GIVES_UP = "a session got no answer within {seconds} s; take fewer sessions, or see whether the server lives"


class Session:
    """A reader's session: the page and its control `since`."""

    def __init__(self, socket: websockets.ClientConnection, *, page: str) -> None:
        """Take an open websocket and the address of the page, "" where there is but one."""
        self.socket, self.page = socket, page
        self.script, self.control = "", ""

    async def run(self, since: str = "") -> None:
        """Ask for one run of the page, with a choice where one is given, and wait for its end."""
        ask = BackMsg()
        ask.rerun_script.page_script_hash = self.script
        if not self.script:
            ask.rerun_script.page_name = self.page.strip("/")
        if since:
            ask.rerun_script.query_string = f"since={since}"
            state = ask.rerun_script.widget_states.widgets.add()
            state.id, state.string_value = self.control, since
        await self.socket.send(ask.SerializeToString())
        try:
            async with asyncio.timeout(LATEST_S):
                while not self._is_end(await self.socket.recv(decode=False)):
                    pass
        except TimeoutError:
            raise TimeoutError(GIVES_UP.format(seconds=LATEST_S)) from None

    def _is_end(self, message: bytes) -> bool:
        if self.control and len(message) > LONGEST_END:
            return False
        told = ForwardMsg.FromString(message)
        kind = told.WhichOneof("type")
        if kind == "navigation":
            self.script = told.navigation.page_script_hash
        elif kind == "delta" and told.delta.new_element.selectbox.id.endswith("-since"):
            self.control = told.delta.new_element.selectbox.id
        return kind == "script_finished"


async def waits(
    urls: Sequence[str], *, page: str, sessions: int, every_s: float, seconds: float
) -> list[float]:
    """Return the time from each change to the end of its run, sessions spread over the servers. [s]

    ``every_s`` is the time from one change of a session to its next; a change that is late delays the next.
    """
    took: list[float] = []
    begun = asyncio.Barrier(sessions)

    async def reader(number: int) -> None:
        url, chance = urls[number % len(urls)], random.Random(number)
        address = f"ws{url.removeprefix('http')}/_stcore/stream"
        async with websockets.connect(
            address, origin=Origin(url), subprotocols=[Subprotocol("streamlit")], max_size=None
        ) as socket:
            session = Session(socket, page=page)
            await session.run()
            await begun.wait()
            until = time.perf_counter() + seconds
            await asyncio.sleep(chance.random() * every_s)
            while (start := time.perf_counter()) < until:
                await session.run(chance.choice(YEARS))
                took.append(time.perf_counter() - start)
                await asyncio.sleep(max(0.0, start + every_s - time.perf_counter()))

    await asyncio.gather(*(reader(number) for number in range(sessions)))
    return took


def main() -> None:
    """Print what one process answers a second against the bare page, and the wait by number of sessions."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "figures.json").write_text(json.dumps(figures()))
        bare, *ours = (
            stack.enter_context(serving(name, folder=folder)) for name in ("bare Streamlit", "ours", "ours")
        )
        most = {
            name: len(asyncio.run(waits([url], page=page, sessions=8, every_s=0, seconds=SECONDS)))
            for name, url, page in (("bare", bare, ""), ("ours", ours[0], PATH))
        }
        print(
            f"{'changes one process answers a second':52} {most['ours'] / most['bare']:5.2f}x bare Streamlit"
            f"   ({most['ours'] / SECONDS:.0f})"
        )
        asyncio.run(waits(ours[1:], page=PATH, sessions=2, every_s=0, seconds=2))
        for sessions in SESSIONS:
            for urls in (ours[:1], ours):
                report(urls, sessions=sessions)


def report(urls: Sequence[str], *, sessions: int) -> None:
    """Print the middle and the late wait of sessions that change a control once a second each."""
    took = asyncio.run(waits(urls, page=PATH, sessions=sessions, every_s=1, seconds=SECONDS))
    what = f"{sessions} sessions, a change a second, processes: {len(urls)}"
    middle, late = (np.quantile(took, share) / BUDGET_S for share in (0.5, 0.95))
    print(
        f"{what:52} p50 {middle:.2f}, p95 {late:.2f} of the budget of {BUDGET_S} s   (n = {len(took)})",
        flush=True,
    )
