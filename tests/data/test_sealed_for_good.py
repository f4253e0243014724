import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from data import seal

ROOT = Path(__file__).parents[2]
FOLDER = "data/releases"
NAMES, FORMAT = ("--no-renames", "--name-only"), "--format=commit %h"


def git(root: Path, *arguments: str) -> str:
    """Return what git answers about a folder."""
    command = ["git", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=True).stdout


def rewritten(root: Path) -> list[str]:
    """Return each file of a release that a commit, or the working tree, changes after its record had the seal.

    Copies of standing tables are sealed from the first. A merge counts where it differs from all it merges.
    """
    records = f"{FOLDER}/*/{seal.RECORD}"
    since: dict[str, list[str]] = {f"{FOLDER}/{seal.COPIES}": []}
    for commit, path in by_commit(git(root, "log", "-S", '"sealed":', *NAMES, FORMAT, "--", records)):
        since[str(Path(path).parent)] = [f"{commit}.."]  # the oldest comes last
    problems = []
    for folder, after in since.items():
        log = git(root, "log", "-c", "--diff-filter=a", *NAMES, FORMAT, *after, "--", folder)
        log += "commit working tree\n" + git(root, "diff", "--diff-filter=a", *NAMES, "HEAD", "--", folder)
        problems += [f"{path} ({commit})" for commit, path in by_commit(log)]
    return problems


def by_commit(log: str) -> Iterator[tuple[str, str]]:
    """Yield commit and path of each file in a log."""
    commit = ""
    for line in filter(None, log.splitlines()):
        if line.startswith("commit "):
            commit = line.removeprefix("commit ")
        else:
            yield commit, line


def test_no_commit_rewrites_a_release_that_was_sealed():
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("there is no git here whose history could be read")
    if git(ROOT, "rev-parse", "--is-shallow-repository").strip() == "true":
        pytest.skip("the history is not whole: this is a shallow clone")
    assert not rewritten(ROOT), "a release is sealed for good; cut a correction instead: see data/README.md"
