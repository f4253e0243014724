"""HTTP server with limits. It disconnects slow clients, closes excess connections, and shuts down in seconds.

uvicorn waits indefinitely for incomplete requests, and for all running responses at shutdown; 1,000 such connections
took every file descriptor of the process. If the port is taken, start-up ends with a one-line error.
"""

import asyncio
import errno
import resource
import socket
from contextlib import suppress
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from web.settings import WORDS, Settings

HEAD_S = 10.0
"""Maximum time for the headers of a request. [s]"""
BODY_S = 120.0
"""Maximum time for a request's body. The largest upload then needs 170 kB/s. [s]"""
SEND_S = 30.0
SENT_BYTE = 64_000
"""Bytes that a client must accept every ``SEND_S`` (2 kB/s), unless less of the response is left. [byte]"""
UNSENT_BYTE = 131_072
"""Limit of the system's send buffer beyond data in flight. Otherwise it could reach 2.5 MB. [byte]"""
END_S = 4
"""Maximum time for running responses at shutdown. Containers allow ten seconds. [s]"""
MOST_DESCRIPTORS = 8192
KEPT_FREE = 128
"""Number of file descriptors reserved for files and refused connections."""
LONGEST_MESSAGE_BYTE = 4_000_000
"""Equal to server.maxMessageSize in .streamlit/config.toml, for apps started otherwise. [byte]"""


class WriteDeadline:
    """Protocol mixin that disconnects clients that read too little.

    The transport pauses writing when data are left over, and resumes when none are. The timeout therefore also applies
    to the rest of a completed response, and to a closing connection.
    """

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Accept a connection."""
        transport.set_write_buffer_limits(high=0)
        with suppress(AttributeError, OSError):  # a system without this option keeps its default buffers
            connection = transport.get_extra_info("socket")
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTE)
        super().connection_made(transport)  # type: ignore[misc]

    def pause_writing(self) -> None:
        """Start the timeout for a client that has unread data."""
        super().pause_writing()  # type: ignore[misc]
        self._wait_for_reader()

    def resume_writing(self) -> None:
        """Stop the timeout. The client has read everything."""
        super().resume_writing()  # type: ignore[misc]
        self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection."""
        super().connection_lost(exc)  # type: ignore[misc]
        self._stop_waiting()

    def shutdown(self) -> None:
        """Shut down. A client with unread data after half of ``END_S`` is dropped before uvicorn cancels responses."""
        super().shutdown()  # type: ignore[misc]
        if self.unread is not None:
            self.loop.call_later(END_S / 2, self.transport.abort)

    def _wait_for_reader(self) -> None:
        left_byte = self.transport.get_write_buffer_size()
        self.unread = self.loop.call_later(SEND_S, self._check_reader, left_byte)

    def _check_reader(self, left_byte: int) -> None:
        if left_byte - self.transport.get_write_buffer_size() < SENT_BYTE:
            self.transport.abort()
        else:
            self._wait_for_reader()

    def _stop_waiting(self) -> None:
        if self.unread is not None:
            self.unread.cancel()
            self.unread = None


class PromptSession(WriteDeadline, WebSocketsSansIOProtocol):
    """The websocket of a session, with the deadline for writing."""


class Prompt(WriteDeadline, H11Protocol):
    """A connection with timeouts for requests. It is closed at once if the process has too many connections."""

    late: asyncio.TimerHandle | None = None
    waited_for: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept a connection, or close it if there are too many."""
        super().connection_made(transport)
        if len(self.connections) > most_connections():
            transport.abort()
            return
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Process received data, and start or stop the timeout for the rest of the request."""
        super().data_received(data)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Release the connection."""
        super().connection_lost(exc)
        self._expect_nothing()

    def _expect(self) -> None:
        """Set the timeout for the next part of a request. It is renewed for each part, not each byte."""
        # A connection upgraded to a session is no longer a request, whose rest h11 would wait for.
        part = self.conn.their_state if self.transport.get_protocol() is self else None
        if part is self.waited_for:
            return
        self._expect_nothing()
        seconds = {h11.IDLE: HEAD_S, h11.SEND_BODY: BODY_S}.get(part)
        if seconds is not None:
            self.waited_for = part
            self.late = self.loop.call_later(seconds, self._let_go, part)

    def _expect_nothing(self) -> None:
        if self.late is not None:
            self.late.cancel()
        self.late, self.waited_for = None, None

    def _let_go(self, part: Any) -> None:
        self.late, self.waited_for = None, None
        if self.conn.their_state is part and not self.transport.is_closing():
            self.transport.close()


class PortError(OSError):
    """Error if the address is in use or not this machine's. Its text is one line with the remedy."""


def check_port(settings: Settings) -> None:
    """Check that the app can listen at the address in the settings.

    Raises PortError if the port is taken or not allowed, or the host is not this machine's.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as problem:
            line = WORDS["port"].get(errno.errorcode.get(problem.errno or 0), WORDS["port"]["other"])
            place = {"host": settings.host, "port": settings.port, "next": settings.port % 65535 + 1}
            raise PortError(line.format(**place, why=problem.strerror)) from problem


def most_connections() -> int:
    """Return the maximum number of connections that leaves enough descriptors for files."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] - KEPT_FREE


def more_descriptors() -> None:
    """Raise the limit on open files as far as allowed, up to a few thousand."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def server(app: ASGIApp, settings: Settings) -> uvicorn.Server:
    """Return the server of the app at the address in the settings."""
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=Prompt,
        ws=PromptSession,
        ws_max_size=LONGEST_MESSAGE_BYTE,
        ws_per_message_deflate=False,
        proxy_headers=False,  # the app's own middleware decides whom to trust, however it is started
        timeout_graceful_shutdown=END_S,
        access_log=False,
        use_colors=False,
        log_level="warning",
    )
    return uvicorn.Server(config)
