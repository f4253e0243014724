"""Pages run without a browser, through the menu, at an address of their own."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.web.served import let_readers_wait

MENU = Path(__file__).resolve().parent.parent.parent / "pages" / "navigation.py"


def go_to(page: AppTest, path: str) -> AppTest:
    """Return a page that has run once, about to run at another address; AppTest itself goes to files only."""
    pages = page._registered_pages.items()
    page._page_hash = next(name for name, info in pages if info.get("url_pathname") == path.strip("/"))
    return page


@pytest.fixture(autouse=True)
def patient_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers wait for as long as a busy machine takes."""
    let_readers_wait(monkeypatch)


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """Opens an address of the app: ``open_page("/deck", view=[...])``."""
    # Streamlit takes the place of the main module; processes that a later test starts would begin with the menu.
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])

    def open_it(path: str, **query: str | list[str]) -> AppTest:
        running = AppTest.from_file(MENU, default_timeout=60)
        if path != "/":
            running = go_to(running.run(), path)
        for name, value in query.items():
            running.query_params[name] = value
        return running.run()

    return open_it


@pytest.fixture
def sent() -> Callable[[AppTest], dict[str, Any]]:
    """``sent(page)`` is what a page hands to its components in the browser: the panel's and the keeper's, by name."""

    def of(page: AppTest) -> dict[str, Any]:
        components = [one.proto for one in _elements(page.main) if one.type == "bidi_component"]
        return {one.component_name: json.loads(one.json) for one in components}

    return of


def _elements(block: Any) -> Iterator[Any]:
    for one in block.children.values():
        if hasattr(one, "children"):
            yield from _elements(one)
        else:
            yield one
