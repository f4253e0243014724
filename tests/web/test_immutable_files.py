import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from web.delivery import accepts_gzip
from web.immutable_files import ImmutableFiles

SCRIPT = "const answer = 42;\n" * 400


@pytest.fixture
def client(tmp_path):
    """Return a client of Streamlit's files; one of them is a font, one is none that may be kept."""
    files = {"static/js/a.js": SCRIPT.encode(), "static/media/b.woff2": bytes(5000), "m.json": b"{}"}
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)

    async def streamlit(request):
        return PlainTextResponse(f"Streamlit answers {request.url.path}")

    with TestClient(Starlette(routes=[ImmutableFiles(tmp_path), Route("/{path:path}", streamlit)])) as client:
        yield client


def test_a_file_is_read_once_however_often_it_is_asked_for(client, tmp_path):
    for _ in range(3):
        for encoding, packed in (("gzip", "gzip"), ("identity", None)):
            answer = client.get("/static/js/a.js", headers={"Accept-Encoding": encoding})
            assert answer.headers.get("content-encoding") == packed
            assert answer.text == SCRIPT
        (tmp_path / "static/js/a.js").unlink(missing_ok=True)


def test_a_font_is_sent_as_it_is_and_what_is_no_immutable_file_is_passed_on(client):
    font = client.get("/static/media/b.woff2")
    assert (font.content, "content-encoding" in font.headers) == (bytes(5000), False)
    for path in ("/static/none.js", "/m.json", "/static/../m.json"):
        assert client.get(path).text.startswith("Streamlit answers")


def test_a_file_that_cannot_be_read_now_is_read_at_the_next_request(client, tmp_path):
    (tmp_path / "static/js/a.js").rename(tmp_path / "aside")
    assert client.get("/static/js/a.js").status_code == 500
    (tmp_path / "aside").rename(tmp_path / "static/js/a.js")
    assert client.get("/static/js/a.js").text == SCRIPT


@pytest.mark.parametrize(
    ("offers", "reads"),
    [
        *((offers, True) for offers in ("br, gzip;q=0.5", "GZIP", "*", "br, gzip;q=0.1")),
        *((offers, False) for offers in ("gzip;q=0", "br", "", "gzip;q=0.000")),
    ],
)
def test_gzip_is_for_who_says_that_they_read_it(offers, reads):
    assert accepts_gzip(offers) is reads
