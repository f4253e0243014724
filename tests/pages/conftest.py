"""Pages run without a browser, through the menu, at an address of their own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from views.registry import VIEWS

MENU = Path(__file__).resolve().parent.parent.parent / "pages" / "navigation.py"


@pytest.fixture
def open_page() -> Callable[..., AppTest]:
    """Opens an address of the app: ``open_page("/training-compute", since="2020")``."""

    def open_it(path: str, **query: str | list[str]) -> AppTest:
        running = AppTest.from_file(MENU, default_timeout=60)
        if path != "/":
            module = VIEWS[path].build.__module__.split(".")[1] if path in VIEWS else path.strip("/")
            running = running.switch_page("methods.py").run().switch_page(f"{module}.py")
        for name, value in query.items():
            running.query_params[name] = value
        return running.run()

    return open_it
