"""How requests reach the app: who sends slowly or opens too much is let go, and the end comes within seconds.

uvicorn waits for good for a request that was begun and never ends, and for every answer under way when it is told to
stop; 1,000 such connections took every descriptor of the process. A port that is taken ends the start in one line.
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
"""So long the head of a request may take. [s]"""
BODY_S = 120.0
"""So long the body of a request may take: an upload of the largest size at 170 kB/s. [s]"""
SEND_S = 30.0
SENT_BYTE = 64_000
"""In each such time [s] a reader takes so much of an answer, or all that is left of it: 2 kB/s."""
UNSENT_BYTE = 131_072
"""The system's own buffer holds so much beyond what is on its way; else it takes 2.5 MB for a reader who takes none."""
END_S = 4
"""So long answers under way may still take when the process is told to stop; containers give it ten. [s]"""
MOST_DESCRIPTORS = 8192
KEPT_FREE = 128
"""Descriptors for files and for connections that are being refused."""
LONGEST_MESSAGE_BYTE = 4_000_000
"""As server.maxMessageSize in .streamlit/config.toml says for the other ways of starting."""


class WriteDeadline:
    """Part of a protocol: a connection is cut off whose reader takes too little of what was written.

    The transport pauses writing as soon as anything is left over, and resumes when nothing is. So the time runs also
    for the rest of an answer that is complete, and of a connection that is closing already.
    """

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Take a connection."""
        transport.set_write_buffer_limits(high=0)
        with suppress(AttributeError, OSError):  # a system without this option bounds its buffers as it does
            connection = transport.get_extra_info("socket")
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT_BYTE)
        super().connection_made(transport)  # type: ignore[misc]

    def pause_writing(self) -> None:
        """Begin the time that the reader has."""
        super().pause_writing()  # type: ignore[misc]
        self._wait_for_reader()

    def resume_writing(self) -> None:
        """End it: everything was taken."""
        super().resume_writing()  # type: ignore[misc]
        self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go."""
        super().connection_lost(exc)  # type: ignore[misc]
        self._stop_waiting()

    def shutdown(self) -> None:
        """End; a reader who has not taken everything in half of the time is left, before uvicorn cancels the answer."""
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
    """A session's websocket whose reader takes what is sent."""


class Prompt(WriteDeadline, H11Protocol):
    """A connection whose requests arrive in time; one of a full process is closed at once."""

    late: asyncio.TimerHandle | None = None
    waited_for: Any = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, or close it where there are too many."""
        super().connection_made(transport)
        if len(self.connections) > most_connections():
            transport.abort()
            return
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Take what arrives, and begin or end the time that the rest may take."""
        super().data_received(data)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go."""
        super().connection_lost(exc)
        self._expect_nothing()

    def _expect(self) -> None:
        """Time the part of a request that is still to come: anew for each part, not for each byte of it."""
        # A connection that has become a session's is no request, which h11 would wait for the rest of.
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
    """The address is taken or not ours; the text is one line saying what to do."""


def check_port(settings: Settings) -> None:
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
            line = WORDS["port"].get(errno.errorcode.get(problem.errno or 0), WORDS["port"]["other"])
            place = {"host": settings.host, "port": settings.port, "next": settings.port % 65535 + 1}
            raise PortError(line.format(**place, why=problem.strerror)) from problem


def most_connections() -> int:
    """Return how many connections leave room for files."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] - KEPT_FREE


def more_descriptors() -> None:
    """Return when the process may open as many files as the system lets it, up to some thousands."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def server(app: ASGIApp, settings: Settings) -> uvicorn.Server:
    """Return what serves the app where the settings say."""
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=Prompt,
        ws=PromptSession,
        ws_max_size=LONGEST_MESSAGE_BYTE,
        ws_per_message_deflate=False,
        proxy_headers=False,  # the app's own middleware decides whom to believe, however it is started
        timeout_graceful_shutdown=END_S,
        access_log=False,
        use_colors=False,
        log_level="warning",
    )
    return uvicorn.Server(config)
