"""Quota for uploads: files per session, a share per client address, and a limit for the process.

Streamlit keeps every uploaded file until its session ends, even if no widget requested it. Bytes count when they
arrive, so that an upload that has only started takes no room from others.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from panel.streamlit_names import UPLOADS
from web.settings import WORDS
from web.site import client_of

METHODS = ("PUT", "DELETE", "OPTIONS")
SESSION_BYTE = 60_000_000
"""Limit per session, three files of the largest size. [byte]"""
CLIENT_BYTE = 120_000_000
PROCESS_BYTE = 240_000_000
SILENCE_S = 20.0
"""Maximum time without data before an upload is aborted, as in nginx. [s]"""

Held = Callable[[], Mapping[str, int]]
"""Function that returns the size of each session's uploads in this process. [byte]"""


class RefusedError(Exception):
    """Error for a rejected upload, with the response's status and text."""

    def __init__(self, status: int, line: str) -> None:
        super().__init__(line)
        self.status = status


class UploadQuota:
    """ASGI middleware that rejects a file for which there is no room."""

    def __init__(self, app: ASGIApp, *, held: Held) -> None:
        self.app = app
        self.held = held
        self.received: Counter[str] = Counter()
        """Bytes received in running uploads, keyed by session. [byte]"""
        self.clients: dict[str, str] = {}
        """The client of the latest upload, keyed by session."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Pass on a request that uploads nothing or fits. Otherwise respond with 405, 408, 413 or 503."""
        if scope["type"] != "http" or not scope["path"].startswith(UPLOADS):
            await self.app(scope, receive, send)
        elif scope["method"] == "PUT":
            await self._upload(scope, receive, send)
        elif scope["method"] in METHODS:
            await self.app(scope, receive, send)
        else:
            line, headers = WORDS["uploads"]["method"], {"Allow": ", ".join(METHODS)}
            refusal = PlainTextResponse(line, status_code=405, headers=headers)
            await refusal(scope, receive, send)

    async def _upload(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        session = scope["path"].removeprefix(UPLOADS).partition("/")[0]
        client = client_of(HTTPConnection(scope))
        promised = Headers(scope=scope).get("content-length", "")
        arrived_byte = 0

        async def counted() -> Message:
            nonlocal arrived_byte
            try:
                async with asyncio.timeout(SILENCE_S):
                    message = await receive()
            except TimeoutError:
                raise RefusedError(408, f"Nothing has arrived for {SILENCE_S:g} s.") from None
            size_byte = len(message.get("body", b""))
            arrived_byte += size_byte
            self.received[session] += size_byte
            self._check_room(session, client=client)
            return message

        try:
            promised_byte = int(promised[:18]) if promised.isdecimal() else 0
            self._check_room(session, client=client, more_byte=promised_byte)
            await self.app(scope, counted, send)
        except RefusedError as refused:
            headers = {"Connection": "close"} if refused.status == 408 else None
            answer = PlainTextResponse(f"{refused}\n", status_code=refused.status, headers=headers)
            await answer(scope, receive, send)
        finally:
            self.received[session] -= arrived_byte
            if not self.received[session]:
                del self.received[session]

    def _check_room(self, session: str, *, client: str, more_byte: int = 0) -> None:
        """Check that ``more_byte`` of this session fit beside all bytes that are stored or arriving.

        Raises RefusedError if they do not fit.
        """
        used = Counter(self.held()) + self.received
        self.clients = {one: other for one, other in self.clients.items() if one in used} | {session: client}
        of_client = sum(used[one] for one, other in self.clients.items() if other == client)
        for name, status, used_byte, most_byte in (
            ("session", 413, used[session], SESSION_BYTE),
            ("client", 503, of_client, CLIENT_BYTE),
            ("process", 503, used.total(), PROCESS_BYTE),
        ):
            if used_byte + more_byte > most_byte:
                raise RefusedError(status, WORDS["uploads"][name].format(**{name: most_byte / 1e6}))
