"""The panel's files for a browser: each compressed once, and immutable, as its address changes with it."""

import gzip
from functools import cache

from starlette.requests import Request
from starlette.responses import Response

from panel.assets import PREFIX, assets
from web.middleware.compress_once import accepts_gzip
from web.problem import problem

PATH = f"{PREFIX}{{name:path}}"
LEVEL = 9


async def asset(request: Request) -> Response:
    """Return a file, or say that there is none: an address of an earlier program leads nowhere."""
    path = request.scope["path"]
    found = assets().get(path)
    if found is None:
        return problem(404, "There is no such file. A page opened before a new version needs a reload.")
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable",
        "Content-Type": found.media_type,
        "Vary": "Accept-Encoding",
    }
    if accepts_gzip(request.headers.get("accept-encoding", "")):
        return Response(packed(path), headers={**headers, "Content-Encoding": "gzip"})
    return Response(found.body, headers=headers)


@cache
def packed(path: str) -> bytes:
    """Return a file compressed, once."""
    return gzip.compress(assets()[path].body, LEVEL, mtime=0)
