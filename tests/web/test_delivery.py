import asyncio
import errno
import gzip
import threading
import time

import pytest
from starlette.requests import Request
from starlette.types import Message

from tests.web.served import ask, client, files_only
from views.compute_pool import ComputePool
from web.delivery import answered, deliver
from web.renderings import Busy, Renderings

PINNED = "/accelerators.csv?interval=classical"
PANEL = [
    f"/training-compute.panel.json?part={part}" for part in ("finding", "page", "further", "table", "share")
]


@pytest.fixture(scope="module")
def site():
    with client() as opened:
        yield opened


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/training-compute.png",
            PINNED,
            "/data/2026-07/accelerators.csv",
            "/data/2026-07.zip",
            "/api/views",
        ),
        *("/", "/training-compute?since=2018", "/training-compute?embed=true", *PANEL),
    ],
)
@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_what_a_reader_has_is_not_sent_again(*, site, path, encoding):
    first = site.get(path, headers={"Accept-Encoding": encoding})
    etag = first.headers["etag"]
    assert etag.startswith('"') and etag.endswith('"')
    for condition in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        again = site.get(path, headers={"Accept-Encoding": encoding, "If-None-Match": condition})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == etag
        assert again.headers["cache-control"] == first.headers["cache-control"]
        assert "content-type" not in again.headers
    changed = site.get(path, headers={"Accept-Encoding": encoding, "If-None-Match": '"other"'})
    assert (changed.status_code, changed.content) == (200, first.content)


@pytest.mark.parametrize(
    "path", ["/training-compute.png", PINNED, "/data/2026-07.zip", "/api/views", "/", "/deck", *PANEL]
)
def test_head_has_the_headers_of_get_and_no_body(site, path):
    head, got = site.head(path), site.get(path)
    assert head.status_code == 200
    assert head.content == b""
    assert head.headers.pop("x-request-id") != got.headers.pop("x-request-id")
    assert dict(head.headers) == dict(got.headers)


def test_text_is_compressed_for_who_reads_gzip_and_each_encoding_has_its_own_tag(site):
    packed = site.get(PINNED, headers={"Accept-Encoding": "gzip"})
    plain = site.get(PINNED, headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) == len(gzip.compress(plain.content, 5, mtime=0))
    assert packed.headers["etag"] != plain.headers["etag"]
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"


def test_pictures_and_archives_are_not_compressed_twice(site):
    for path in ("/training-compute.png", "/data/2026-07.zip"):
        got = site.get(path, headers={"Accept-Encoding": "gzip"})
        assert "content-encoding" not in got.headers
        assert "vary" not in got.headers


def test_different_files_have_different_tags(site):
    paths = [
        *("/overview.png", "/overview.png?size=wide", "/overview.png?theme=dark", "/overview.svg"),
        *("/accelerators.csv", "/accelerators.csv?exhibit=2", "/accelerators.json"),
        *("/training-compute.csv", "/training-compute.csv?level=80", "/training-compute.csv?release=2025-11"),
    ]
    tags = [site.head(path, headers={"Accept-Encoding": "identity"}).headers["etag"] for path in paths]
    assert len(set(tags)) == len(paths)


def test_any_page_of_the_web_may_ask(site):
    for path in ("/training-compute.json", *PANEL):
        got = site.options(path, headers={"Origin": "https://elsewhere.example"})
        assert got.status_code == 204
        assert got.headers["access-control-allow-origin"] == "*"
        assert got.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS"
        assert got.headers["access-control-allow-headers"] == "If-None-Match"
    for path in (
        "/overview.json",
        "/api/views",
        "/data/2026-07.zip",
        "/overview.json?x=1",
        "/data/1.zip",
        *PANEL,
    ):
        assert site.get(path).headers["access-control-allow-origin"] == "*"
    for path in ("/", "/training-compute?since=2018", "/training-compute?embed=true", "/deck"):
        got = site.get(path)
        assert "access-control-allow-origin" not in got.headers
        again = site.get(path, headers={"If-None-Match": got.headers.get("etag", "none")})
        assert "access-control-allow-origin" not in again.headers


@pytest.mark.parametrize("path", ["/training-compute.json", "/training-compute.panel.json"])
def test_other_methods_and_endless_queries_are_refused(site, path):
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        got = site.request(method, path)
        assert (got.status_code, got.headers["allow"]) == (405, "GET, HEAD, OPTIONS")
    long = site.get(f"{path}?since=" + "2" * 9000)
    assert (long.status_code, long.headers["cache-control"]) == (414, "no-store")
    assert long.json()["detail"] == "The query is too long: 9006 characters; at most 8192 are allowed."


def test_a_new_program_does_not_take_an_old_programs_file_for_right(site, monkeypatch):
    before = site.head("/accelerators.csv").headers["etag"]
    monkeypatch.setattr("web.delivery.code_version", lambda: "another")
    assert site.head("/accelerators.csv").headers["etag"] != before


def test_too_much_at_once_is_503_and_says_when_to_ask_again(site, monkeypatch):
    async def full(*_anything, **_else):
        raise Busy("Too many answers are being computed already.", retry_after_s=7)

    monkeypatch.setattr(Renderings, "get", full)
    got = site.get("/accelerators.csv?level=50")
    assert (got.status_code, got.headers["retry-after"]) == (503, "7")
    assert got.json()["detail"] == "Too many answers are being computed already. Try again in 7 s."


def test_who_hangs_up_is_waited_for_no_longer_and_leaves_nothing_in_the_queue():
    go, pool = threading.Event(), ComputePool(threads=1)
    pool.order("in the way", lambda: go.wait(10))
    try:
        status, _, body = ask(
            files_only(renderings=Renderings(ordinary=pool)),
            "/accelerators.csv",
            query=b"level=50",
            stays=False,
        )
        assert (status, body) == (499, b"")
        assert pool.jobs == 1
    finally:
        go.set()


def test_an_expensive_link_waits_apart():
    go, pool = threading.Event(), ComputePool(threads=1)
    pool.order("in the way", lambda: go.wait(10))
    app = files_only(renderings=Renderings(ordinary=pool))
    try:
        assert ask(app, "/training-run.csv", query=b"accelerators=70001")[0] == 200
    finally:
        go.set()


def test_one_whose_answer_is_cut_off_at_the_end_of_the_process_is_told_to_come_back():
    began = threading.Event()

    def slow() -> bytes:
        began.set()
        time.sleep(0.3)
        return b""

    async def ended():
        request = Request({"type": "http", "method": "GET", "headers": [], "query_string": b""}, never_gone)

        async def make():
            return await deliver(
                request,
                identity="slow",
                make=slow,
                renderings=Renderings(ordinary=ComputePool()),
                headers={"Content-Type": "image/png", "Cache-Control": "no-store"},
            )

        task = asyncio.ensure_future(answered(request, make))
        await asyncio.to_thread(began.wait, 5)
        task.cancel()
        return await task

    async def never_gone() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    response = asyncio.run(ended())
    assert response.status_code == 503
    assert b"The server is being stopped. Try again in 5 s." in response.body
    assert response.headers["retry-after"] == "5"


def test_a_process_that_can_open_no_more_files_is_busy_and_not_at_fault(site, monkeypatch):
    async def full(*_anything, **_else):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(Renderings, "get", full)
    got = site.get("/accelerators.csv?level=80")
    assert (got.status_code, got.headers["retry-after"]) == (503, "5")
    assert got.json()["detail"] == "Too many files are open. Try again in 5 s."
