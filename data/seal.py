"""Tells whether the files of a release are those it was cut with: each has its SHA-256 in release.json."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "releases"
RECORD = "release.json"
TABLES = ("training_runs.csv", "accelerators.csv", "corrections.csv")

_NAME = re.compile(r"\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?")


class DamagedError(RuntimeError):
    """A release that must not be served; the text is one line with the file and what to do."""


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file as release.json has it."""
    return hashlib.sha256(content).hexdigest()


def is_name(text: str) -> bool:
    """Return whether a text may be the name of a release: a month or a day."""
    return _NAME.fullmatch(text) is not None


def names(folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the names of the releases in a folder, the newest last."""
    return tuple(sorted(path.name for path in folder.iterdir() if _NAME.fullmatch(path.name)))


def whole(release: Path) -> dict[str, bytes]:
    """Return the tables of a release by file name, each found to be what the release was cut with.

    Raises
    ------
    DamagedError
        A file that is missing, cannot be read, or is not what the record of the release says.
    """
    record = _record(release)
    files = record.get("files")
    if not isinstance(files, dict) or set(files) != set(TABLES):
        raise _damaged(release / RECORD, "does not say the SHA-256 of its tables")
    contents = {name: _read(release / name) for name in TABLES}
    for name, content in contents.items():
        if digest(content) != files[name]:
            raise _damaged(release / name, "is not the file this release was cut with")
    return contents


def inputs(release: Path) -> dict[str, str]:
    """Return the SHA-256 of the two exports that a release was built from, by kind.

    Raises
    ------
    DamagedError
        A record that cannot be read.
    """
    given = _record(release).get("inputs", {})
    return {kind: str(one.get("sha256")) for kind, one in given.items()}


def exported_by(release: Path) -> str:
    """Return the day of the newest row of the export that a release was built from; empty where it does not say."""
    return str(_record(release).get("exported_by", ""))


def check_all(folder: Path = FOLDER) -> None:
    """Return when there is a release, and every release is whole.

    Raises
    ------
    DamagedError
        No release, or one that is not whole.
    """
    try:
        found = names(folder)
    except OSError as fault:
        raise DamagedError(f"{folder} cannot be read ({fault.strerror}): {_REMEDY}") from None
    if not found:
        raise DamagedError(f"{folder} holds no release: {_REMEDY}")
    for name in found:
        whole(folder / name)


_REMEDY = "restore it from the repository (git checkout -- data/releases) or cut the release again."


def _damaged(path: Path, what: str) -> DamagedError:
    return DamagedError(f"{path} {what}: {_REMEDY}")


def _read(path: Path) -> bytes:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise _damaged(path, "is missing") from None
    except OSError as fault:
        raise _damaged(path, f"cannot be read ({fault.strerror})") from None
    if not content:
        raise _damaged(path, "is empty")
    return content


def _record(release: Path) -> dict[str, Any]:
    path = release / RECORD
    try:
        record = json.loads(_read(path))
    except ValueError:
        raise _damaged(path, "is not JSON") from None
    if not isinstance(record, dict) or record.get("name") != release.name:
        raise _damaged(path, f"is not the record of release {release.name}")
    return record
