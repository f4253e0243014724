"""Is the port free? Asked before the start, so that a reader gets one line instead of a traceback."""

import errno
import socket

from web.settings import Settings


class PortError(OSError):
    """The address is taken or not ours; the text is one line saying what to do."""


def check(settings: Settings) -> None:
    """Return when the app can listen where the settings say.

    Raises
    ------
    PortError
        When the port is taken, not allowed, or the host is none of this machine's.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as problem:
            raise PortError(_line(settings, problem)) from problem


def _line(settings: Settings, problem: OSError) -> str:
    where = f"{settings.host}:{settings.port}"
    if problem.errno == errno.EADDRINUSE:
        return (
            f"Port {settings.port} on {settings.host} is taken by another program. "
            f"Choose another port, for example: PORT={settings.port % 65535 + 1} make run"
        )
    if problem.errno == errno.EACCES:
        return f"This user may not listen on {where}. Choose a port from 1024 on: PORT=8501 make run"
    return (
        f"Cannot listen on {where}: HOST is no address of this machine ({problem.strerror}). "
        "Choose one that is, for example: HOST=127.0.0.1 make run"
    )
