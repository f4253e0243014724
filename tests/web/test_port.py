import errno
import socket

import pytest

from web import port
from web.settings import Settings


def test_a_free_port_is_fine():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        number = probe.getsockname()[1]
    port.check(Settings(port=number))


def test_a_taken_port_says_which_and_how_to_choose_another():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        number = other.getsockname()[1]
        with pytest.raises(port.PortError, match=rf"Port {number} on 127.0.0.1 is taken.*PORT=\d+ make run"):
            port.check(Settings(port=number))


def test_a_host_that_is_not_ours_says_so():
    with pytest.raises(
        port.PortError, match=r"HOST is no address of this machine.*HOST=127\.0\.0\.1 make run"
    ):
        port.check(Settings(host="192.0.2.1", port=8501))


def test_a_forbidden_port_says_which_are_allowed(monkeypatch):
    def refuse(*_):
        raise OSError(errno.EACCES, "Permission denied")

    class Refusing(socket.socket):
        bind = refuse

    monkeypatch.setattr(port.socket, "socket", Refusing)
    with pytest.raises(port.PortError, match=r"may not listen on 127\.0\.0\.1:80.*from 1024 on: PORT=8501"):
        port.check(Settings(port=80))
