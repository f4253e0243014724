"""How a file is handed over: validators, caching, compression, and nothing sent twice."""

import gzip
import hashlib
from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response

from web.code_version import code_version
from web.middleware.compress_once import accepts_gzip
from web.problem import OPEN_TO_ALL
from web.renderings import Renderings

FOR_GOOD = "public, max-age=31536000, immutable"
FOR_NOW = "public, max-age=300"
READING = ("GET", "HEAD", "OPTIONS")

_LEVEL = 5
_PACKED = ("image/png", "application/zip")
"""Types whose bytes are compressed already."""


def tag(*what: str) -> str:
    """Return a text that stands for a file made of these ingredients by this program."""
    digest = hashlib.sha256("\0".join((code_version(), *what)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


async def deliver(
    request: Request,
    *,
    identity: str,
    make: Callable[[], bytes],
    renderings: Renderings,
    headers: Mapping[str, str],
) -> Response:
    """Return the file, or 304 where the reader has it.

    ``identity`` is its tag; ``headers`` are those of the whole answer, with Content-Type and Cache-Control.

    Raises
    ------
    web.renderings.Busy
        When it cannot be made now.
    """
    packs = not headers["Content-Type"].startswith(_PACKED)
    zipped = packs and accepts_gzip(request.headers.get("accept-encoding", ""))
    key = f"{identity}-gzip" if zipped else identity
    own = {**OPEN_TO_ALL, **headers, "ETag": f'"{key}"'}
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
            plain = await renderings.get(identity, make)
            body = await renderings.get(key, lambda: gzip.compress(plain, _LEVEL, mtime=0))
    else:
        body = await renderings.get(identity, make)
    return Response(body, headers=own)


def _known(if_none_match: str, identity: str) -> bool:
    tags = [text.strip().removeprefix("W/").strip('"') for text in if_none_match.split(",")]
    return "*" in tags or identity in tags or f"{identity}-gzip" in tags


def methods_answer() -> Response:
    """Return the answer to OPTIONS: what any page of the web may ask of these addresses."""
    return Response(
        status_code=204,
        headers={
            **OPEN_TO_ALL,
            "Allow": ", ".join(READING),
            "Access-Control-Allow-Methods": ", ".join(READING),
            "Access-Control-Allow-Headers": "If-None-Match",
            "Access-Control-Max-Age": "86400",
        },
    )
