"""Loaded by the tested server: writes down each address outside this machine that it wants to reach."""

import ipaddress
import os
import sys
import traceback
from typing import Any

LOG = os.environ.get("OUTSIDE_CONTACTS")


def _is_outside(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else str(host or "localhost")
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return name != "localhost"
    return not (address.is_loopback or address.is_unspecified)


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        host = (
            arguments[1][0] if isinstance(arguments[1], tuple) else None
        )  # none of a socket in the file system
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    else:
        return
    if LOG and _is_outside(host):
        with open(LOG, "a", encoding="utf-8") as file:
            file.write(f"{event} {host!r}\n{''.join(traceback.format_stack(limit=6)[:-1])}\n")


sys.addaudithook(_watch)
