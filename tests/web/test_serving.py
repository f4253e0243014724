"""Who sends slowly or opens too much is let go, and the end comes within seconds: a real server on loopback."""

import asyncio
import errno
import socket
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute

from web import serving
from web.settings import Settings

ROOT = Path(__file__).resolve().parent.parent.parent
BIG_BYTE = 30_000_000
"""More than the system's own buffers hold of an answer. [byte]"""
HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"


async def home(request):
    return PlainTextResponse(str(len(await request.body())))


async def big(_request):
    return Response(bytes(BIG_BYTE))


async def feed(socket):
    await socket.accept()
    await socket.send_bytes(bytes(BIG_BYTE))
    await socket.receive()


async def quiet(socket):
    await socket.accept()
    await socket.receive()


async def never(_request):
    await asyncio.sleep(60)
    return PlainTextResponse("late")


@contextmanager
def served(monkeypatch, **limits):
    """Serve two addresses on a free port; yield how to open a connection, and the server."""
    for name, value in limits.items():
        monkeypatch.setattr(serving, name, value)
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        app = Starlette(
            routes=[
                Route("/", home, methods=["GET", "PUT"]),
                Route("/never", never),
                Route("/big", big),
                WebSocketRoute("/feed", feed),
                WebSocketRoute("/quiet", quiet),
            ]
        )
        server = serving.server(app, Settings(port=listening.getsockname()[1]))
        thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)

        def opened():
            return socket.create_connection(listening.getsockname(), timeout=10)

        yield opened, server
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


def said(connection):
    """Return what a connection says until it is closed."""
    heard = b""
    while part := connection.recv(4096):
        heard += part
    return heard


def answered(connection):
    """Return the answer to one request on a connection that stays open."""
    connection.sendall(HEAD + b"\r\n")
    heard = b""
    while not heard.endswith(b"\r\n\r\n0"):
        part = connection.recv(4096)
        assert part, heard
        heard += part
    return heard


def test_a_head_that_does_not_end_is_not_waited_for(monkeypatch):
    with (
        served(monkeypatch, HEAD_S=0.4) as (opened, _),
        opened() as slow,
        opened() as silent,
        opened() as prompt,
    ):
        slow.sendall(b"GET / HTTP/1.1\r\nX: ")
        for _ in range(3):
            time.sleep(0.15)
            with suppress(OSError):
                slow.sendall(b"y")  # byte by byte is no faster
        assert said(slow) == b""
        assert said(silent) == b""
        prompt.close()
        with opened() as another:
            another.sendall(HEAD + b"Connection: close\r\n\r\n")
            assert said(another).startswith(b"HTTP/1.1 200")


def test_a_body_that_does_not_end_is_not_waited_for(monkeypatch):
    with served(monkeypatch, HEAD_S=5.0, BODY_S=0.3) as (opened, _), opened() as slow:
        slow.sendall(b"PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
        start = time.monotonic()
        assert b"200" not in said(slow)
        assert time.monotonic() - start < 4


def test_requests_one_after_the_other_have_their_time_each(monkeypatch):
    with served(monkeypatch, HEAD_S=0.5, BODY_S=0.5) as (opened, _), opened() as kept:
        for _ in range(4):
            time.sleep(0.2)
            assert answered(kept).startswith(b"HTTP/1.1 200")


def test_an_answer_may_take_longer_than_its_question(monkeypatch):
    with served(monkeypatch, HEAD_S=0.1, BODY_S=0.1) as (opened, server), opened() as patient:
        patient.sendall(b"GET /never HTTP/1.1\r\nHost: x\r\n\r\n")
        patient.settimeout(0.6)
        with pytest.raises(TimeoutError):
            patient.recv(1)
        server.force_exit = True


UPGRADE = (
    b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


def test_a_session_outlives_the_deadlines_of_requests(monkeypatch):
    with served(monkeypatch, HEAD_S=0.2, BODY_S=0.2) as (opened, _), opened() as session:
        session.sendall(b"GET /quiet HTTP/1.1\r\nHost: x\r\n" + UPGRADE + b"\r\n")
        assert session.recv(4000).startswith(b"HTTP/1.1 101 ")
        session.settimeout(1.0)
        with pytest.raises(TimeoutError):
            session.recv(1)


@pytest.mark.parametrize(
    ("path", "headers"), [("/big", b""), ("/big", b"Connection: close\r\n"), ("/feed", UPGRADE)]
)
def test_a_reader_who_takes_nothing_is_cut_off(*, monkeypatch, path, headers):
    with served(monkeypatch, SEND_S=0.3) as (opened, server), opened() as lazy:
        lazy.sendall(b"GET " + path.encode() + b" HTTP/1.1\r\nHost: x\r\n" + headers + b"\r\n")
        connections, until = server.server_state.connections, time.monotonic() + 30
        while not any(one.transport.get_write_buffer_size() for one in list(connections)):
            assert time.monotonic() < until
            time.sleep(0.01)
        while connections:
            assert time.monotonic() < until
            time.sleep(0.01)
        with suppress(ConnectionResetError):
            assert 0 < len(said(lazy)) < BIG_BYTE


def test_a_reader_who_takes_some_of_an_answer_in_time_goes_on_and_one_who_takes_too_little_does_not():
    timed, left, aborted = [], [200_000], []

    class Base:
        loop = SimpleNamespace(
            call_later=lambda _s, call, *what: timed.append((call, what)) or SimpleNamespace(cancel=list)
        )
        transport = SimpleNamespace(
            get_write_buffer_size=lambda: left[0], abort=lambda: aborted.append(left[0])
        )

        def pause_writing(self):
            pass

    class Connection(serving.WriteDeadline, Base):
        pass

    Connection().pause_writing()
    for left_byte, ends in ((100_000, []), (36_000, []), (35_000, [35_000])):
        left[0] = left_byte
        call, what = timed.pop()
        call(*what)
        assert aborted == ends
    assert not timed


def test_one_connection_too_many_is_closed_at_once(monkeypatch):
    with served(monkeypatch, most_connections=lambda: 3) as (opened, _):
        held = [opened() for _ in range(3)]
        for one in held:
            assert answered(one).startswith(b"HTTP/1.1 200")
        with opened() as too_many, suppress(ConnectionResetError):
            assert said(too_many) == b""
        held.pop().close()
        time.sleep(0.1)
        with opened() as another:
            another.sendall(HEAD + b"Connection: close\r\n\r\n")
            assert said(another).startswith(b"HTTP/1.1 200")
        for one in held:
            one.close()


def test_the_end_does_not_wait_for_answers_that_take_long(monkeypatch):
    start = time.monotonic()
    with served(monkeypatch, END_S=1) as (opened, _), opened() as waiting:
        waiting.sendall(b"GET /never HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.2)
        ended = time.monotonic()
    assert time.monotonic() - ended < 5
    assert ended - start < 20


def test_the_end_leaves_a_reader_who_takes_nothing_without_a_traceback(monkeypatch, capfd):
    with served(monkeypatch, END_S=2) as (opened, server):
        lazy = opened()
        lazy.sendall(b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
        until = time.monotonic() + 30
        while not any(getattr(one, "unread", None) for one in list(server.server_state.connections)):
            assert time.monotonic() < until
            time.sleep(0.01)
    lazy.close()
    assert not capfd.readouterr().err  # neither a traceback nor a cancelled answer


def test_more_descriptors_are_asked_for_and_never_fewer(monkeypatch):
    requested = []
    monkeypatch.setattr(serving.resource, "setrlimit", lambda _what, limits: requested.append(limits))
    for limits, wanted in (
        ((1024, 4096), (4096, 4096)),
        ((1024, 10**6), (8192, 10**6)),
        ((20_000, 20_000), None),
    ):
        requested.clear()
        monkeypatch.setattr(serving.resource, "getrlimit", lambda _what, limits=limits: limits)
        serving.more_descriptors()
        assert requested == ([wanted] if wanted else [])
    assert serving.most_connections() == 20_000 - serving.KEPT_FREE


def test_a_message_of_a_session_has_the_same_bound_however_the_app_is_started():
    config = (ROOT / ".streamlit/config.toml").read_text(encoding="utf-8")
    assert f"maxMessageSize = {serving.LONGEST_MESSAGE_BYTE // 1_000_000}\n" in config


def test_a_taken_port_says_which_and_how_to_choose_another():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        number = other.getsockname()[1]
        with pytest.raises(
            serving.PortError, match=rf"Port {number} on 127.0.0.1 is taken.*PORT=\d+ make run"
        ):
            serving.check_port(Settings(port=number))


def test_a_host_that_is_not_ours_says_so():
    with pytest.raises(
        serving.PortError, match=r"HOST is not an address of this machine.*HOST=127\.0\.0\.1 make run"
    ):
        serving.check_port(Settings(host="192.0.2.1", port=8501))


def test_a_forbidden_port_says_which_are_allowed(monkeypatch):
    def refuse(*_):
        raise OSError(errno.EACCES, "Permission denied")

    class Refusing(socket.socket):
        bind = refuse

    monkeypatch.setattr(serving.socket, "socket", Refusing)
    with pytest.raises(
        serving.PortError, match=r"cannot listen on 127\.0\.0\.1:80.*of 1024 or higher: PORT=8501"
    ):
        serving.check_port(Settings(port=80))
