"""A started app and a watched browser: a console error or a request to elsewhere fails the test."""

import http.server
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.servers import Server, begin
from panel.streamlit_names import HEALTH, HOST_CONFIG
from scripts.prepare import find_chromium
from tests.browser.reader import DEADLINE_S
from tests.browser.streamlit_page import PANEL, SETTLED, SKELETON
from views.registry import VIEWS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--force-color-profile=srgb",
    "--process-per-site",  # scripts compiled for one page are there for the next
]
PERMISSIONS = ["clipboard-read", "clipboard-write", "local-network-access"]
"""The last for a document that a test has changed on its way: to Chromium it is no longer from this machine."""
VIEWPORTS = {"phone": (390, 844), "laptop": (1280, 800), "desktop": (1920, 1080), "wide": (2560, 1440)}
"""Name -> width, height [px]: what the pages are looked at with."""
VIEW_DRAWN = HERE.joinpath("view_drawn.js").read_text("utf-8")
"""The first chart is live, and every one in sight; the others are drawn when a reader comes to them."""
BASE_PATH_PROBE = rf"404 .*/[^/]+({HEALTH}|{HOST_CONFIG})"
"""On a deep link Streamlit first asks whether it is served below that path; being told no is no error."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def start(
    folder: Path,
    *,
    command: Sequence[str] = (sys.executable, str(ROOT / "app.py")),
    cwd: Path = ROOT,
    port: int | None = None,
    **settings: str,
) -> Server:
    """Return the started app once it answers; ``{port}`` in the command stands for the port it gets."""
    log = folder / f"server-{len(list(folder.iterdir()))}.log"
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("STREAMLIT_", "COVERAGE_"))}
    own = {
        "HOST": "127.0.0.1",
        "PYTHONPATH": str(HERE / "outside_contacts"),
        "OUTSIDE_CONTACTS": f"{log}.outside",
    }
    server = begin(command, log=log, cwd=cwd, environment={**clean, **own, **settings}, port=port)
    server.until_it_answers(HEALTH)
    return server


def outside_contacts(server: Server) -> str:
    """Return each address outside this machine that the process wanted to reach, with who asked; empty is right."""
    file = Path(f"{server.log}.outside")
    return file.read_text(encoding="utf-8") if file.exists() else ""


def check_log(server: Server) -> None:
    """Fail the test when the server printed a traceback or reached out."""
    log, contacts = server.log_text(), outside_contacts(server)
    assert "Traceback" not in log, f"The server printed a traceback:\n{log[-6000:]}"
    assert not contacts, f"The server wanted to reach outside addresses:\n{contacts[-6000:]}"


@pytest.fixture(scope="session")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A server of pages of another origin, which may show ours: its address, and the folder of its pages."""
    folder = tmp_path_factory.mktemp("elsewhere")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://localhost:{site.server_port}", folder
    site.shutdown()
    site.server_close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, elsewhere: tuple[str, Path]) -> Iterator[Server]:
    """The app, started once from another folder for all tests that do not need it fresh."""
    folder = tmp_path_factory.mktemp("server")
    running = start(folder, cwd=folder, EMBED_ANCESTORS=f"'self' {elsewhere[0]}")
    yield running
    running.stop()
    check_log(running)


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts further servers, as ``start`` does, and ends each after the test."""
    running: list[Server] = []

    def begin(**how: Any) -> Server:
        running.append(start(tmp_path, **how))
        return running[-1]

    yield begin
    for one in running:
        one.stop()
    for one in running:
        check_log(one)


open_now = ExitStack()
"""What is open from test to test of this folder: Playwright, Chromium and its window."""
opened: dict[str, Any] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """Close Chromium after the last test in a row: other folders start their own, beside which none may be open."""
    yield
    if nextitem is None or HERE not in nextitem.path.parents:
        open_now.close()


@pytest.fixture(scope="module")
def browser() -> Browser:
    """Chromium: the system's, or Playwright's own."""
    if "browser" not in opened:
        chromium = open_now.enter_context(sync_playwright()).chromium
        opened["browser"] = chromium.launch(executable_path=find_chromium(), args=FLAGS)
        open_now.callback(opened["browser"].close)
        open_now.callback(opened.clear)
    return opened["browser"]


@dataclass(kw_only=True)
class Guard:
    """What the browser complained about and whom it asked, other than this machine."""

    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=lambda: [BASE_PATH_PROBE])
    """Patterns (regular expressions) of complaints that a test provokes on purpose."""

    def watch(self, context: BrowserContext) -> None:
        """Write down errors and requests of every page of the context."""
        for event, listener in self._listeners.items():
            context.on(event, listener)  # type: ignore[call-overload]
        self._watched.append(context)

    def leave(self) -> None:
        """Write no more."""
        while self._watched:
            context = self._watched.pop()
            for event, listener in self._listeners.items():
                context.remove_listener(event, listener)

    def __post_init__(self) -> None:
        self._watched: list[BrowserContext] = []
        self._listeners: dict[Any, Callable[[Any], None]] = {
            "request": lambda request: self.requests.append(request.url),
            "console": self._console,
            "weberror": lambda error: self.complaints.append(f"uncaught: {error.error}"),
            "page": lambda page: page.on("websocket", lambda ws: self.requests.append(ws.url)),
        }

    def _console(self, message: Any) -> None:
        if message.type == "error":
            self.complaints.append(f"{message.text} ({message.location.get('url', '')})")

    def check(self) -> None:
        """Fail the test for an unexpected complaint or a request to elsewhere."""
        outside = [
            url
            for url in self.requests
            if urlsplit(url).scheme in ("http", "https", "ws", "wss")
            and urlsplit(url).hostname not in LOOPBACK
        ]
        unexpected = [
            line for line in self.complaints if not any(re.search(pattern, line) for pattern in self.expected)
        ]
        assert not outside, f"The browser was sent to outside addresses: {outside}"
        assert not unexpected, "The browser's console has errors:\n" + "\n".join(unexpected)


@pytest.fixture
def guard() -> Iterator[Guard]:
    """The watch over a test's pages; ``guard.expected.append(pattern)`` allows an error on purpose."""
    watch = Guard()
    yield watch
    watch.check()


def new_context(browser: Browser, **options: Any) -> BrowserContext:
    """Return a window with cookies and cache of its own."""
    context = browser.new_context(locale="en-GB", timezone_id="UTC", **options)
    context.set_default_timeout(DEADLINE_S * 1000)
    return context


def look(page: Page, *, viewport: str = "laptop", dark: bool = False) -> None:
    """Give a page the size of a screen and the reader's scheme."""
    width, height = VIEWPORTS[viewport]
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme="dark" if dark else "light")


@pytest.fixture(scope="module")
def window(browser: Browser, server: Server) -> BrowserContext:
    """The window of all tests, in which one page of the app stays open: its process keeps the compiled scripts."""
    if "window" not in opened:
        opened["window"] = new_context(browser, permissions=PERMISSIONS)
        opened["window"].new_page().goto(f"{server.url}/healthz")
    return opened["window"]


@pytest.fixture
def new_page(*, browser: Browser, guard: Guard, window: BrowserContext) -> Iterator[Callable[..., Page]]:
    """Makes watched pages: ``new_page(viewport="phone", dark=True)``; what a test leaves behind is cleared.

    With other options of Playwright a page has a window of its own.
    """
    guard.watch(window)
    before, own = list(window.pages), list[BrowserContext]()

    def make(*, viewport: str = "laptop", dark: bool = False, **options: Any) -> Page:
        if options:
            own.append(new_context(browser, **options))
            guard.watch(own[-1])
        page = (own[-1] if options else window).new_page()
        look(page, viewport=viewport, dark=dark)
        return page

    yield make
    guard.leave()
    for page in [page for page in window.pages if page not in before]:
        if page.url.startswith("http"):
            page.unroute_all(behavior="ignoreErrors")
            page.evaluate("() => { try { localStorage.clear() } catch {} }")
        page.close()
    window.clear_cookies()
    for context in own:
        context.close()


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    """A watched page of laptop size."""
    return new_page()


@pytest.fixture
def open_page(new_page: Callable[..., Page], server: Server) -> Callable[..., Page]:
    """Opens an address of the app in a watched page and waits until it is drawn and live.

    ``open_page("/training-compute?since=2018", viewport="phone", dark=True, on=start_server())``
    """

    def open_it(path: str, *, on: Server | None = None, **how: Any) -> Page:
        page = new_page(**how)
        page.goto((on or server).url + path)
        wait_until_drawn(page)
        return page

    return open_it


def wait_until_drawn(page: Page) -> None:
    """Return when the page of the address stands in its place with its charts live, and nothing is under way.

    A view's page has then moved into Streamlit's; in a frame there is no Streamlit to move into.
    """
    address = urlsplit(page.url)
    if address.path in VIEWS:
        embedded = parse_qs(address.query).get("embed") == ["true"]
        page.wait_for_function(VIEW_DRAWN, arg={"path": address.path, "panel": PANEL, "embedded": embedded})
        if embedded:
            return
    page.wait_for_selector(SETTLED)
    page.wait_for_function(f"() => !document.querySelector('{SKELETON}')")


@pytest.fixture
def drawn() -> Callable[..., None]:
    """``drawn(page)`` returns when the page stands in its place and every chart of it is live."""
    return wait_until_drawn
