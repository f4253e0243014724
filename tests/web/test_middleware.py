import asyncio
import errno

import pytest
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect, WebSocketDisconnected

from panel import assets
from panel.menu import PAGES
from panel.streamlit_names import UPLOADS
from tests.web.document import Document
from tests.web.served import SMALL_INDEX, index_html
from web.middleware import middleware, upload_quota
from web.middleware.requests import PART_BYTE, ClientDisconnects, Requests, parts
from web.middleware.security_headers import inline_script_hashes
from web.middleware.upload_quota import PROCESS_BYTE, SESSION_BYTE, UploadQuota
from web.routes import routes
from web.settings import from_environment
from web.telemetry import Metrics

TAPPED = f"<script>{assets.text_of(assets.TAPPED)}</script>"


@pytest.mark.parametrize("kind", ["", ' type="module"'])
def test_of_script_elements_those_that_run_are_hashed(kind):
    """printf '\\n  x = 1\\n' | openssl dgst -sha256 -binary | base64."""
    others = """<!-- <script>no</script> --><script src='a.js'></script><script type="application/json">{}</script>"""
    expected = ["sha256-BbJ+FSK+ErAV471Y8ZXwwfLNZHNs207gkT7PGBH0XE0="]
    assert inline_script_hashes(f"{others}<script{kind}>\n  x = 1\n</script>") == expected


def test_what_a_document_may_do_is_this_and_nothing_more(site):
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


@pytest.mark.parametrize("path", ["/data?find=x", "/training-compute?embed=true", "/methods"])
def test_the_scripts_of_every_document_are_those_the_policy_allows(site, path):
    got = site.get(path)
    document, policy = Document(got.text), got.headers["content-security-policy"]
    expected = [*inline_script_hashes(index_html()), *inline_script_hashes(TAPPED * (path != "/methods"))]
    assert inline_script_hashes(got.text) == expected
    inline = [script for script in document.scripts if not script.get("src")]
    assert len(inline) == len(inline_script_hashes(got.text)) > 0
    assert all(digest in policy for digest in inline_script_hashes(got.text))
    sources = [script.get("src") for script in document.scripts if script.get("src")]
    assert all(source.startswith("/assets/") for source in sources) and sources
    styles = document.root.xpath("//link[@rel='stylesheet']/@href")
    assert all(address.startswith("/") and not address.startswith("//") for address in styles)
    assert not document.foreign()


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

        own = routes(static_folder=tmp_path)
        file = Route("/_stcore/upload_file/x", upload, methods=["PUT"])
        streamlit = [Route("/", home), file, WebSocketRoute("/_stcore/stream", echo)]
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
    headers = {"Origin": origin, "Host": "127.0.0.1:8501"}
    opening = client.websocket_connect("/_stcore/stream", headers=headers)
    with pytest.raises(WebSocketDisconnect) as refused, opening:
        pass
    assert refused.value.code == 1008
    answer = client.put("/_stcore/upload_file/x", headers={"Origin": origin})
    assert (answer.status_code, answer.text) == (403, "Only the app's own pages can open sessions.")


@pytest.mark.parametrize(
    ("environment", "origin", "host"),
    [
        ({}, "http://127.0.0.1:8501", "127.0.0.1:8501"),
        ({"PUBLIC_URL": "https://gap.example"}, "https://gap.example", "127.0.0.1:8501"),
        ({"PUBLIC_URL": "https://gap.example"}, "https://gap.example", "gap.example"),
        ({"HOST": "0.0.0.0"}, "http://box:8501", "box:8501"),
    ],
)
def test_our_own_pages_open_a_session_and_their_origin_is_judged_once(*, guarded, environment, origin, host):
    client = guarded(**environment)
    with client.websocket_connect("/_stcore/stream", headers={"Origin": origin, "Host": host}) as session:
        assert session.receive_json() == {"origin": None}


def test_who_may_embed_is_the_operators_choice(guarded):
    header = guarded(EMBED_ANCESTORS="'self' https://intranet.example").get("/").headers
    assert header["content-security-policy"].endswith("frame-ancestors 'self' https://intranet.example")


@pytest.mark.parametrize("path", ["/nope", "/data/x", "/_stcore/nope", "/index.html", "/DATA"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_an_unknown_path_is_404_for_every_method(*, guarded, path, method):
    answer = guarded().request(method, path)
    assert answer.status_code == 404
    assert "frame-ancestors" in answer.headers["content-security-policy"]
    if method != "HEAD":
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == 404


def test_a_reader_who_is_gone_ends_their_request_quietly_and_any_other_fault_is_logged():
    def failing(fault):
        async def app(_scope, _receive, _send):
            raise fault

        return ClientDisconnects(app)

    async def meet(fault, kind):
        await failing(fault)({"type": kind}, _receive, _send)

    asyncio.run(meet(WebSocketDisconnected("closed already"), "websocket"))
    asyncio.run(meet(ClientDisconnect(), "http"))
    with pytest.raises(WebSocketDisconnected, match="closed already"):
        asyncio.run(meet(WebSocketDisconnected("closed already"), "http"))
    with pytest.raises(RuntimeError, match="a fault of ours"):
        asyncio.run(meet(RuntimeError("a fault of ours"), "websocket"))


async def _receive():
    return {}


async def _send(_message):
    pass


@pytest.mark.parametrize(
    ("path", "near"),
    [
        ("/placment", ["/placement"]),
        ("/Training_Compute", ["/training-compute"]),
        ("/methods.html", ["/methods"]),
        ("/" + "q" * 5000, []),
        ("/<script>alert(1)</script>", []),
    ],
)
def test_a_browser_is_told_the_page_an_address_most_likely_meant_and_every_page(*, guarded, path, near):
    answer = guarded().get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 404 and "alert" not in answer.text
    page = Document(answer.text)
    assert page.titles == ["Not found – Scaling Gap"]
    assert page.words("//h1") == "There is no such page"
    assert page.root.xpath("//ul[@class='next']//a/@href") == [*near, "/"]
    assert set(page.root.xpath("//nav//a/@href")) == {"/", *(f"/{name}" for name in PAGES)}
    assert page.one("//a[@class='home']/*[@class='mark']") is not None


class Uploads:
    """Uploads through the quota that go on part by part, as a test says."""

    def __init__(self, held=None):
        self.quota = UploadQuota(self.take, held=lambda: held or {})

    async def take(self, scope, receive, send):  # noqa: PLR0917 - ASGI
        while (await receive())["more_body"]:
            pass
        await PlainTextResponse("kept")(scope, receive, send)

    async def begin(
        self, *parts, session="one", address="198.51.100.1", promised=0, method="PUT", path=UPLOADS
    ):
        """Return the status and text of an upload of these sizes [byte]; after them its sender is silent."""
        left, answer = list(parts), []
        length = [(b"content-length", str(promised).encode())] if promised else []
        scope = {"type": "http", "method": method, "client": (address, 1), "headers": length}

        async def receive():
            if not left:
                await asyncio.Event().wait()
            size, more = left.pop(0), bool(left) or promised > sum(parts)
            return {"type": "http.request", "body": bytes(size), "more_body": more}

        async def send(message):
            answer.append(message.get("status") or message["body"].decode())

        await self.quota({**scope, "path": f"{path}{session}/file"}, receive, send)
        return tuple(answer)


def test_an_upload_that_is_only_begun_takes_no_room_from_others(monkeypatch):
    monkeypatch.setattr(upload_quota, "SILENCE_S", 0.2)
    uploads = Uploads()

    async def both():
        held = [uploads.begin(session=f"s{n}", promised=20_000_000) for n in range(12)]
        under_way = [asyncio.create_task(one) for one in held]
        await asyncio.sleep(0)
        assert await uploads.begin(100, session="another") == (200, "kept")
        return await asyncio.gather(*under_way)

    assert set(asyncio.run(both())) == {(408, "Nothing has arrived for 0.2 s.\n")}
    assert not uploads.quota.received


def test_what_has_arrived_of_an_upload_counts_until_it_ends(monkeypatch):
    monkeypatch.setattr(upload_quota, "SILENCE_S", 5.0)
    uploads = Uploads()

    async def both():
        first = asyncio.create_task(uploads.begin(SESSION_BYTE - 10, promised=SESSION_BYTE))
        while not uploads.quota.received:
            await asyncio.sleep(0)
        refused = await uploads.begin(5, 6)
        taken = await uploads.begin(5, 5)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        return refused, taken

    refused, taken = asyncio.run(both())
    assert refused[0] == 413
    assert taken == (200, "kept")
    assert not uploads.quota.received


def test_one_address_leaves_room_to_others_however_many_sessions_it_opens():
    held = {f"s{number}": 20_000_000 for number in range(6)}
    uploads = Uploads(held)

    async def all_of_them():
        for session in held:
            uploads.quota.clients[session] = "198.51.100.1"
        refused = await uploads.begin(1, session="s7")
        return refused, await uploads.begin(1, session="s8", address="198.51.100.2")

    refused, taken = asyncio.run(all_of_them())
    assert refused == (503, "One network address can send 120 MB of files. Close other pages.\n")
    assert taken == (200, "kept")
    assert set(uploads.quota.clients) == {*held, "s8"}


FULL = {str(number): SESSION_BYTE for number in range(PROCESS_BYTE // SESSION_BYTE)}
SHARE = "A session can keep 60 MB of files. Remove a file, or reload the page.\n"
BUSY = "The server has no room for more files. Try again in a few minutes.\n"
NOWHERE = "Only the app's own pages send files here, and nobody can read them.\n"


@pytest.mark.parametrize(
    ("held", "sent", "answer"),
    [
        ({"one": SESSION_BYTE - 3, "other": SESSION_BYTE}, {"size": 3}, (200, "kept")),
        ({"one": SESSION_BYTE - 3}, {"size": 4}, (413, SHARE)),
        ({"one": SESSION_BYTE - 3}, {"promised": 4}, (413, SHARE)),
        (FULL, {"size": 4}, (503, BUSY)),
        (FULL, {"size": 4, "method": "DELETE"}, (200, "kept")),
        (FULL, {"size": 4, "path": "/elsewhere/"}, (200, "kept")),
        ({}, {"size": 4, "method": "GET"}, (405, NOWHERE)),
        ({}, {"size": 4, "method": "POST"}, (405, NOWHERE)),
    ],
)
def test_a_session_keeps_its_share_and_the_process_what_it_can_hold(*, held, sent, answer):
    size = sent.pop("size", 0)
    assert asyncio.run(Uploads(held).begin(*[size] * bool(size), **sent)) == answer


def requested(app):
    """Return a client of an app behind the middleware that names requests, and what is counted."""
    metrics = Metrics()
    return TestClient(Requests(app, metrics=metrics), raise_server_exceptions=False), metrics


def sending(*messages, fault=None):
    async def app(_scope, _receive, send):
        for message in messages:
            await send(message)
        if fault is not None:
            raise fault

    return app


STARTED = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5000000")]}


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENFILE])
def test_a_file_that_cannot_be_opened_is_503_and_never_an_empty_200(number):
    client, metrics = requested(sending(dict(STARTED), fault=OSError(number, "Too many open files")))
    answer = client.get("/static/js/a.js")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert answer.json()["detail"] == "Too many files are open. Try again in 5 s."
    counted = {"view": "static", "form": "", "status": "503"}
    assert metrics.registry.get_sample_value("scaling_gap_answers_total", counted) == 1


@pytest.mark.parametrize("fault", [OSError(errno.EIO, "Input/output error"), RuntimeError("a fault of ours")])
def test_a_fault_before_the_body_leaves_the_answer_to_whoever_handles_faults(fault):
    sent = []

    async def send(message):
        sent.append(message)

    app = Requests(sending(dict(STARTED), fault=fault), metrics=Metrics())
    with pytest.raises(type(fault)):
        asyncio.run(app({"type": "http", "path": "/", "method": "GET", "headers": []}, _receive, send))
    assert sent == []


def test_a_fault_in_the_middle_of_a_body_is_no_second_answer():
    part = {"type": "http.response.body", "body": b"a", "more_body": True}
    app = Requests(sending(dict(STARTED), part, fault=OSError(errno.EMFILE, "full")), metrics=Metrics())
    with pytest.raises(OSError, match="full"):
        asyncio.run(app({"type": "http", "path": "/", "method": "GET", "headers": []}, _receive, _send))


@pytest.mark.parametrize("size", [0, 1, PART_BYTE - 1, PART_BYTE, PART_BYTE + 1, 3 * PART_BYTE])
@pytest.mark.parametrize("more", [True, False])
def test_an_answer_is_written_in_parts_of_which_one_is_held_for_a_slow_reader(size, more):
    body = bytes(number % 251 for number in range(size))
    sent = list(parts({"type": "http.response.body", "body": body, "more_body": more}))
    assert b"".join(part["body"] for part in sent) == body
    assert all(len(part["body"]) <= PART_BYTE for part in sent)
    assert [part["more_body"] for part in sent] == [True] * (len(sent) - 1) + [more]
    assert len(sent) == max(-(-size // PART_BYTE), 1)
