"""Delivery of files with validators, caching and compression. A file is not sent again to a client that has it."""

import asyncio
import gzip
import hashlib
import logging
from collections.abc import Callable, Container, Coroutine, Mapping
from datetime import UTC, date, datetime
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from views.setting_kinds import SettingError
from views.settings import LONGEST_QUERY, Ignored
from web.code_version import code_version
from web.problem import OPEN_TO_ALL, REQUEST, UnusableError, is_full, problem, unusable, wrong_method
from web.renderings import PATIENCE_S, Busy, Renderings
from web.settings import Settings
from web.site import client_of

FOR_GOOD = "public, max-age=31536000, immutable"
FOR_NOW = "public, max-age=300"
READING = ("GET", "HEAD", "OPTIONS")
METHODS = {
    **OPEN_TO_ALL,
    "Allow": ", ".join(READING),
    "Access-Control-Allow-Methods": ", ".join(READING),
    "Access-Control-Allow-Headers": "If-None-Match",
    "Access-Control-Max-Age": "86400",
}
"""Response to OPTIONS, with the methods that other sites' pages may use."""

CLIENT_GONE = 499
"""Status for a client that has disconnected, common in access logs."""

log = logging.getLogger(__name__)

_LEVEL = 5
_PACKED = ("image/png", "application/zip", "font/")
"""Media types of compressed files."""


def tag(*what: str) -> str:
    """Return the ETag of a file made by this program from these ingredients."""
    digest = hashlib.sha256("\0".join((code_version(), *what)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


def accepts_gzip(accept_encoding: str) -> bool:
    """Return whether a client with this header accepts gzip."""
    for offer in accept_encoding.lower().split(","):
        name, *parameters = (part.strip() for part in offer.split(";"))
        if name in ("gzip", "*"):
            quality = next((p.removeprefix("q=") for p in parameters if p.startswith("q=")), "1")
            return quality.strip("0.") != ""
    return False


async def deliver(
    request: Request,
    *,
    identity: str,
    make: Callable[[], bytes],
    renderings: Renderings,
    headers: Mapping[str, str],
    patience_s: float = PATIENCE_S,
    kind: str = "",
    expensive: bool = False,
    open_to_all: bool = True,
) -> Response:
    """Return the file, or status 304 if the client has it.

    ``identity`` is its ETag; ``headers`` are those of the whole response, including Content-Type and Cache-Control;
    ``patience_s`` is the maximum wait, if not the default. [s] Files of a ``kind`` take similar times; ``expensive``
    files have their own queue. ``open_to_all`` allows cross-origin reads, as for data but not for pages.

    Raises web.renderings.Busy if it cannot be made now; starlette.requests.ClientDisconnect if the client disconnects
    before it is made.
    """
    packs = not headers["Content-Type"].startswith(_PACKED)
    zipped = packs and accepts_gzip(", ".join(request.headers.getlist("accept-encoding")))
    key = f"{identity}-gzip" if zipped else identity
    own = {**(OPEN_TO_ALL if open_to_all else {}), **headers, "ETag": f'"{key}"'}
    if packs:
        own["Vary"] = "Accept-Encoding"
    if _known(request.headers.get("if-none-match", ""), identity):
        kept = {
            name: value for name, value in own.items() if name not in ("Content-Type", "Content-Disposition")
        }
        return Response(status_code=304, headers=kept)

    if zipped:
        own["Content-Encoding"] = "gzip"
    body = renderings.kept(key)
    if body is None:
        making = renderings.get(
            identity, make, kind=kind, expensive=expensive, patience_s=patience_s, client=client_of(request)
        )
        body = plain = await while_there(request, making)
        if zipped:
            body = await renderings.get(key, lambda: gzip.compress(plain, _LEVEL, mtime=0), kind="gzip")
    return Response(body, headers=own)


async def while_there(request: Request, making: Coroutine[Any, Any, bytes]) -> bytes:
    """Return the result of ``making``. It is cancelled if the client disconnects.

    Raises starlette.requests.ClientDisconnect if the client has disconnected.
    """
    made, gone = asyncio.ensure_future(making), asyncio.ensure_future(_hangs_up(request))
    try:
        await asyncio.wait((made, gone), return_when=asyncio.FIRST_COMPLETED)
        if made.done():
            return made.result()
        raise ClientDisconnect
    except asyncio.CancelledError:  # uvicorn cancels tasks when it stops
        raise Busy("The server is being stopped.") from None
    finally:
        made.cancel()
        gone.cancel()


async def _hangs_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _known(if_none_match: str, identity: str) -> bool:
    tags = [text.strip().removeprefix("W/").strip('"') for text in if_none_match.split(",")]
    return "*" in tags or identity in tags or f"{identity}-gzip" in tags


class PathRoute(BaseRoute):
    """A route for the paths that it recognizes, and for every HTTP method."""

    paths: Container[str] = ()

    def takes(self, path: str) -> bool:
        """Return whether this route handles a path."""
        return path in self.paths

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return a full match for an HTTP request to this route's path, or no match."""
        taken = scope["type"] == "http" and self.takes(scope["path"])
        return (Match.FULL, {"endpoint": self}) if taken else (Match.NONE, {})

    async def answer(self, request: Request) -> Response:
        """Return the response to a request."""
        raise NotImplementedError

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Send the response to a request."""
        await (await self.answer(Request(scope, receive)))(scope, receive, send)


class FileRoute(PathRoute):
    """A route for files, cached in ``renderings``.

    ``longest`` is the maximum length of the query [character]; ``day`` returns the date for files that include one.
    """

    longest = LONGEST_QUERY

    def __init__(
        self,
        paths: Container[str] = (),
        *,
        settings: Settings | None = None,
        renderings: Renderings | None = None,
        day: Callable[[], date] = lambda: datetime.now(UTC).date(),
    ) -> None:
        self.paths = paths
        self.settings = settings or Settings()
        self.renderings = renderings or Renderings()
        self.day = day

    async def file(self, request: Request) -> Response:
        """Return the requested file."""
        raise NotImplementedError

    async def answer(self, request: Request) -> Response:
        """Return the file for a GET or HEAD request, or a problem document with the remedy.

        Our own errors are logged and not shown.
        """
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=METHODS)
        if request.method not in READING:
            return wrong_method(READING)
        length = len(request.scope.get("query_string", b""))
        if length > self.longest:
            line = f"The query is too long: {length} characters; at most {self.longest} are allowed."
            return problem(414, line)
        try:
            return await self.file(request)
        except UnusableError as missing:
            return unusable(missing.ignored)
        except SettingError as error:
            return unusable([Ignored.of(error)])
        except Busy as busy:
            wait_s = str(busy.retry_after_s)
            return problem(503, f"{busy} Try again in {wait_s} s.", headers={"Retry-After": wait_s})
        except ClientDisconnect:
            return Response(status_code=CLIENT_GONE)
        except Exception as fault:
            if is_full(fault):
                raise
            log.exception("A file could not be created (request %s).", REQUEST.get())
            line = "This file could not be created. The link is fine: the error is ours and is in our log."
            return problem(500, line)
