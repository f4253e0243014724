"""The site's public address and the client's address for a request."""

import ipaddress
import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import HTTPConnection

from web.settings import Settings

_HOST = re.compile(r"([a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(:[0-9]{1,5})?", re.ASCII)


def origin(request: HTTPConnection, settings: Settings) -> str:
    """Return the scheme and host of absolute addresses, from PUBLIC_URL or the request.

    ALLOWED_HOSTS has already restricted the host names of requests; for an invalid host name our own address is
    returned.
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


def client_of(request: HTTPConnection) -> str:
    """Return the address of a client or, for IPv6, of its /64 network, which is at least a household (RFC 6177).

    Behind one of TRUSTED_PROXY it is the client address seen by the proxy, as set by uvicorn's middleware.
    """
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    address = getattr(address, "ipv4_mapped", None) or address
    if address.version == 4:
        return str(address)
    return f"{ipaddress.IPv6Address(int(address) >> 64 << 64)}/64"
