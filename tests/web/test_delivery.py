import asyncio
import errno
import gzip
import threading
import time

import pytest
from starlette.requests import Request
from starlette.types import Message

from panel.assets import address
from tests.web.served import ask, files_only
from views.compute_pool import ComputePool
from views.deck import LONGEST_QUERY
from web.delivery import FileRoute, deliver
from web.renderings import Busy, Renderings

PINNED = "/accelerators.csv?interval=classical"
PANEL = "/training-compute.panel.json"
BINARY = ("/training-compute.png", "/data/2026-07.zip")
FILES = (PINNED, *BINARY, "/data/2026-07/accelerators.csv", "/api/views", "/accelerators.atom")
FILES += ("/search.json", "/deck.pptx?view=%2Faccelerators", PANEL, f"{PANEL}?part=share")
PAGES = ("/", "/training-compute?since=2018", "/training-compute?embed=true")


@pytest.mark.parametrize("path", [*FILES, *PAGES, address("boot.js")])
@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_what_a_reader_has_is_not_sent_again(*, site, path, encoding):
    first = site.get(path, headers={"Accept-Encoding": encoding})
    etag = first.headers["etag"]
    assert etag.startswith('"') and etag.endswith('"')
    for condition in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        again = site.get(path, headers={"Accept-Encoding": encoding, "If-None-Match": condition})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
        assert again.headers["cache-control"] == first.headers["cache-control"]
        assert "content-type" not in again.headers
    changed = site.get(path, headers={"Accept-Encoding": encoding, "If-None-Match": '"other"'})
    assert (changed.status_code, changed.content) == (200, first.content)
    assert ("content-encoding" in first.headers) == (encoding == "gzip" and path not in BINARY)
    assert ("vary" in first.headers) == (path not in BINARY)


@pytest.mark.parametrize("path", [*FILES, *PAGES, "/deck", "/methods"])
def test_head_has_the_headers_of_get_and_no_body_and_other_methods_are_refused(site, path):
    head, got = site.head(path), site.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers.pop("x-request-id") != got.headers.pop("x-request-id")
    assert dict(head.headers) == dict(got.headers)
    file = path in FILES
    for method in ("POST", "PUT", "DELETE", "PATCH", *["OPTIONS"] * (not file)):
        refused = site.request(method, path)
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD" + ", OPTIONS" * file)
    assert ("access-control-allow-origin" in got.headers) == file
    if file:
        allowed = site.options(path, headers={"Origin": "https://elsewhere.example"})
        assert allowed.status_code == 204
        for one in (allowed, got):
            assert one.headers["access-control-allow-origin"] == "*"
        assert allowed.headers["access-control-allow-methods"] == "GET, HEAD, OPTIONS"
        assert allowed.headers["access-control-allow-headers"] == "If-None-Match"
    else:
        assert got.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path", ["/data.csv", PANEL, "/feed.atom", "/api/views", "/v/x", "/data/2026-07.zip"]
)
def test_an_endless_query_is_414_and_says_how_long_one_may_be(site, path):
    long = site.get(f"{path}?find=" + "2" * 9000)
    assert (long.status_code, long.headers["cache-control"]) == (414, "no-store")
    assert long.json()["detail"] == "The query is too long: 9005 characters; at most 8192 are allowed."
    assert site.get(f"/deck.pptx?title={'x' * LONGEST_QUERY}").status_code == 414


def test_a_new_program_does_not_take_an_old_programs_file_for_right(site, monkeypatch):
    before = site.head("/accelerators.csv").headers["etag"]
    monkeypatch.setattr("web.delivery.code_version", lambda: "another")
    assert site.head("/accelerators.csv").headers["etag"] != before


def test_text_is_compressed_for_who_reads_gzip_and_each_encoding_has_its_own_tag(site):
    packed = site.get(PINNED, headers={"Accept-Encoding": "gzip"})
    plain = site.get(PINNED, headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) == len(gzip.compress(plain.content, 5, mtime=0))
    assert packed.headers["etag"] != plain.headers["etag"]
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"


OF_PAGES = ("", "?since=2018", "?release=2025-11", "?release=2026-07", "?since=1492", "?since=1493")


def test_answers_that_differ_have_different_tags(site):
    paths = [
        *("/overview.png", "/overview.png?size=wide", "/overview.png?theme=dark", "/overview.svg"),
        *("/accelerators.csv", "/accelerators.csv?exhibit=2", "/accelerators.json", "/overview.panel.json"),
        *("/training-compute.csv", "/training-compute.csv?level=80", "/training-compute.csv?release=2025-11"),
        *(f"/training-compute{query}" for query in (*OF_PAGES, "?embed=true")),
        *(f"{PANEL}{query}" for query in (*OF_PAGES, "?part=page", "?part=further", "?part=share")),
        *(f"{PANEL}?part=table", f"{PANEL}?part=table&exhibit=2"),
    ]
    tags = [site.head(path, headers={"Accept-Encoding": "identity"}).headers["etag"] for path in paths]
    tags.append(site.head("/training-compute", headers={"Host": "localhost"}).headers["etag"])
    assert len(set(tags)) == len(paths) + 1
    for alike in ("/training-compute?utm_source=chat", f"{PANEL}?part=finding"):
        tag = site.head(alike, headers={"Accept-Encoding": "identity"}).headers["etag"]
        assert tag == tags[paths.index(alike.partition("?")[0])]


@pytest.mark.parametrize(
    ("fault", "detail"),
    [
        (
            Busy("Too many answers are being computed already.", retry_after_s=5),
            "Too many answers are being computed",
        ),
        (OSError(errno.EMFILE, "Too many open files"), "Too many files are open."),
    ],
)
def test_too_much_at_once_is_503_and_says_when_to_ask_again(*, site, monkeypatch, fault, detail):
    async def full(*_anything, **_else):
        raise fault

    monkeypatch.setattr(Renderings, "get", full)
    got = site.get("/accelerators.csv?level=50")
    assert (got.status_code, got.headers["retry-after"]) == (503, "5")
    assert got.json()["detail"].startswith(detail) and got.json()["detail"].endswith(" Try again in 5 s.")


def test_who_hangs_up_is_waited_for_no_longer_and_leaves_nothing_in_the_queue():
    go, pool = threading.Event(), ComputePool(threads=1)
    pool.order("in the way", lambda: go.wait(10))
    try:
        app = files_only(renderings=Renderings(ordinary=pool))
        status, _, body = ask(app, "/accelerators.csv", query=b"level=50", stays=False)
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

        class Slow(FileRoute):
            async def file(self, request):
                own = Renderings(ordinary=ComputePool())
                headers = {"Content-Type": "image/png", "Cache-Control": "no-store"}
                return await deliver(request, identity="slow", make=slow, renderings=own, headers=headers)

        task = asyncio.ensure_future(Slow().answer(request))
        await asyncio.to_thread(began.wait, 5)
        task.cancel()
        return await task

    async def never_gone() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    response = asyncio.run(ended())
    assert (response.status_code, response.headers["retry-after"]) == (503, "5")
    assert b"The server is being stopped. Try again in 5 s." in response.body
