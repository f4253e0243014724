"""Who sends a request, as far as shares go: an address, or the network of one."""

import ipaddress

from starlette.requests import HTTPConnection


def client_of(request: HTTPConnection) -> str:
    """Return the address of a client; of IPv6 its /64 network, which one household has at least (RFC 6177).

    Behind one of TRUSTED_PROXY it is the address that the proxy saw: uvicorn's middleware has put it there.
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
