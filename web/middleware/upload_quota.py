"""What a reader may leave with us: a few files for each session, and no more in all than the process can hold.

Streamlit keeps every file that is sent to it until its session ends, whether a widget asked for it or not.
"""

from collections.abc import Callable, Mapping

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

PREFIX = "/_stcore/upload_file/"
METHODS = ("PUT", "DELETE", "OPTIONS")
SESSION_BYTE = 60_000_000
"""Three files of the largest size."""
PROCESS_BYTE = 240_000_000

Held = Callable[[], Mapping[str, int]]
"""Tells how much each session has left with this process. [byte]"""


class UploadQuota:
    """ASGI middleware that refuses a file for which there is no room, before it is read."""

    def __init__(self, app: ASGIApp, *, held: Held) -> None:
        self.app = app
        self.held = held
        self.under_way: dict[str, int] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Pass on what is no upload or has room; else answer 405, 411, 413 or 503 in words."""
        if scope["type"] != "http" or not scope["path"].startswith(PREFIX):
            await self.app(scope, receive, send)
            return
        if scope["method"] not in METHODS:
            line = "Files are sent here by the app's own pages, and read nowhere."
            refusal = PlainTextResponse(f"{line}\n", status_code=405, headers={"Allow": ", ".join(METHODS)})
            await refusal(scope, receive, send)
            return
        if scope["method"] != "PUT":
            await self.app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "")
        if not (length.isascii() and length.isdigit()):
            await _refused(411, "A file is sent with its length.")(scope, receive, send)
            return
        await self._taken(scope, receive, send=send, size=int(length[:18]))

    async def _taken(self, scope: Scope, receive: Receive, *, send: Send, size: int) -> None:
        session = scope["path"].removeprefix(PREFIX).partition("/")[0]
        held = self.held()
        of_session = held.get(session, 0) + self.under_way.get(session, 0)
        if of_session + size > SESSION_BYTE:
            line = f"A session keeps files of {SESSION_BYTE / 1e6:.0f} MB in all. Remove a file, or reload the page."
            await _refused(413, line)(scope, receive, send)
            return
        if sum(held.values()) + sum(self.under_way.values()) + size > PROCESS_BYTE:
            line = "The server keeps as many files of readers as it can. Please try again in some minutes."
            await _refused(503, line)(scope, receive, send)
            return
        self.under_way[session] = self.under_way.get(session, 0) + size
        try:
            await self.app(scope, receive, send)
        finally:
            self.under_way[session] -= size
            if not self.under_way[session]:
                del self.under_way[session]


def _refused(status: int, line: str) -> PlainTextResponse:
    return PlainTextResponse(f"{line}\n", status_code=status)
