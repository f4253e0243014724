"""Request IDs in responses and problem documents, metrics of requests, and optional logs."""

import logging
import re
import uuid
from collections.abc import Iterator
from functools import partial
from time import perf_counter

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnected

from web.problem import REQUEST, is_full, problem
from web.telemetry import Metrics, line_of, lines

HEADER = "X-Request-Id"
GIVEN = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)
NO_ANSWER = 499
"""Status of a request whose client disconnected early."""
PART_BYTE = 16_384

log = logging.getLogger(__name__)


class Requests:
    """ASGI middleware that counts and logs requests. Each gets an ID unless a proxy has given it one.

    Headers are sent with the first part of the body: a file that cannot be opened gives a 503 and never an empty 200.
    """

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        own_name = Headers(scope=scope).get(HEADER, "")
        name = own_name if GIVEN.fullmatch(own_name) else uuid.uuid4().hex
        reset = REQUEST.set(name)
        status, byte, began_s = NO_ANSWER, 0, perf_counter()
        start: Message | None = None

        async def named(message: Message) -> None:
            nonlocal status, byte, start
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = name
                start = message
                return
            if start is not None:
                status = start["status"]
                await send(start)
                start = None
            for part in parts(message):
                byte += len(part.get("body", b""))
                await send(part)

        try:
            try:
                await self.app(scope, receive, named)
            except OSError as fault:
                if not is_full(fault) or status != NO_ANSWER:
                    raise
                log.error("Too many files are open to answer request %s.", name)
                line, again = "Too many files are open. Try again in 5 s.", {"Retry-After": "5"}
                await problem(503, line, headers=again)(scope, receive, named)
        finally:
            REQUEST.reset(reset)
            seconds = perf_counter() - began_s
            self.metrics.answered(scope["path"], status, seconds=seconds)
            if lines.handlers:
                line = partial(line_of, scope["path"], request=name, method=scope["method"])
                lines.info(line(status=status, seconds=seconds, byte=byte))


def parts(message: Message) -> Iterator[Message]:
    """Yield a message in parts. For a slow client, the server then keeps one part in memory, not the whole body."""
    body = message.get("body", b"")
    *first, last = range(0, len(body), PART_BYTE) or (0,)
    for begin in first:
        yield {**message, "body": body[begin : begin + PART_BYTE], "more_body": True}
    yield {**message, "body": body[last:]}


class ClientDisconnects:
    """ASGI middleware that silently handles client disconnections, which are not errors.

    If a socket is already closed, Streamlit 1.67 treats Starlette's message as a text frame and closes the socket
    again, which Starlette rejects: a traceback for each tab closed at the wrong moment.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Pass everything on. A truncated request or a closed websocket counts as ended."""
        try:
            await self.app(scope, receive, send)
        except ClientDisconnect:
            return
        except WebSocketDisconnected:
            if scope["type"] != "websocket":
                raise
