"""What every test shares: how many random cases there are and which, and which tests share a process."""

import os
from datetime import date
from typing import Any

import hypothesis
import pytest
from cachetools import LRUCache

import data  # noqa: F401 - pandas is loaded as the app loads it
from data import records
from tests.length import LONG
from views.kept import FINDINGS, KEEP_BYTE
from views.registry import VIEWS
from views.store import _charged_byte
from views.view import View

FEW = 15
"""Random cases of a law in `make test`; in `make test-long` as many as the test says, 1,000 where it says nothing."""

hypothesis.settings.register_profile(
    "scaling gap", deadline=None, print_blob=False, max_examples=1000 if LONG else FEW
)
hypothesis.settings.load_profile("scaling gap")


def pytest_configure(config: pytest.Config) -> None:
    """Draw other random cases each day, the same all day; ``--hypothesis-seed`` repeats those of another day.

    Servers that tests start do not compute what nobody there asks for.
    """
    os.environ.setdefault("WARM_UP", "off")
    if config.getoption("hypothesis_seed", None) is None:
        config.option.hypothesis_seed = f"{date.today():%Y%m%d}"


def pytest_report_header(config: pytest.Config) -> str:
    """Say how to repeat the random cases of this run."""
    seed = config.getoption("hypothesis_seed", None)
    return f"random cases: --hypothesis-seed={seed}, {'at length' if LONG else f'at most {FEW} of each law'}"


@pytest.fixture(scope="session", autouse=True)
def every_answer_is_kept() -> None:
    """Keep what was computed for the tests that come: laws over answers read the same links again and again."""
    FINDINGS._kept = LRUCache(10 * KEEP_BYTE, getsizeof=_charged_byte)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Draw few cases of each law, and keep tests of one view in one process."""
    for item in items:
        _draw_fewer(getattr(item, "obj", None))
        item.add_marker(pytest.mark.xdist_group(_group(item)))


def _draw_fewer(test: Any) -> None:
    own = getattr(test, "_hypothesis_internal_use_settings", None)
    if own is not None and not LONG and own.max_examples > FEW:
        test._hypothesis_internal_use_settings = hypothesis.settings(own, max_examples=FEW)


def _group(item: pytest.Item) -> str:
    """Return the view that a test is about, whose answers are then made once; else its file.

    Those in a browser share one, with its server, in two processes at most.
    """
    file = item.nodeid.partition("::")[0]
    if file.startswith("tests/browser/"):
        return "browser, first half" if file < "tests/browser/test_m" else "browser, second half"
    if file.startswith("tests/benchmarks/"):
        return "benchmarks"
    parameters = (
        item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    )
    for value in parameters.values():
        view = VIEWS.get(value) if isinstance(value, str) else value
        if isinstance(view, View):
            return view.name
    return file


@pytest.fixture(autouse=True)
def nothing_moved(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Test views on what they say themselves: what is on record as moved by method would be a note of every page."""
    if request.path.name not in {"test_records.py", "test_moved_by_method.py"}:
        monkeypatch.setattr(records, "moves", tuple)
