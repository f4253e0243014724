"""Loaded by the tested server: writes down each address outside this machine that it wants to reach."""

import ipaddress
import os
import socket
import traceback
from typing import Any

LOG = os.environ.get("OUTSIDE_CONTACTS")


def _is_outside(host: object) -> bool:
    if host in (None, "", "localhost", b"localhost"):
        return False
    name = host.decode() if isinstance(host, bytes) else str(host)
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return True
    return not (address.is_loopback or address.is_unspecified)


def _note(what: str, host: object) -> None:
    if LOG and _is_outside(host):
        with open(LOG, "a", encoding="utf-8") as file:
            stack = "".join(traceback.format_stack(limit=6)[:-2])
            file.write(f"{what} {host!r}\n{stack}\n")


def _watched(what: str, original: Any, *, place: int) -> Any:
    def watched(*arguments: Any, **named: Any) -> Any:
        target = arguments[place] if len(arguments) > max(place, 0) else None
        if what == "look up":
            _note(what, target)
        elif isinstance(target, tuple) and target:
            _note(what, target[0])
        return original(*arguments, **named)

    return watched


socket.socket.connect = _watched("connect", socket.socket.connect, place=1)
socket.socket.connect_ex = _watched("connect", socket.socket.connect_ex, place=1)
socket.socket.sendto = _watched("send", socket.socket.sendto, place=-1)
socket.getaddrinfo = _watched("look up", socket.getaddrinfo, place=0)
