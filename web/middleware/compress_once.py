"""Fewer bytes for the first visit: each of Streamlit's immutable files is compressed once, then kept.

Streamlit sends 7.5 MB of scripts uncompressed because doing so anew for each reader costs more than it
gives. Their names carry a hash of their content, so one copy stays right while the process lives.
"""

import asyncio
import gzip
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PREFIX = "/static/"
COMPRESSIBLE = ("text/", "application/javascript", "application/json", "image/svg+xml", "application/wasm")
LEVEL = 6
"""Within 1 % of level 9's size at a third of its time on these files."""


@dataclass(frozen=True, kw_only=True)
class Compressed:
    """One file as it is sent: its bytes, and the headers of the original answer."""

    body: bytes
    content_type: str
    cache_control: str
    etag: str


class CompressOnce:
    """ASGI middleware that answers requests for immutable files from compressed copies in memory."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.kept: dict[str, Compressed | None] = {}
        self.under_way: dict[str, asyncio.Task[Compressed | None]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Answer from a copy where the client reads gzip and the file is worth it; else pass on."""
        if scope["type"] == "http":
            scope = {**scope, "headers": plainly(scope["headers"])}
        if scope["type"] != "http" or not scope["path"].startswith(PREFIX):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        whole = scope["method"] in ("GET", "HEAD") and "range" not in headers
        wanted = whole and accepts_gzip(headers.get("accept-encoding", ""))
        copy = await self._copy(scope) if wanted else None
        if copy is None:
            await self.app(scope, receive, _varying(send))
            return
        await _response(copy, headers.get("if-none-match", ""))(scope, receive, send)

    async def _copy(self, scope: Scope) -> Compressed | None:
        path = scope["path"]
        if path in self.kept:
            return self.kept[path]
        if path not in self.under_way:
            self.under_way[path] = asyncio.create_task(self._make(scope))
        task = self.under_way[path]
        try:
            return await asyncio.shield(task)
        finally:
            if task.done():
                self.under_way.pop(path, None)

    async def _make(self, scope: Scope) -> Compressed | None:
        start, body = await _whole_answer(self.app, scope)
        headers = Headers(raw=start["headers"])
        if start["status"] != 200 or "immutable" not in headers.get("cache-control", ""):
            return None
        content_type = headers.get("content-type", "")
        copy = None
        if content_type.startswith(COMPRESSIBLE) and "content-encoding" not in headers and len(body) > 500:
            copy = Compressed(
                body=await asyncio.to_thread(gzip.compress, body, LEVEL, mtime=0),
                content_type=content_type,
                cache_control=headers["cache-control"],
                etag=headers.get("etag", "").removesuffix('"') + '-gzip"' if "etag" in headers else "",
            )
        self.kept[scope["path"]] = copy
        return copy


def accepts_gzip(accept_encoding: str) -> bool:
    """Return whether a client that sends this header reads gzip."""
    for offer in accept_encoding.lower().split(","):
        name, *parameters = (part.strip() for part in offer.split(";"))
        if name in ("gzip", "*"):
            quality = next((p.removeprefix("q=") for p in parameters if p.startswith("q=")), "1")
            return quality.strip("0.") != ""
    return False


def plainly(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return headers in which ``Accept-Encoding`` says gzip or nothing.

    Streamlit looks for the word alone, and would compress for a client that says gzip;q=0.
    """
    found = Headers(raw=list(headers))
    offers = ", ".join(found.getlist("accept-encoding"))
    others = [(name, text) for name, text in found.raw if name != b"accept-encoding"]
    return [*others, (b"accept-encoding", b"gzip")] if accepts_gzip(offers) else others


def _response(copy: Compressed, if_none_match: str) -> Response:
    headers = {
        "Cache-Control": copy.cache_control,
        "Content-Encoding": "gzip",
        "Content-Type": copy.content_type,
        "Vary": "Accept-Encoding",
    }
    if copy.etag:
        headers["ETag"] = copy.etag
        known = [tag.strip().removeprefix("W/") for tag in if_none_match.split(",")]
        if copy.etag in known or "*" in known:
            del headers["Content-Encoding"], headers["Content-Type"]
            return Response(status_code=304, headers=headers)
    return Response(copy.body, headers=headers)


def _varying(send: Send) -> Send:
    async def send_varying(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).add_vary_header("Accept-Encoding")
        await send(message)

    return send_varying


async def _whole_answer(app: ASGIApp, scope: Scope) -> tuple[Message, bytes]:
    """Return the start and the whole body of what the app answers to an unconditional GET of this path."""
    chunks: list[bytes] = []
    started: list[Message] = []

    asked: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        if not asked:
            await asyncio.Event().wait()  # nobody hangs up; whoever listens for that is cancelled at the end
        return asked.pop()

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            started.append(message)
        elif message["type"] == "http.response.body":
            chunks.append(message.get("body", b""))

    kept = [pair for pair in scope["headers"] if pair[0] == b"host"]
    plain_scope = {**scope, "method": "GET", "headers": kept, "extensions": {}}
    await app(plain_scope, receive, send)
    return started[0], b"".join(chunks)
