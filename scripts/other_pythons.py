"""Runs a slice of the tests on every other Python of this machine: `make test-pythons`, which CI calls too.

For newer Pythons the locks have other versions of numpy and scipy, so the slice is what they compute, and a start.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.prepare import HERE, NEEDED, venv_python

LAUNCH = "test_each_way_of_starting_works_from_another_folder_with_the_same_settings[python]"
SLICE = (
    *("tests/data", "tests/analysis/trend", "tests/analysis/fleet", "tests/views/fleet"),
    f"tests/browser/test_launch.py::{LAUNCH}",
)
PROBE = "import json, sys; print(json.dumps([sys.implementation.name, *sys.version_info[:4]]))"


@dataclass(frozen=True, kw_only=True)
class Python:
    """A program that says it is CPython, and its version as (major, minor, patch)."""

    path: Path
    version: tuple[int, int, int]

    @property
    def minor(self) -> str:
        """Return the version without its patch, as in 3.13."""
        return f"{self.version[0]}.{self.version[1]}"

    def __str__(self) -> str:
        return f"Python {self.minor}.{self.version[2]} ({self.path})"


def candidates(environment: Mapping[str, str]) -> list[Path]:
    """Return every program called python3.x on the path, and among what pyenv and uv have installed."""
    pyenv = Path(environment.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    uv = Path(environment.get("UV_PYTHON_INSTALL_DIR") or Path.home() / ".local/share/uv/python")
    folders = [Path(folder) for folder in environment.get("PATH", "").split(os.pathsep) if folder]
    folders += sorted([*pyenv.glob("*/bin"), *uv.glob("*/bin")])
    paths = [path for folder in folders for path in sorted(folder.glob("python3.*"))]
    return [path for path in dict.fromkeys(paths) if re.fullmatch(r"python3\.\d+", path.name)]


def probe(path: Path) -> Python | str:
    """Return the Python that a program is, or in a few words why it is none for us."""
    try:
        run = subprocess.run([path, "-I", "-c", PROBE], capture_output=True, timeout=60, check=True)
        name, major, minor, patch, level = json.loads(run.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return "does not run"
    if name != "cpython":
        return f"is {name}, not CPython"
    if (major, minor) < NEEDED:
        return f"is older than {NEEDED[0]}.{NEEDED[1]}"
    if level != "final":
        return f"is a pre-release of {major}.{minor}"
    return Python(path=path, version=(major, minor, patch))


def choose(paths: Iterable[Path]) -> tuple[list[Python], list[str]]:
    """Return the newest patch of every version but our own, and a line for each program left out."""
    chosen: dict[str, Python] = {}
    skipped = []
    for path in paths:
        python = probe(path)
        if isinstance(python, str):
            skipped.append(f"{path} {python}")
        elif python.version[:2] == sys.version_info[:2]:
            skipped.append(f"{path} is a {python.minor}, which make test uses")
        elif python.minor not in chosen or python.version > chosen[python.minor].version:
            chosen[python.minor] = python
    return sorted(chosen.values(), key=lambda python: python.version), skipped


def passes(python: Python) -> bool:
    """Return whether the slice passes in an environment of that Python, which is set up first."""
    venv = os.path.join(HERE, f".venv-{python.minor}")
    prepare = [python.path, "scripts/prepare.py", "requirements-dev.txt", "--venv", venv]
    test = [venv_python(venv), "-m", "pytest", "-q", "-n", "auto", "--dist", "loadgroup", *SLICE]
    return all(subprocess.call(command, cwd=HERE) == 0 for command in (prepare, test))


def main() -> int:
    """Run the slice on every other Python and print which those are; return 1 if it fails on one."""
    pythons, skipped = choose(candidates(os.environ))
    failed = False
    for python in pythons:
        print(f"{python}: {len(SLICE)} parts of the tests", flush=True)
        started = time.monotonic()
        passed = passes(python)
        failed = failed or not passed
        print(
            f"{python}: {'passed' if passed else 'FAILED'} in {time.monotonic() - started:.0f} s", flush=True
        )
    for line in skipped:
        print(f"Not tried: {line}.")
    if not pythons:
        print("No other Python was tried: this machine has none that the app supports.")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
