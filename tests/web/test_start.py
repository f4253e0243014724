import asyncio
import gc
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from starlette.requests import Request

from tests.cases import cases
from views.kept import FINDINGS
from views.placement import view as placement
from views.view import answer, read
from web import code_version, start
from web.settings import Settings
from web.site import origin

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize(("lives_s", "warm_up"), [(0.1, True), (0.1, False), (0.0, True)])
def test_the_tools_are_loaded_after_the_start_and_only_where_wanted(*, lives_s, warm_up, monkeypatch):
    loaded = threading.Event()
    monkeypatch.setattr(start, "warm_up", loaded.set)
    monkeypatch.setattr(start, "AFTER_S", 0.02)

    async def life():
        async with start.lifespan(None, settings=Settings(warm_up=warm_up)):
            await asyncio.sleep(lives_s)

    asyncio.run(life())
    assert loaded.wait(0.05) == (lives_s > 0 and warm_up)


def test_what_is_loaded_at_the_start_is_never_searched_for_garbage():
    async def short_life():
        async with start.lifespan(None):
            pass

    gc.unfreeze()
    try:
        asyncio.run(short_life())
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()


HEAPS = """
import ctypes, sys, threading
from web.start import few_heaps
few_heaps()
together = threading.Barrier(8)
def allocate():
    kept = bytes(100_000)
    together.wait()
threads = [threading.Thread(target=allocate) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
output = ctypes.c_void_p(libc.fopen(b"/dev/stdout", b"w"))
libc.malloc_info(0, output)
libc.fflush(output)
"""


@pytest.mark.skipif(not start._glibc(), reason="only glibc gives each thread a heap of its own")
def test_threads_share_few_heaps():
    run = subprocess.run([sys.executable, "-c", HEAPS], cwd=ROOT, capture_output=True, text=True, check=True)
    assert 1 <= run.stdout.count("<heap nr=") <= 2


AT_REST = """
import sys
import app
from web.start import warm_up
warm_up()
print(int(open("/proc/self/statm").read().split()[1]) * 4096 // 10**6)
print([name for name in ("pyarrow", "scipy.optimize", "scipy.stats") if name in sys.modules])
"""
"""Prints what a warm process holds [MB], and which of the large libraries that few answers need it has loaded."""


@pytest.mark.skipif(sys.platform != "linux", reason="the size of a process is read as Linux tells it")
def test_a_process_at_rest_holds_less_than_300_megabytes():
    command = [sys.executable, "-c", AT_REST]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    held_mb, loaded = ended.stdout.splitlines()[-2:]
    assert loaded == "[]"
    assert int(held_mb) < 300


def test_the_first_reader_of_edge_or_cloud_waits_for_no_fit():
    gc.unfreeze()
    start.warm_up()
    assert {"charts.picture", "charts.powerpoint"} <= set(sys.modules)
    assert gc.get_freeze_count() > 10_000
    gc.unfreeze()
    hits, misses = FINDINGS.hits, FINDINGS.misses
    answer(placement.VIEW, read(placement.VIEW, "")[0])
    assert (FINDINGS.hits, FINDINGS.misses) == (hits + 1, misses)


def test_the_code_version_changes_with_any_source_of_ours(monkeypatch, tmp_path):
    for package in code_version.PACKAGES:
        (tmp_path / package).mkdir()
    monkeypatch.setattr(code_version, "ROOT", tmp_path)
    make = code_version.code_version.__wrapped__
    empty = make()
    (tmp_path / "views" / "new.py").write_text("x = 1")
    first = make()
    (tmp_path / "views" / "new.py").write_text("x = 2")
    second = make()
    (tmp_path / "views" / "recorded.csv").write_text("1")
    assert len({empty, first, second, make()}) == 4
    assert make() == make()
    assert len(first) == 16
    last = make()
    (tmp_path / "data" / "release.csv").write_text("1")  # a release has a fingerprint of its own
    assert make() == last


def test_the_code_version_changes_with_any_library_of_the_app(monkeypatch, tmp_path):
    before, lock = code_version.code_version.__wrapped__(), code_version.LOCK.read_text(encoding="utf-8")
    (tmp_path / "lock.txt").write_text(lock.replace("pillow==", "pillow==9"), encoding="utf-8")
    monkeypatch.setattr(code_version, "LOCK", tmp_path / "lock.txt")
    assert code_version.code_version.__wrapped__() != before


def request(host: str, scheme: str = "http") -> Request:
    return Request({"type": "http", "scheme": scheme, "headers": [(b"host", host.encode())]})


@pytest.mark.parametrize(("host", "scheme", "expected"), cases(__file__)["addresses"])
def test_without_a_public_url_the_address_is_the_one_asked_for_if_it_is_one(*, host, scheme, expected):
    assert origin(request(host, scheme), Settings()) == expected
    assert origin(request(host), Settings(public_url="https://gap.example")) == "https://gap.example"
