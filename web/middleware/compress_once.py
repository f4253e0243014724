"""Immutable files, Streamlit's and ours, each read and compressed once and then answered from memory.

Streamlit sends 7.5 MB of scripts uncompressed because compressing them anew for each reader costs more than it gives,
and holds a file open for as long as a reader takes. Their names carry a hash of their content, so one copy stays right
while the process lives; all of them take 26 MB.
"""

import asyncio
import gzip
import hashlib
from collections.abc import Iterable
from functools import cache
from mimetypes import guess_type
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from panel.assets import assets
from panel.streamlit_names import FILES

COMPRESSIBLE = ("text/", "application/json", "image/svg+xml", "application/wasm")
LEVEL = 6
"""Within 1 % of level 9's size at a third of its time on these files."""
CONTENT = ("content-encoding", "content-length", "content-type")

Copy = tuple[bytes, dict[str, str]]
"""One file as it is sent: its bytes and its headers."""


class CompressOnce:
    """ASGI middleware that answers requests for immutable files from copies in memory."""

    def __init__(self, app: ASGIApp, *, folder: Path) -> None:
        self.app = app
        files = files_below(folder).items()
        self.files = {path: file for path, file in files if path.startswith(FILES)} | assets()
        self.copies: dict[tuple[str, bool], asyncio.Future[Copy]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: PLR0917 - ASGI
        """Answer with a copy, compressed for a client that reads gzip; pass on what is no immutable file."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        scope = {**scope, "headers": plainly(scope["headers"])}
        path = scope["path"]
        if path not in self.files or scope["method"] not in ("GET", "HEAD"):
            await self.app(scope, receive, send)
            return
        sent = Headers(scope=scope)
        body, headers = await self._copy(path, packed="accept-encoding" in sent)
        known = [tag.strip().removeprefix("W/") for tag in sent.get("if-none-match", "").split(",")]
        if headers["etag"] in known or "*" in known:
            answer = Response(status_code=304, headers={k: v for k, v in headers.items() if k not in CONTENT})
        else:
            answer = Response(body, headers=headers)
        await answer(scope, receive, send)

    async def _copy(self, path: str, *, packed: bool) -> Copy:
        """Return a file's copy, made once for all who ask for it at once.

        Raises
        ------
        OSError
            When it cannot be read now; the next request tries again.
        """
        media_type = (
            "text/javascript" if path.endswith(".js") else guess_type(path)[0] or "application/octet-stream"
        )
        key = (path, packed and media_type.startswith(COMPRESSIBLE))
        if key not in self.copies:
            making = asyncio.to_thread(_read, self.files[path], media_type=media_type, packed=key[1])
            self.copies[key] = asyncio.ensure_future(making)
        try:
            return await asyncio.shield(self.copies[key])
        except OSError:
            self.copies.pop(key, None)
            raise


@cache
def files_below(folder: Path) -> dict[str, Path]:
    """Return the files of Streamlit's page by their addresses."""
    return {f"/{path.relative_to(folder).as_posix()}": path for path in folder.rglob("*") if path.is_file()}


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
    sent = Headers(raw=list(headers))
    offers = ", ".join(sent.getlist("accept-encoding"))
    others = [(name, text) for name, text in sent.raw if name != b"accept-encoding"]
    return [*others, (b"accept-encoding", b"gzip")] if accepts_gzip(offers) else others


def _read(file: Path, *, media_type: str, packed: bool) -> Copy:
    body = file.read_bytes()
    tag = hashlib.sha256(body).hexdigest()[:32]
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if packed:
        body = gzip.compress(body, LEVEL, mtime=0)
        tag += "-gzip"
        headers["Content-Encoding"] = "gzip"
    answer = Response(body, media_type=media_type, headers={**headers, "ETag": f'"{tag}"'})
    return body, dict(answer.headers)
