import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from web import webhook

FEED = "growth-gap.atom?tell=chip_chip_gap<1.08"
"""The release 2026-07 made this true."""
SITE = "https://gap.example.org"


class Hook(HTTPServer):
    """A webhook on this machine: what it got, and how it answers."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.got: list[dict] = []
        self.status = 204
        self.silent = threading.Event()
        self.silent.set()


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        hook: Any = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        hook.silent.wait(5)
        hook.got.append(json.loads(body))
        self.send_response(hook.status)
        self.send_header("Location", f"http://127.0.0.1:{hook.server_port}/elsewhere")
        self.end_headers()

    def log_message(self, format, *args):
        pass


@pytest.fixture
def hook() -> Iterator[Hook]:
    server = Hook()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.silent.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def posted(tmp_path):
    """The file that records what was posted, before 2026-07 came."""
    path = tmp_path / "posted"
    path.write_text(f"{FEED}\t2025-11\n{FEED}\t2025-11.1\n")
    return path


def run(hook, posted, *, feed=FEED):
    address = f"http://127.0.0.1:{hook.server_port}/hook"
    return webhook.main([feed, "--to", address, "--site", f"{SITE}/", "--posted", str(posted)])


def test_what_a_release_made_true_is_posted_once(*, hook, posted):
    assert run(hook, posted) == 0
    (content,) = hook.got
    assert content["release"] == "2026-07" and content["figures"]["chip_chip_gap"] < 1.08
    assert content["link"].startswith(f"{SITE}/growth-gap?release=2026-07&")
    assert "was 1.10×" in content["text"] and content["text"].endswith(content["link"])
    assert run(hook, posted) == 0
    assert len(hook.got) == 1


def test_of_a_new_feed_only_the_newest_release_is_posted(*, hook, tmp_path):
    assert run(hook, tmp_path / "new") == 0
    assert hook.got == []
    assert (tmp_path / "new").read_text().count(FEED) > 5


@pytest.mark.parametrize("status", [500, 404, 302])
def test_a_post_that_fails_or_is_led_elsewhere_is_tried_again(*, hook, posted, capsys, status):
    hook.status = status
    assert run(hook, posted) == 1
    assert str(status) in capsys.readouterr().err and "2026-07\n" not in posted.read_text()
    hook.status = 200
    assert run(hook, posted) == 0
    assert len(hook.got) == 2  # nothing went elsewhere


def test_a_silent_webhook_is_given_up(*, hook, posted, monkeypatch, capsys):
    monkeypatch.setattr(webhook, "PATIENCE_S", 0.1)
    hook.silent.clear()
    assert run(hook, posted) == 1
    assert "timed out" in capsys.readouterr().err


NOWHERE = ["http://gap.example.org/", "http://127.0.0.1@a.b/", "https://a@b/", "https://", "http://[::1"]


@pytest.mark.parametrize("address", NOWHERE)
def test_nothing_leaves_in_the_clear_or_to_no_server(address, capsys):
    assert webhook.main([FEED, "--to", address, "--site", SITE, "--posted", "none"]) == 2
    assert "--to is an address with https://" in capsys.readouterr().err
    assert webhook.USABLE.fullmatch("https://gap.example.org/hook?a=b")
    assert webhook.USABLE.fullmatch("http://[::1]:80/")


@pytest.mark.parametrize("feed", ["nothing.atom", "growth-gap.atom?tell=a>>1", "growth-gap.atom?since=1"])
def test_a_feed_that_cannot_be_read_is_refused(*, hook, posted, feed, capsys):
    assert run(hook, posted, feed=feed) == 2
    assert feed.partition("=")[2] in capsys.readouterr().err and hook.got == []
