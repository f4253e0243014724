"""Under which address does this reader know us?"""

import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import HTTPConnection

from web.settings import Settings

_HOST = re.compile(r"([a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(:[0-9]{1,5})?", re.ASCII)


def origin(request: HTTPConnection, settings: Settings) -> str:
    """Return scheme and host for absolute addresses: PUBLIC_URL, else what the request came to.

    Which names a request may come to is decided before, by ALLOWED_HOSTS; text that is no host name at all
    is answered with our own address.
    """
    if settings.public_url:
        return settings.public_url
    host = request.headers.get("host", "").lower()
    if not _HOST.fullmatch(host):
        return settings.local_address
    scheme = "https" if request.scope.get("scheme") in ("https", "wss") else "http"
    return f"{scheme}://{host}"


def query_of(scope: Mapping[str, Any]) -> str:
    """Return the query string of a request as text."""
    return scope.get("query_string", b"").decode("latin-1")
