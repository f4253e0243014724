import asyncio
import gzip

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect, WebSocketDisconnected

from panel.assets import tapped
from tests.web.document import Document
from tests.web.served import SMALL_INDEX, index_html
from tests.web.served import client as whole
from web.middleware import middleware
from web.middleware.compress_once import CompressOnce, accepts_gzip
from web.middleware.gone_readers import GoneReaders
from web.middleware.security_headers import content_security_policy, inline_script_hashes
from web.middleware.upload_quota import PROCESS_BYTE, SESSION_BYTE, UploadQuota
from web.paths import PAGES
from web.routes import routes
from web.settings import from_environment

TAPPED = f"<script>{tapped()}</script>"
SCRIPT = "const answer = 42;\n" * 400


class Streamlit:
    """Stands for Streamlit's files: counts how often each is asked for."""

    def __init__(self):
        self.asked = []

    async def static(self, request):
        self.asked.append(request.url.path)
        headers = {"Cache-Control": "public, immutable, max-age=31536000", "ETag": '"abc"'}
        if request.url.path.endswith(".woff2"):
            return Response(b"\0" * 5000, media_type="font/woff2", headers=headers)
        if request.url.path.endswith("changing.js"):
            return Response(SCRIPT, media_type="text/javascript", headers={"Cache-Control": "no-cache"})
        return Response(SCRIPT, media_type="application/javascript", headers=headers)

    def routes(self) -> list[BaseRoute]:
        return [Route("/static/{path:path}", self.static)]


@pytest.fixture
def streamlit():
    return Streamlit()


@pytest.fixture
def client(streamlit):
    app = Starlette(routes=streamlit.routes(), middleware=[Middleware(CompressOnce)])
    with TestClient(app) as client:
        yield client


def test_a_file_is_compressed_once_however_often_it_is_asked_for(client, streamlit):
    for _ in range(5):
        answer = client.get("/static/js/a.js")
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.text == SCRIPT
    assert streamlit.asked == ["/static/js/a.js"]


def test_a_reader_without_gzip_gets_the_plain_file_and_caches_are_told_both_exist(client):
    answer = client.get("/static/js/a.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in answer.headers
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.text == SCRIPT


def test_a_known_copy_is_not_sent_again(client):
    etag = client.get("/static/js/a.js").headers["etag"]
    assert etag == '"abc-gzip"'
    again = client.get("/static/js/a.js", headers={"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")


def test_head_has_the_length_and_no_body(client):
    answer = client.head("/static/js/a.js")
    assert int(answer.headers["content-length"]) == len(gzip.compress(SCRIPT.encode(), 6, mtime=0))
    assert answer.content == b""


def test_fonts_and_files_that_may_change_are_passed_on(client, streamlit):
    for path in ("/static/media/font.woff2", "/static/changing.js"):
        for _ in range(2):
            assert "content-encoding" not in client.get(path).headers
    assert streamlit.asked.count("/static/changing.js") == 4


@pytest.mark.parametrize(
    ("header", "reads"),
    [("gzip", True), ("br, gzip;q=0.5", True), ("*", True), ("", False), ("br", False), ("gzip;q=0", False)],
)
def test_whether_a_client_reads_gzip_is_taken_from_its_header(header, reads):
    assert accepts_gzip(header) is reads


@pytest.mark.parametrize(
    ("offers", "seen"),
    [(["gzip;q=0"], []), (["br", "gzip;q=0.5"], ["gzip"]), (["GZIP"], ["gzip"]), (["br"], []), ([], [])],
)
def test_nothing_behind_us_compresses_for_a_client_that_does_not_read_gzip(offers, seen):
    async def behind(scope, _receive, send):
        got = [text.decode() for name, text in scope["headers"] if name == b"accept-encoding"]
        await PlainTextResponse(f"{got} {Headers(scope=scope)['x-other']}")(scope, _receive, send)

    sent = [("accept-encoding", offer) for offer in offers]
    client = TestClient(CompressOnce(behind))
    del client.headers["accept-encoding"]
    answer = client.get("/growth-gap", headers=[*sent, ("x-other", "stays")])
    assert answer.text == f"{seen} stays"


def test_inline_scripts_are_found_and_hashed_and_comments_and_files_are_not():
    html = "<!-- <script>no</script> --><script src='a.js'></script><script>\n  x = 1\n</script>"
    # printf '\n  x = 1\n' | openssl dgst -sha256 -binary | base64
    assert inline_script_hashes(html) == ["sha256-BbJ+FSK+ErAV471Y8ZXwwfLNZHNs207gkT7PGBH0XE0="]


def test_data_in_a_script_element_run_nowhere_and_are_no_script():
    html = '<script type="application/json">{"a":1}</script><script type="module">\n  x = 1\n</script>'
    assert inline_script_hashes(html) == ["sha256-BbJ+FSK+ErAV471Y8ZXwwfLNZHNs207gkT7PGBH0XE0="]


def test_what_a_document_may_do_is_this_and_nothing_more():
    with whole() as site:
        policy = site.get("/").headers["content-security-policy"]
    (streamlit,), (own,) = inline_script_hashes(index_html()), inline_script_hashes(TAPPED)
    assert dict(part.split(" ", 1) for part in policy.split("; ")) == {
        "default-src": "'self'",
        "script-src": f"'self' '{streamlit}' '{own}' blob:",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'self'",
    }


@pytest.mark.parametrize(
    "path", ["/", "/data?find=x", "/training-compute?embed=true", "/methods", "/deck?view=/"]
)
def test_the_scripts_of_every_document_are_those_the_policy_allows(path):
    with whole() as site:
        got = site.get(path)
    document, policy = Document(got.text), got.headers["content-security-policy"]
    first = path in {"/", "/data?find=x", "/training-compute?embed=true"}
    expected = [*inline_script_hashes(index_html()), *inline_script_hashes(TAPPED * first)]
    assert inline_script_hashes(got.text) == expected
    inline = [script for script in document.scripts if not script.get("src")]
    assert len(inline) == len(inline_script_hashes(got.text)) > 0
    assert all(digest in policy for digest in inline_script_hashes(got.text))
    sources = [script.get("src") for script in document.scripts if script.get("src")]
    assert all(source.startswith("/assets/") for source in sources) and sources
    styles = document.root.xpath("//link[@rel='stylesheet']/@href")
    assert all(address.startswith("/") and not address.startswith("//") for address in styles)
    assert not document.foreign()


def test_the_policy_names_no_outside_host_and_forbids_eval():
    policy = content_security_policy("<script>x</script>", embed_ancestors="'none'")
    assert "http" not in policy
    assert "unsafe-eval" not in policy
    assert policy.endswith("frame-ancestors 'none'")


@pytest.fixture
def guarded(tmp_path):
    def make(**environment):
        (tmp_path / "index.html").write_text(SMALL_INDEX)

        async def echo(socket):
            await socket.accept()
            await socket.send_json({"origin": socket.headers.get("origin")})
            await socket.close()

        async def home(_request):
            return PlainTextResponse("home")

        async def upload(request):
            return JSONResponse({"origin": request.headers.get("origin")})

        own = routes(static_folder=tmp_path, pages=("data",))
        streamlit = [
            Route("/", home),
            Route("/_stcore/upload_file/x", upload, methods=["PUT"]),
            WebSocketRoute("/_stcore/stream", echo),
        ]
        settings = from_environment(environment)
        app = Starlette(routes=[*own, *streamlit], middleware=middleware(settings, static_folder=tmp_path))
        return TestClient(app, base_url="http://127.0.0.1:8501")

    return make


def test_only_our_names_are_answered(guarded):
    client = guarded(ALLOWED_HOSTS="gap.example,*.corp.example")
    for host in ("127.0.0.1:8501", "localhost", "[::1]:8501", "gap.example", "a.corp.example:443"):
        assert client.get("/", headers={"Host": host}).status_code == 200, host
    for host in ("evil.example", "gap.example.evil", "corp.example", "", "a b", "[::1"):
        refused = client.get("/", headers={"Host": host})
        assert refused.status_code == 400, host
        assert "does not answer to that host name" in refused.text


def test_health_is_answered_under_any_name(guarded):
    assert guarded().get("/healthz", headers={"Host": "10.1.1.1"}).json() == {"status": "ok"}


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:9999", "javascript:1"])
def test_a_foreign_page_opens_no_session(guarded, origin):
    client = guarded()
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        client.websocket_connect("/_stcore/stream", headers={"Origin": origin, "Host": "127.0.0.1:8501"}),
    ):
        pass
    assert refused.value.code == 1008
    answer = client.put("/_stcore/upload_file/x", headers={"Origin": origin})
    assert (answer.status_code, answer.text) == (403, "Sessions are opened by the app's own pages only.")


@pytest.mark.parametrize(
    ("environment", "origin", "host"),
    [
        ({}, "http://127.0.0.1:8501", "127.0.0.1:8501"),
        ({"PUBLIC_URL": "https://gap.example"}, "https://gap.example", "127.0.0.1:8501"),
        ({"PUBLIC_URL": "https://gap.example"}, "https://gap.example", "gap.example"),
        ({"HOST": "0.0.0.0"}, "http://box:8501", "box:8501"),
    ],
)
def test_our_own_pages_open_a_session_and_their_origin_is_not_judged_again(
    *, guarded, environment, origin, host
):
    client = guarded(**environment)
    with client.websocket_connect("/_stcore/stream", headers={"Origin": origin, "Host": host}) as session:
        assert session.receive_json() == {"origin": None}


def test_who_may_embed_is_the_operators_choice(guarded):
    header = guarded(EMBED_ANCESTORS="'self' https://intranet.example").get("/").headers
    assert header["content-security-policy"].endswith("frame-ancestors 'self' https://intranet.example")


@pytest.mark.parametrize("path", ["/nope", "/data/x", "/data.exe", "/_stcore/nope", "/index", "/DATA"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_an_unknown_path_is_404_for_every_method(*, guarded, path, method):
    answer = guarded().request(method, path)
    assert answer.status_code == 404
    assert "frame-ancestors" in answer.headers["content-security-policy"]
    if method != "HEAD":
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == 404


def test_a_browser_gets_a_page_that_repeats_nothing_of_the_address(guarded):
    answer = guarded().get("/<script>alert(1)</script>", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert "There is no such page" in answer.text
    assert "alert" not in answer.text
    assert '<a href="/data">Data</a>' in answer.text


def test_the_icon_is_our_own(guarded):
    answer = guarded().get("/favicon.png")
    assert answer.headers["content-type"] == "image/png"


def test_a_socket_that_is_gone_ends_its_session_quietly_and_any_other_fault_is_told():
    async def gone(_scope, _receive, _send):
        raise WebSocketDisconnected("closed already")

    async def broken(_scope, _receive, _send):
        raise RuntimeError("a fault of ours")

    async def meet(app, kind):
        await GoneReaders(app)({"type": kind}, _receive, _send)

    asyncio.run(meet(gone, "websocket"))
    with pytest.raises(WebSocketDisconnected, match="closed already"):
        asyncio.run(meet(gone, "http"))
    with pytest.raises(RuntimeError, match="a fault of ours"):
        asyncio.run(meet(broken, "websocket"))


async def _receive():
    return {}


async def _send(_message):
    pass


@pytest.mark.parametrize(
    ("path", "near"),
    [("/placment", "/placement"), ("/Training_Compute", "/training-compute"), ("/methods.html", "/methods")],
)
def test_a_mistyped_address_is_told_the_page_it_most_likely_meant(*, guarded, path, near):
    page = Document(guarded().get(path, headers={"Accept": "text/html"}).text)
    assert page.root.xpath("//ul[@class='next']//a/@href") == [near, "/"]


def test_an_address_like_no_other_is_told_the_start_page_and_every_page_there_is(guarded):
    page = Document(guarded().get("/" + "q" * 5000, headers={"Accept": "text/html"}).text)
    assert page.titles == ["Not found – Scaling Gap"]
    assert page.root.xpath("//ul[@class='next']//a/@href") == ["/"]
    assert set(page.root.xpath("//nav//a/@href")) == {"/", *(f"/{name}" for name in PAGES)}
    assert page.one("//a[@class='home']/*[@class='mark']") is not None


@pytest.fixture
def quota():
    """Make a client of an app that keeps uploads, of sessions that hold some already. [byte]"""

    def make(held=None, *, app=None):
        async def kept(request):
            return PlainTextResponse(str(len(await request.body())))

        route = Route("/_stcore/upload_file/{session}/{file}", kept, methods=["PUT", "DELETE", "GET"])
        inner = app or Starlette(routes=[route, Route("/x", kept, methods=["PUT"])])
        return TestClient(UploadQuota(inner, held=lambda: held or {}))

    return make


UPLOAD = "/_stcore/upload_file/one/file"


def test_a_file_that_has_room_is_kept(quota):
    client = quota({"one": SESSION_BYTE - 3, "other": SESSION_BYTE})
    assert client.put(UPLOAD, content=b"abc").text == "3"
    assert client.delete(UPLOAD).status_code == 200
    assert client.put("/x", content=b"abcd").text == "4"


def test_a_session_keeps_no_more_than_its_share(quota):
    refused = quota({"one": SESSION_BYTE - 3}).put(UPLOAD, content=b"abcd")
    assert refused.status_code == 413
    assert refused.text == "A session keeps files of 60 MB in all. Remove a file, or reload the page.\n"


def test_the_process_keeps_no_more_than_it_can_hold(quota):
    held = {str(number): SESSION_BYTE for number in range(PROCESS_BYTE // SESSION_BYTE)}
    refused = quota(held).put(UPLOAD, content=b"a")
    assert refused.status_code == 503
    assert refused.text.startswith("The server keeps as many files of readers as it can. Please try again")


def test_a_file_under_way_counts_until_it_is_kept():
    seen = []

    async def slow(scope, receive, send):  # noqa: PLR0917 - ASGI
        seen.append(dict(middle.under_way))
        await PlainTextResponse("kept")(scope, receive, send)

    middle = UploadQuota(slow, held=dict)
    assert TestClient(middle).put(UPLOAD, content=b"abc").text == "kept"
    assert (seen, middle.under_way) == ([{"one": 3}], {})


def test_a_file_of_unknown_length_is_not_begun(quota):
    refused = quota().put(UPLOAD, content=iter([b"abc"]))
    assert (refused.status_code, refused.text) == (411, "A file is sent with its length.\n")


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_nothing_is_read_where_files_are_sent_to(quota, method):
    refused = quota().request(method, UPLOAD)
    assert refused.status_code == 405
    assert refused.headers["allow"] == "PUT, DELETE, OPTIONS"
