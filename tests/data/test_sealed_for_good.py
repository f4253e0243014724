"""What a release was sealed with is never written again, in any commit."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from data import seal
from tests.data.cutting import later

ROOT = Path(__file__).parents[2]
FOLDER = "data/releases"
NAMES, FORMAT = ("--no-renames", "--name-only"), "--format=commit %h"
BY = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")


def git(root: Path, *arguments: str) -> str:
    """Return what git answers about a folder."""
    return subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, text=True, timeout=60, check=True
    ).stdout


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


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with a release that was changed before it was sealed, and one that came sealed."""
    folder = tmp_path / FOLDER
    shutil.copytree(seal.FOLDER / "2026-07", folder / "2026-07")
    record = folder / "2026-07" / seal.RECORD
    whole = record.read_bytes()
    git(tmp_path, "init", "--quiet")
    for text in (b'{"name": "2026-07"}', b'{"name": "2026-07", "rows": 1}', whole):
        record.write_bytes(text)
        _commit(tmp_path)
    later(folder, "2030-01")
    _commit(tmp_path)
    return tmp_path


def _commit(root: Path) -> str:
    git(root, "add", "--all")
    git(root, *BY, "commit", "--quiet", "--message", "A change")
    return git(root, "log", "-1", "--format=%h").strip()


@pytest.mark.parametrize("release", ["2026-07", "2030-01"])
def test_a_change_after_the_seal_is_named_with_its_commit_whether_committed_or_not(*, repository, release):
    table = repository / FOLDER / release / "accelerators.csv"
    table.write_bytes(table.read_bytes()[:-10])
    path = f"{FOLDER}/{release}/accelerators.csv"
    assert rewritten(repository) == [f"{path} (working tree)"]
    commit = _commit(repository)
    assert rewritten(repository) == [f"{path} ({commit})"]
    git(repository, *BY, "revert", "--no-edit", "HEAD")
    assert len(rewritten(repository)) == 2, "putting it back does not undo that it was changed"
