"""Runs a slice of the tests on every other Python of this machine: `make test-pythons`, which CI calls too.

For newer Pythons the locks have other versions of numpy and scipy, so the slice is what they compute, and a start.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from scripts.prepare import HERE, NEEDED, venv_python

LAUNCH = "test_the_app_started_from_another_folder_shows_its_pages"
SLICE = (
    *("tests/data", "tests/analysis/trend", "tests/analysis/fleet", "tests/views/fleet"),
    f"tests/browser/test_launch.py::{LAUNCH}",
)
PROBE = "import sys; print(sys.implementation.name, *sys.version_info[:4])"
Version = tuple[int, int, int]


def candidates(environment: Mapping[str, str]) -> list[Path]:
    """Return every program called python3.x on the path, and among what pyenv and uv have installed."""
    pyenv = Path(environment.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    uv = Path(environment.get("UV_PYTHON_INSTALL_DIR") or Path.home() / ".local/share/uv/python")
    folders = [Path(folder) for folder in environment.get("PATH", "").split(os.pathsep) if folder]
    folders += sorted([*pyenv.glob("*/bin"), *uv.glob("*/bin")])
    paths = [path for folder in folders for path in sorted(folder.glob("python3.*"))]
    return [path for path in dict.fromkeys(paths) if re.fullmatch(r"python3\.\d+", path.name)]


def probe(path: Path) -> Version | None:
    """Return the version of a Python; None if it is no released CPython that the app supports, or that of make test."""
    try:
        printed = subprocess.check_output(
            [path, "-I", "-c", PROBE], stderr=subprocess.DEVNULL, text=True, timeout=60
        )
        name, *numbers, level = printed.split()
        major, minor, patch = map(int, numbers)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    is_released = (name, level) == ("cpython", "final") and (major, minor) >= NEEDED
    return (major, minor, patch) if is_released and (major, minor) != sys.version_info[:2] else None


def passes(python: Path, *, minor: str) -> bool:
    """Return whether the slice passes in an environment of that Python, which is set up first."""
    venv = HERE / f".venv-{minor}"
    prepare = [python, "scripts/prepare.py", "requirements-dev.txt", "--venv", venv]
    test = [venv_python(venv), "-m", "pytest", "-q", "-n", "auto", "--dist", "loadgroup", *SLICE]
    return all(subprocess.call(command, cwd=HERE) == 0 for command in (prepare, test))


def main() -> int:
    """Run the slice on the newest patch of every other Python and print which those are; return 1 if it fails."""
    newest: dict[str, tuple[Version, Path]] = {}
    for path in candidates(os.environ):
        if version := probe(path):
            minor = f"{version[0]}.{version[1]}"
            newest[minor] = max(newest.get(minor, (version, path)), (version, path))
        else:
            print(f"Not tried: {path} is no released CPython from 3.11 on, or that of make test.")
    results = []
    for minor, (version, path) in sorted(newest.items()):
        python, started = f"Python {minor}.{version[2]} ({path})", time.monotonic()
        print(f"{python}: {len(SLICE)} parts of the tests", flush=True)
        results.append(passes(path, minor=minor))
        took_s = time.monotonic() - started
        print(f"{python}: {'passed' if results[-1] else 'FAILED'} in {took_s:.0f} s", flush=True)
    if not newest:
        print("No other Python was tried: this machine has none that the app supports.")
    return int(not all(results))


if __name__ == "__main__":
    sys.exit(main())
