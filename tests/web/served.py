"""Our own routes and middleware as they are served, without Streamlit behind them."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.testclient import TestClient

from views.compute_pool import POOLS, ComputePool
from views.registry import VIEWS
from web import pages
from web.delivery import deliver
from web.forms import FORMS
from web.middleware import middleware
from web.renderings import Renderings
from web.routes import routes
from web.settings import Settings, from_environment
from web.view_files import ViewFiles

HOST = "http://127.0.0.1:8501"
DAY = date(2026, 8, 3)


def index_html() -> str:
    """Return Streamlit's page as it ships."""
    return (static_folder() / "index.html").read_text(encoding="utf-8")


SMALL_INDEX = """<!DOCTYPE html><html><head><script>x</script>
<script type="module" src="./static/js/a.js"></script><link rel="stylesheet" href="./static/css/a.css">
<link rel="preload" href="./static/media/a.woff2" as="font"></head><body><div id="root"></div></body></html>"""
"""The least that stands for Streamlit's page."""


def static_folder() -> Path:
    """Return where Streamlit keeps its page and what that loads."""
    spec = find_spec("streamlit")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent / "static"


def app(**environment: str) -> Starlette:
    settings = from_environment(environment)
    folder = static_folder()
    around = middleware(settings, static_folder=folder)
    return Starlette(routes=routes(static_folder=folder, settings=settings), middleware=around)


def client(**environment: str) -> TestClient:
    return TestClient(app(**environment), base_url=HOST)


@contextmanager
def on_loopback(app: Any) -> Iterator[str]:
    """Give the address of an app that is served on a free port of this machine while this lasts."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)


DEADLINE_S = 600.0
"""So late that a busy machine is no reason for "try again later". [s]"""


def let_readers_wait(patch: pytest.MonkeyPatch) -> None:
    """Have readers wait for as long as it takes."""
    for waiting in (deliver, Renderings.get, ComputePool.result):
        defaults: Any = waiting.__kwdefaults__
        assert "patience_s" in defaults
        patch.setitem(defaults, "patience_s", DEADLINE_S)
    patch.setattr(pages, "CRAWLER_PATIENCE_S", DEADLINE_S)
    for pool in POOLS.values():
        patch.setattr(pool, "longest_s", DEADLINE_S)


def files_only(*, views=VIEWS, renderings: Renderings | None = None) -> Starlette:
    """Return an app of the forms alone, on a fixed day."""
    route = ViewFiles(views, settings=Settings(), renderings=renderings or Renderings(), day=lambda: DAY)
    return Starlette(routes=[route])


def ask(
    app: Starlette, path: str, *, query: bytes = b"", method: str = "GET", stays: bool = True, **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of the answer to a request whose bytes no client has tidied.

    One who does not stay hangs up once they have asked.
    """
    sent: list[Any] = []
    messages = [{"type": "http.request", "body": b"", "more_body": False}]
    named = {"host": "127.0.0.1:8501", **{name.replace("_", "-"): text for name, text in headers.items()}}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode("utf-8", "surrogatepass"),
        "root_path": "",
        "query_string": query,
        "headers": [(name.encode("latin-1"), text.encode("latin-1")) for name, text in named.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8501),
    }

    async def receive() -> Any:
        if messages:
            return messages.pop()
        if stays:
            await asyncio.Event().wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    got = {name.decode("latin-1"): text.decode("latin-1") for name, text in sent[0]["headers"]}
    return sent[0]["status"], got, b"".join(message.get("body", b"") for message in sent[1:])


EVERY_FORM = [(view, form) for view in VIEWS.values() for form in FORMS.values()]
EVERY_FORM_IDS = [f"{view.name}.{form.extension}" for view, form in EVERY_FORM]
EVERY_VIEW = pytest.mark.parametrize("view", VIEWS.values(), ids=lambda view: view.name)
