"""Simulated readers: single requests, and Streamlit sessions with uploads."""

import asyncio
import http.client
import itertools
import json
import time
import uuid
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from email.message import Message
from typing import Any
from urllib.parse import urlsplit

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.typing import Origin, Subprotocol

from panel.streamlit_names import HEALTH, STREAM, UPLOADS

LATEST_S = 30.0
"""Maximum time that a session waits before a response counts as lost. [s]"""
BOUNDARY = "benchmark"
LOST = (OSError, websockets.WebSocketException)
"""Exceptions of a session whose server is gone, rejects it, or is late."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Response to a request, and the time that it took."""

    status: int
    body: bytes
    headers: Message
    wait_s: float


def fetch(
    url: str,
    path: str,
    *,
    method: str = "GET",
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
    timeout_s: float = 120.0,
    source: str = "127.0.0.1",
) -> Answer:
    """Return a server's response to one request, sent from this machine's address ``source``.

    Raises OSError if the server is unreachable, disconnects, or sends nothing for ``timeout_s``.
    """
    begin_s = time.perf_counter()
    connection = http.client.HTTPConnection(
        urlsplit(url).netloc, timeout=timeout_s, source_address=(source, 0)
    )
    with closing(connection):
        try:
            connection.request(method, path, body or None, dict(headers or {}))
            answer = connection.getresponse()
            content = answer.read()
        except http.client.HTTPException as end:
            raise OSError(f"the answer broke off: {type(end).__name__}") from end
        wait_s = time.perf_counter() - begin_s
        return Answer(status=answer.status, body=content, headers=answer.headers, wait_s=wait_s)


def socket_of(url: str, **options: Any) -> websockets.connect:
    """Return the websocket connection of a page, to be awaited or entered."""
    address = f"ws{url.removeprefix('http')}{STREAM}"
    return websockets.connect(address, origin=Origin(url), subprotocols=[Subprotocol("streamlit")], **options)


class Session:
    """A reader's session: the websocket of an open page, the elements it shows, and its uploads.

    ``patience_s`` is the maximum wait for the end of a run. [s]
    """

    def __init__(
        self, socket: websockets.ClientConnection, *, url: str, patience_s: float = LATEST_S
    ) -> None:
        self.socket, self.url, self.patience_s = socket, url, patience_s
        self.name = ""
        self.script = ""
        self.elements: list[Element] = []
        """Elements that the last run of the page has drawn."""
        self._states: dict[str, WidgetState] = {}
        self._files: list[str] = []
        self._questions = itertools.count(1)

    @classmethod
    async def open(cls, url: str, page: str = "", *, patience_s: float = LATEST_S) -> "Session":
        """Return a session on a page whose script has run once.

        Raises OSError, TimeoutError or websockets.WebSocketException if no session can be opened.
        """
        # Browsers send no pings either.
        socket = await socket_of(url, max_size=None, open_timeout=LATEST_S, ping_interval=None)
        session = cls(socket, url=url, patience_s=patience_s)
        try:
            await session.run(page)
        except BaseException:
            await socket.close()
            raise
        return session

    async def __aenter__(self) -> "Session":
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.socket.close()

    async def run(self, page: str | None = None) -> None:
        """Request a run of the page, optionally of another page, and wait for its end."""
        message = BackMsg()
        if page is None:
            message.rerun_script.page_script_hash = self.script
        else:
            message.rerun_script.page_name = page.strip("/")
        message.rerun_script.widget_states.widgets.extend(self._states.values())
        await self.socket.send(message.SerializeToString())
        try:
            async with asyncio.timeout(self.patience_s):
                while not self._is_end(ForwardMsg.FromString(await self.socket.recv(decode=False))):
                    pass
        except TimeoutError:
            late = f"a session got no answer within {self.patience_s:g} s"
            raise TimeoutError(f"{late}; take fewer sessions, or see whether the server lives") from None

    def _is_end(self, message: ForwardMsg) -> bool:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.name, self.elements = message.new_session.initialize.session_id or self.name, []
        elif kind == "navigation":
            self.script = message.navigation.page_script_hash
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self.elements.append(message.delta.new_element)
        return kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY

    def shown(self, kind: str) -> list[Any]:
        """Return the shown elements of a kind, such as "alert", "exception" or "file_uploader"."""
        return [getattr(one, kind) for one in self.elements if one.WhichOneof("type") == kind]

    def alerts(self) -> str:
        """Return the texts of the warnings on the page."""
        return " ".join(alert.body for alert in self.shown("alert"))

    def _panel(self) -> Any:
        return next(one for one in self.shown("bidi_component") if json.loads(one.json).get("view"))

    async def upload(self, content: bytes) -> int:
        """Upload a file as the page does, and return the status. The page's next run sees the file."""
        file, name = f"{UPLOADS}{self.name}/{uuid.uuid4()}", "notable_ai_models.csv"
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()
        status = await self._send("PUT", file, body=body)
        self._files += [file] * (status == 204)
        if status == 204 and (boxes := self.shown("file_uploader")):
            state = WidgetState(id=boxes[0].id)
            info = state.file_uploader_state_value.uploaded_file_info.add()
            info.file_id, info.name, info.size = file.rpartition("/")[2], name, len(content)
            self._states[state.id] = state
        return status

    async def _send(self, method: str, path: str, *, body: bytes = b"") -> int:
        headers = await asyncio.to_thread(upload_headers, self.url)
        got = await asyncio.to_thread(fetch, self.url, path, method=method, body=body, headers=headers)
        return got.status

    async def take_away(self) -> None:
        """Delete the files that this session has uploaded."""
        while self._files:
            await self._send("DELETE", self._files.pop())
        self._states.clear()

    async def own(self) -> dict[str, Any]:
        """Return the open page's response for own data: "body", "problem" or "busy_s"."""
        question = {"id": f"session-{next(self._questions)}", "attempt": 1, "query": "", "part": "finding"}
        state = WidgetState(id=self._panel().id, json_value=json.dumps({"asked": question}))
        self._states[state.id] = state
        await self.run()
        return (json.loads(self._panel().json)["own"] or {}).get("answer") or {}


def upload_headers(url: str) -> dict[str, str]:
    """Return the headers of an upload by the page."""
    cookies = fetch(url, HEALTH).headers.get("Set-Cookie", "")
    token = cookies.partition(";")[0].partition("=")[2]
    return {
        "Cookie": f"_streamlit_xsrf={token}",
        "X-Xsrftoken": token,
        "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
    }
