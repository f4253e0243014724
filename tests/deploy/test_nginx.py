import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection

import pytest
from starlette.responses import Response

from panel.assets import assets
from panel.menu import PLAIN_PAGES
from tests.deploy.nginx import needs_nginx, running
from tests.web.served import app, on_loopback
from tests.web.test_edition import COMPARED, made
from views.registry import VIEWS
from views.resolve import view_and_settings
from views.view import answer
from web.edition import write
from web.panels import EXTENSION

PINNED = "/api/views"
LONG = "/deck?" + "view=%2F&" * 1000

pytestmark = needs_nginx


class Counted:
    """Our routes, and how often each address was asked for."""

    def __init__(self) -> None:
        self.app = app(ALLOWED_HOSTS="*")
        self.asked: list[str] = []

    async def __call__(self, scope, receive, send) -> None:  # noqa: PLR0917 - ASGI
        if scope["type"] == "http":
            self.asked.append(scope["path"])
        await self.app(scope, receive, send)


@pytest.fixture(scope="module")
def counted() -> Counted:
    return Counted()


@pytest.fixture(scope="module")
def port(counted: Counted, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Our routes behind nginx; gives its port."""
    folder = tmp_path_factory.mktemp("nginx")
    with on_loopback(counted) as url, running(folder, replicas=[url[7:]] * 2, limited=False) as port:
        yield port


def fetch(port: int, path: str, *, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of an answer, whose request has no header but these."""
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.putrequest(method, path, skip_accept_encoding=True)
    for name, text in headers.items():
        connection.putheader(name.replace("_", "-"), text)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {name.lower(): text for name, text in answer.getheaders()}, body


def test_however_a_browser_words_what_it_reads_each_answer_is_made_twice_at_most(*, counted, port):
    packed = ("gzip", "gzip, deflate, br, zstd", "br, gzip;q=0.1", "*", "GZIP", "deflate, gzip;q=1, *;q=0.5")
    plain = ("identity", "br", "gzip;q=0", "deflate, gzip; q=0.000", "x-gzip", "br;q=1, *;q=0")
    counted.asked.clear()
    body = b""
    for offer in packed:
        status, headers, body = fetch(port, PINNED, Accept_Encoding=offer)
        assert (status, headers.get("content-encoding"), body[:2]) == (200, "gzip", b"\x1f\x8b"), offer
        assert "accept-encoding" in headers["vary"].lower()
    for offer in plain:
        status, headers, body = fetch(port, PINNED, Accept_Encoding=offer)
        assert (status, headers.get("content-encoding"), body[:1]) == (200, None, b"{"), offer
        assert "accept-encoding" in headers["vary"].lower()
    assert fetch(port, PINNED)[2] == body
    assert counted.asked == [PINNED, PINNED]


def test_nginx_keeps_what_is_the_same_for_all_readers_and_no_page_and_no_session(tmp_path):
    files = [f"/{view.name}{form}" for view in VIEWS.values() for form in (EXTENSION, ".png", ".bib")]
    files += [
        *assets(),
        "/static/js/a.js",
        "/api/views",
        "/v/1r52924mc1jcc.png",
        "/data/2026-07.zip",
        "/feed.atom",
    ]
    others = [*VIEWS, *PLAIN_PAGES, "/v/1r52924mc1jcc", "/healthz", "/_stcore/stream", "/component/x.js"]
    replica = Response("answer", headers={"Cache-Control": "public, max-age=60"})
    with on_loopback(replica) as url, running(tmp_path, replicas=[url[7:]] * 2, limited=False) as port:
        twice = [*files, *others, "/media/x.png"] * 2
        kept = {path for path in twice if fetch(port, path)[1].get("x-cache") == "HIT"}
    assert kept == set(files)


def test_what_anybody_may_keep_names_nobody_s_replica(port):
    short = json.loads(fetch(port, "/overview.json")[2])["short_link"]
    for path in (short, "/robots.txt", "/sitemap.xml", "/llms.txt", "/apple-touch-icon.png"):
        status, headers, _ = fetch(port, path)
        assert status in (200, 308), path
        assert headers["cache-control"].startswith("public"), path
        assert "set-cookie" not in headers, path
    page = fetch(port, "/methods")[1]
    assert page["set-cookie"].startswith("gap_replica=")
    assert "public" not in page["cache-control"]
    assert "set-cookie" not in fetch(port, "/methods", Cookie="gap_replica=a")[1]


def test_every_answer_names_its_request_and_no_one_else_s(port):
    for path, status in (
        ("/overview.png?size=none", 422),
        ("/assets/none.js", 404),
        (PINNED, 200),
        (LONG, 200),
    ):
        first, again = (fetch(port, path, X_Request_Id="mine-mine-mine") for _ in range(2))
        assert first[0] == again[0] == status
        assert len({first[1]["x-request-id"], again[1]["x-request-id"], "mine-mine-mine"}) == 3, path


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        ("/metrics", "GET", 404),
        ("//metrics", "GET", 404),
        ("/%6detrics", "GET", 404),
        (f"/overview?{'a' * 70_000}", "GET", 414),
        ("/%00", "GET", 400),
        ("/overview.png", "TRACE", 405),
    ],
)
def test_what_nginx_says_itself_is_guarded_as_well(*, port, path, method, status):
    got, headers, _ = fetch(port, path, method=method)
    assert got == status
    assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["x-content-type-options"] == "nosniff"


def test_the_app_s_own_policy_is_the_only_one_of_its_answers(port):
    for path in ("/overview", "/overview.svg", "/api/views", "/assets/none.js", "/_stcore/none", "/healthz"):
        for _ in range(2):  # made, and kept
            connection = HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            connection.close()
            assert len(answer.headers.get_all("Content-Security-Policy", [])) == 1, path
            assert answer.headers.get_all("X-Content-Type-Options") == ["nosniff"], path
            assert "'none'; frame-ancestors 'none'" not in answer.headers["Content-Security-Policy"], path


def test_when_no_replica_answers_the_edition_does_and_says_so(tmp_path, monkeypatch):
    write(made(monkeypatch), tmp_path / "edition")
    both = answer(*view_and_settings(COMPARED))
    for replicas in (["127.0.0.1:9"] * 2, []):  # of compose, and the pods of Kubernetes
        with running(tmp_path, replicas=replicas, limited=False) as port:
            for path in ("/", "/training-compute", COMPARED, both.link, both.short_link):
                status, headers, page = fetch(port, path)
                assert status == 200 and headers["cache-control"] == "no-store", path
                assert "default-src 'self'" in headers["content-security-policy"], path
                assert b'<span class="warning">The server cannot be reached' in page, path
            style = re.search(rb'href="([^"]+\.css)"', page)
            assert style and fetch(port, f"/{style[1].decode()}")[1]["content-type"] == "text/css"
            assert fetch(port, "/training-compute.csv")[0] == 200
            for path in ("/training-compute?since=2017", "/training-compute.csv?since=2017", "/healthz"):
                assert fetch(port, path)[0] == 503, path


def test_beyond_its_share_an_address_is_told_in_words_when_to_come_back(tmp_path):
    with running(tmp_path, replicas=["127.0.0.1:9"] * 2) as port:
        answers = {
            status: (headers, body) for status, headers, body in (fetch(port, "/") for _ in range(250))
        }
    assert answers.keys() == {429, 503}  # nobody answers the share itself
    for headers, body in answers.values():
        assert headers["retry-after"] == "5" and b"Please try again" in body
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
