"""Every request has a name, which its answer and its problem document say too; it is counted, and logged if asked."""

import re
import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from web.problem import REQUEST
from web.telemetry import Told, line_of, lines, now_s

HEADER = "X-Request-Id"
GIVEN = re.compile(r"[A-Za-z0-9_-]{8,64}", re.ASCII)
NO_ANSWER = 499
"""The reader hung up before there was one."""


class Requests:
    """ASGI middleware that names, counts and logs; a name that a proxy gave is kept."""

    def __init__(self, app: ASGIApp, *, told: Told) -> None:
        self.app = app
        self.told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        name = given if GIVEN.fullmatch(given) else uuid.uuid4().hex
        reset = REQUEST.set(name)
        status, byte, began_s = NO_ANSWER, 0, now_s()

        async def named(message: Message) -> None:
            nonlocal status, byte
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)[HEADER] = name
            elif message["type"] == "http.response.body":
                byte += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, named)
        finally:
            REQUEST.reset(reset)
            seconds = now_s() - began_s
            self.told.answered(scope["path"], status, seconds=seconds)
            if lines.handlers:
                lines.info(
                    line_of(
                        scope["path"],
                        request=name,
                        method=scope["method"],
                        status=status,
                        seconds=seconds,
                        byte=byte,
                    )
                )
