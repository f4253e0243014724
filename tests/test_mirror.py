"""Tests mirror the tree: a module has its namesake, or held_by.toml says where it is held and why."""

import ast
import fnmatch
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import AT_LENGTH

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("analysis", "views", "charts", "panel", "web", "data", "pages", "scripts", "benchmarks")
HELD_BY = tomllib.loads((ROOT / "tests" / "held_by.toml").read_text(encoding="utf-8"))["modules"]


@cache
def modules() -> list[str]:
    """Return every module of the project by its path; a package's own file counts where it has code."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    return [
        path.relative_to(ROOT).as_posix()
        for path in paths
        if path.name != "__init__.py" or len(ast.parse(path.read_text(encoding="utf-8")).body) > 1
    ]


def namesake(module: str) -> Path:
    """Return where the test of a module lies: the same folder below tests/, the same name."""
    path = Path(module)
    stem = path.parent.name if path.name == "__init__.py" else path.stem.strip("_")
    folder = path.parent.parent if path.name == "__init__.py" else path.parent
    return ROOT / "tests" / folder / f"test_{stem}.py"


def named(module: str) -> list[str]:
    """Return the entries of held_by.toml that name a module."""
    return [pattern for pattern in HELD_BY if fnmatch.fnmatchcase(module, pattern)]


def test_every_module_has_its_namesake_or_is_named_with_its_reason():
    homeless = [module for module in modules() if not namesake(module).exists() and not named(module)]
    assert not homeless, "\n".join(homeless)


@pytest.mark.parametrize("pattern", HELD_BY)
def test_what_is_held_elsewhere_names_tests_that_are_there_and_says_why(pattern):
    entry = HELD_BY[pattern]
    covered = [module for module in modules() if fnmatch.fnmatchcase(module, pattern)]
    without = [module for module in covered if not namesake(module).exists()]
    assert without, f"{pattern} names no module without a test of its own; take the entry out."
    assert len(entry["why"]) > 20 and entry["by"], pattern
    for test in entry["by"]:
        assert (ROOT / test).exists(), f"{pattern} is said to be held by {test}, which is not there."


@pytest.mark.parametrize("file", AT_LENGTH)
def test_every_test_left_to_the_long_run_is_there_and_says_why(file):
    text = (ROOT / file).read_text(encoding="utf-8")
    assert [
        name for name, why in AT_LENGTH[file].items() if f"def {name}(" not in text or len(why) < 20
    ] == []
