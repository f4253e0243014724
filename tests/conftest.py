"""What every test shares: how many random cases there are and which, and which tests share a process."""

import gc
import os
import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from cachetools import LRUCache
from xdist.scheduler import LoadScopeScheduling

import data  # noqa: F401 - pandas is loaded as the app loads it
from data import records
from tests.length import LONG
from views.kept import FINDINGS, KEEP_BYTE
from views.registry import VIEWS
from views.store import _charged_byte

FEW = 15
"""Random cases of a law in `make test`; in `make test-long` as many as the test says, 1,000 where it says nothing."""
VIEW = re.compile(rf"(?<=[/\[-])(?:{'|'.join(view.name for view in VIEWS.values())}|(?<=\[)/)(?=[].-])")
"""A view among the parameters of a test by its name, or the start page by its path."""
AT_LENGTH = tomllib.loads(Path(__file__).with_name("at_length.toml").read_text("utf-8"))
PLACES: dict[str, str] = {}
"""The process in which the tests of a scope run."""

hypothesis.settings.register_profile(
    "scaling gap", deadline=None, print_blob=False, max_examples=1000 if LONG else FEW
)
hypothesis.settings.load_profile("scaling gap")


def pytest_configure(config: pytest.Config) -> None:
    """Draw other random cases each day, the same all day; ``--hypothesis-seed`` repeats those of another day.

    Servers that tests start do not compute what nobody there asks for.
    """
    os.environ.setdefault("WARM_UP", "off")
    gc.disable()  # until all tests are collected
    if config.getoption("hypothesis_seed", None) is None:
        config.option.hypothesis_seed = f"{date.today():%Y%m%d}"


def pytest_collection_finish() -> None:
    """Have the garbage collector leave out what all tests share, and look seldom at the rest."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def pytest_report_header(config: pytest.Config) -> str:
    """Say how to repeat the random cases of this run."""
    seed = config.getoption("hypothesis_seed", None)
    return f"random cases: --hypothesis-seed={seed}, {'at length' if LONG else f'at most {FEW} of each law'}"


@pytest.fixture(scope="session", autouse=True)
def every_answer_is_kept() -> None:
    """Keep what was computed for the tests that come: laws over answers read the same links again and again."""
    FINDINGS._kept = LRUCache(10 * KEEP_BYTE, getsizeof=_charged_byte)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Draw few cases of each law, and leave the tests of at_length.toml to `make test-long`."""
    for item in items:
        file, _, name = item.nodeid.partition("[")[0].partition("::")
        if not LONG and name in AT_LENGTH.get(file, {}):
            item.add_marker(pytest.mark.skip(reason=f"make test-long runs it: {AT_LENGTH[file][name]}"))
        test = getattr(item, "obj", None)
        own = getattr(test, "_hypothesis_internal_use_settings", None)
        if test is not None and own is not None and not LONG and own.max_examples > FEW:
            test._hypothesis_internal_use_settings = hypothesis.settings(own, max_examples=FEW)


def scope_of(nodeid: str) -> str:
    """Return the view that a test is about, else its file. Those in a browser share servers in two processes."""
    file, _, test = nodeid.partition("::")
    if file.startswith("tests/browser/"):
        return "browser, first half" if file < "tests/browser/test_m" else "browser, second half"
    if file.startswith("tests/benchmarks/"):
        return "benchmarks"
    view = VIEW.search(test)
    return view[0].replace("/", "overview") if view else file


class ByView(LoadScopeScheduling):
    """Gives a view's tests to one process. Groups of xdist 3.8 do nothing under pytest 9.2 (its issue 1386)."""

    _split_scope = staticmethod(scope_of)  # pyright: ignore[reportAssignmentType]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByView | None:
    return ByView(config, log) if config.getvalue("dist") == "loadgroup" else None


def pytest_runtest_logreport(report: Any) -> None:
    """End a run in which a view's tests are in two processes: both would compute its answers, and nobody would see."""
    node = getattr(report, "node", None)
    if node and node.config.getvalue("dist") == "loadgroup":
        scope = scope_of(report.nodeid)
        assert PLACES.setdefault(scope, node.gateway.id) == node.gateway.id, f"{scope} is in two processes"


@pytest.fixture(autouse=True)
def nothing_moved(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Test views on what they say themselves: what is on record as moved by method would be a note of every page."""
    if request.path.name not in {"test_records.py", "test_moved_by_method.py"}:
        monkeypatch.setattr(records, "moves", tuple)
