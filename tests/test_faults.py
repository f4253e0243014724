"""What the machine may do to us: a disk that takes nothing more, a process that is killed at the worst moment.

Each ends with one line, or an answer; nothing is half written, and the release before is served.
"""

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchmarks.clients import fetch
from benchmarks.servers import started
from data import seal
from tests.data import exports

ROOT = Path(__file__).resolve().parent.parent
DECK = "/deck.pptx?view=/growth-gap"
NEW = "2030-01"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Copy what cuts a release, with two small exports beside it."""
    for name in ("data", "analysis", "charts", "views"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "m.csv").write_bytes(exports.models())
    (tmp_path / "h.csv").write_bytes(exports.hardware())
    return tmp_path


def curated(tree: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    """Cut a release in a process of its own, in which ``before`` is done first."""
    named = ["--models", "m.csv", "--hardware", "h.csv", "--release", NEW, "--subset"]
    code = f"import sys\n{before}\nfrom data import curate\nsys.exit(curate.main({named!r}))"
    return subprocess.run(
        [sys.executable, "-c", code], cwd=tree, capture_output=True, text=True, timeout=120, check=False
    )


KILLED_AT = {
    "while the first file is flushed": ("publish", "_flush", 1),
    "before the last flush of the folder": ("publish", "_flush", 5),
    "before the exchange": ("publish", "_exchange", 1),
    "after the exchange, before its report": ("curate", "report", 1),
}
KILL = """
import os, signal
from data import curate, publish
module = {{"publish": publish, "curate": curate}}["{module}"]
was, left = module.{name}, [{count}]
def killed(*given, **named):
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return was(*given, **named)
module.{name} = killed
"""


def test_a_release_that_is_killed_while_it_is_cut_leaves_every_other_whole_and_the_next_run_ends_it(tree):
    folder = tree / "data" / "releases"
    before = set(seal.names(folder))
    for moment, (module, name, count) in KILLED_AT.items():
        ended = curated(tree, KILL.format(module=module, name=name, count=count))
        assert ended.returncode == -signal.SIGKILL, (moment, ended.stderr)
        seal.read_all(folder)
        assert before <= set(seal.names(folder)) <= before | {NEW}, moment
    again = curated(tree)
    assert "Traceback" not in again.stderr
    seal.read_all(folder)
    assert set(seal.names(folder)) == before | {NEW}
    assert not [path.name for path in folder.iterdir() if path.name.startswith(".")]


def test_a_full_disk_is_told_in_a_line_and_nothing_is_left_half_written(tree):
    folder = tree / "data" / "releases"
    before = set(os.listdir(folder))
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))"
    ended = curated(tree, full)
    assert ended.returncode == 1
    assert ended.stderr == f"cannot write {folder / NEW}: File too large; nothing was changed\n"
    assert set(os.listdir(folder)) == before
    seal.read_all(folder)


@contextmanager
def app(folder: Path) -> Iterator[tuple[str, int]]:
    """Give address and process of the app, whose temporary files would lie in ``folder``."""
    with TemporaryDirectory() as logs:
        settings = {"TMPDIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        with started("ours", folder=Path(logs), settings=settings) as server:
            yield server


def test_a_server_killed_in_a_deck_and_an_upload_leaves_nothing_and_the_next_serves_where_nothing_is_written(
    tmp_path,
):
    head = "PUT /_stcore/upload_file/session/file HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000000\r\n"
    with app(tmp_path) as (url, process), ThreadPoolExecutor() as reader, socket.socket() as connection:
        before = fetch(url, "/fleet.csv").body
        connection.connect(("127.0.0.1", int(url.rpartition(":")[2])))
        connection.sendall(head.encode() + b"Content-Type: text/csv\r\n\r\n" + bytes(1_000_000))
        deck = reader.submit(fetch, url, DECK)
        time.sleep(0.1)
        os.kill(process, signal.SIGKILL)
        assert isinstance(deck.exception(), OSError)
    assert list(tmp_path.iterdir()) == []
    with app(tmp_path) as (url, process):
        resource.prlimit(process, resource.RLIMIT_FSIZE, (0, 0))
        assert fetch(url, "/fleet.csv").body == before
        for path in ("/growth-gap", "/fleet.png", "/fleet.pptx", DECK, "/data/2026-07.zip"):
            answer = fetch(url, path)
            assert answer.status == 200 and len(answer.body) > 500, path
    assert list(tmp_path.iterdir()) == []
