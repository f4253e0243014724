from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient

from tests.cases import cases
from tests.web.served import SMALL_INDEX
from web.middleware import middleware
from web.settings import from_environment
from web.site import client_of


def client_seen(folder, *, peer, forwarded, trusted, scheme=""):
    """Return client and scheme of a request, as the app sees them behind its own middleware."""
    (folder / "index.html").write_text(SMALL_INDEX)

    async def last(scope, receive, send):  # noqa: PLR0917 - ASGI
        request = Request(scope)
        await PlainTextResponse(f"{client_of(request)} {request.url.scheme}")(scope, receive, send)

    app: Any = last
    for one in reversed(middleware(from_environment({"TRUSTED_PROXY": trusted}), static_folder=folder)):
        app = one.cls(app, *one.args, **one.kwargs)
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    headers |= {"X-Forwarded-Proto": scheme} if scheme else {}
    return TestClient(app, base_url="http://127.0.0.1:8501", client=(peer, 1)).get("/", headers=headers).text


@pytest.mark.parametrize(("peer", "forwarded", "trusted", "client"), cases(__file__)["rows"])
def test_a_client_is_the_peer_unless_a_trusted_proxy_names_one(*, tmp_path, peer, forwarded, trusted, client):
    assert client_seen(tmp_path, peer=peer, forwarded=forwarded, trusted=trusted) == f"{client} http"


def test_only_a_trusted_proxy_says_that_readers_use_https(tmp_path):
    named = {"peer": "10.0.0.2", "forwarded": "198.51.100.1", "scheme": "https"}
    assert client_seen(tmp_path, trusted="", **named) == "10.0.0.2 http"
    assert client_seen(tmp_path, trusted="10.0.0.2", **named) == "198.51.100.1 https"


def test_a_client_may_be_nobody():
    assert client_of(Request({"type": "http", "client": None, "headers": []})) == ""
