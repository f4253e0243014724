"""The view that CONTRIBUTING.md adds in 20 minutes passes its own tests and those of every view, as it stands there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.length import LONG

ROOT = Path(__file__).resolve().parent.parent
STEPS = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", STEPS, re.DOTALL)
FILES = ("views/hello.py", "tests/views/test_hello.py")
OF_EVERY_VIEW = ("tests/views", "tests/panel", "tests/web", "tests/pages")
SHORT = ("test_hello.py", "test_result.py", "test_settings.py")
"""The files of tests/views whose laws a new view most likely breaks."""


def put_beside(file: Path, *, word: str, new: str) -> None:
    """Put a word before the first place of another in a file."""
    text = file.read_text(encoding="utf-8")
    assert word in text, file
    file.write_text(text.replace(word, f"{new}{word}", 1), encoding="utf-8")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Return a copy of the project in which the steps of CONTRIBUTING have been followed."""
    copy = tmp_path_factory.mktemp("checkout")
    others = shutil.ignore_patterns(".*", "browser.json")
    shutil.copytree(ROOT, copy, ignore=others, dirs_exist_ok=True)
    for name, block in zip(FILES, BLOCKS, strict=True):
        (copy / name).write_text(block, encoding="utf-8")
    registry = copy / "views" / "registry.py"
    put_beside(registry, word="overview, training_compute, written\n", new="hello, ")
    put_beside(registry, word="claims, track_record", new="hello, ")
    put_beside(copy / "views" / "menu.toml", word='"All claims"', new='"Hello" = "/hello"\n')
    put_beside(copy / "pyproject.toml", word="overview | growth_gap", new="hello | ")
    run(copy, "-m", "scripts.records", "defaults")
    return copy


def run(folder: Path, *command: str) -> str:
    """Return what a command prints, which must end well."""
    made = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stdout[-4000:] + made.stderr[-2000:]
    return made.stdout


def test_the_example_passes_its_own_tests_and_those_of_every_view(checkout):
    files = [
        file
        for folder in OF_EVERY_VIEW
        for file in sorted((checkout / folder).glob("test_*.py"))
        if file.name in SHORT or (LONG and "VIEWS" in file.read_text("utf-8"))
    ]
    which = ("-k", "hello or every_module_has_its_namesake", "tests/test_mirror.py", *map(str, files))
    printed = run(checkout, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *which)
    passed = re.search(r"(\d+) passed", printed)
    assert passed and int(passed[1]) > 15, printed


def test_the_example_keeps_to_the_contracts(checkout):
    run(checkout, "-c", "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())")
