"""A release on disk: its tables, its standing tables, and the record that seals both.

The record, ``release.json``, has the SHA-256 of every file. Sealed copies of standing tables are in ``standing/``
beside the releases, each named by its table and content, so that releases share unchanged ones.
"""

import hashlib
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeGuard

from data import publish
from data.release_name import beside, is_name, next_correction, order

FOLDER = Path(__file__).parent / "releases"
RECORD = "release.json"
TABLES = ("training_runs.csv", "accelerators.csv", "corrections.csv")
COPIES = "standing"
"""Folder with the sealed copies of standing tables, beside the releases."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_FAST = 1
"""Compression level of zlib. It reduces files to a sixth, in seven times the time of hashing."""


class DamagedError(RuntimeError):
    """Error for a release that must not be served. Its text is one line that names the file and the remedy."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Content:
    """A verified file, compressed in memory."""

    sha256: str
    packed: bytes

    def whole(self) -> bytes:
        """Return the bytes of the file, decompressed."""
        return zlib.decompress(self.packed)


@dataclass(frozen=True, kw_only=True)
class Record:
    """Content of release.json: the day of sealing, the releases to compare with, and each file's SHA-256.

    ``beside`` are the releases in comparisons with this one; the standing tables refer to the accelerators of the last
    of them. ``files`` are by file name, ``standing`` by table; ``provenance`` describes the export: source, the day it
    was ``exported_by``, and its files in ``inputs``.
    """

    name: str
    sealed: str
    beside: tuple[str, ...]
    files: Mapping[str, str]
    standing: Mapping[str, str]
    provenance: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class Sealed:
    """A verified release in memory with its standing tables. ``standing`` is keyed by table."""

    record: Record
    files: Mapping[str, Content]
    standing: Mapping[str, Content]


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file as hexadecimal text."""
    return hashlib.sha256(content).hexdigest()


def names(folder: Path) -> tuple[str, ...]:
    """Return the names of the releases in a folder, newest last."""
    return tuple(sorted((path.name for path in folder.iterdir() if is_name(path.name)), key=order))


def read(release: Path, *, known: Mapping[str, Content] = MappingProxyType({})) -> Sealed:
    """Return a release with every file verified. Tables in ``known``, keyed by SHA-256, are not read again.

    Raises DamagedError if a file is missing, unreadable, or differs from the record of the release.
    """
    record = read_record(release)
    files = {name: _verified(release / name, sha256) for name, sha256 in record.files.items()}
    standing = {
        table: known.get(sha256) or _verified(_copy(release.parent / COPIES, table, sha256=sha256), sha256)
        for table, sha256 in record.standing.items()
    }
    return Sealed(record=record, files=files, standing=standing)


def read_all(
    folder: Path, *, only: str = "", held: Mapping[str, Sealed] = MappingProxyType({})
) -> dict[str, Sealed]:
    """Return releases keyed by name: those ``held``, and those in a folder or, if given, only the one named ``only``.

    Raises DamagedError if there is no release, or one is incomplete or is compared with a missing one.
    """
    try:
        there = (only,) if only else names(folder)
    except OSError as fault:
        raise DamagedError(f"{folder} cannot be read ({fault.strerror}): {_REMEDY}") from None
    if not there:
        raise DamagedError(f"{folder} contains no release: {_REMEDY}")
    releases = dict(held)
    known = {one.sha256: one for release in held.values() for one in release.standing.values()}
    for name in there:
        releases[name] = read(folder / name, known=known)
        known |= {one.sha256: one for one in releases[name].standing.values()}
    for name in there:
        for other in releases[name].record.beside:
            if other not in releases:
                raise _damaged(folder / name / RECORD, f"is read beside {other}, which is missing")
    return releases


def check_unsealed(release: Path) -> None:
    """Raise FileExistsError if a release is already sealed. The message names the next correction."""
    if (release / RECORD).exists():
        raise FileExistsError(
            f"{release} is sealed and cannot be overwritten; cut a correction instead, "
            f"{next_correction(release.name, names(release.parent))}."
        )


def cut(
    release: Path,
    *,
    record: Mapping[str, Any],
    tables: Mapping[str, str],
    standing: Mapping[str, bytes],
    sealed: date,
) -> None:
    """Write a release into the folder named after it, and seal the release.

    ``record`` is the other content of release.json: origin of the data, counts of rows. ``tables`` are the texts of
    :data:`TABLES` by file name, ``standing`` the standing tables by name (``data.standing.working()``), ``sealed`` is
    the day. The write is atomic; copies of standing tables left by an interrupted run are valid for the next one.

    Raises FileExistsError if a sealed release of that name exists: a correction is a separate release; DamagedError if
    a file with the name of a copy has other content; OSError if a file cannot be written.
    """
    check_unsealed(release)
    copies = release.parent / COPIES
    sha256 = {table: digest(content) for table, content in sorted(standing.items())}
    text = json.dumps(
        {
            **record,
            "name": release.name,
            "files": {table: digest(tables[table].encode()) for table in TABLES},
            "sealed": sealed.isoformat(),
            "beside": list(beside(release.name, names(release.parent))),
            "standing": sha256,
        },
        indent=1,
    )
    copies.mkdir(parents=True, exist_ok=True)
    for table, content in standing.items():
        copy = _copy(copies, table, sha256=sha256[table])
        if copy.exists():
            _verified(copy, sha256[table])
        else:
            publish.write_file(copy, text=content.decode())
    with publish.replacing(release) as folder:
        for file, written in {**tables, RECORD: f"{text}\n"}.items():
            (folder / file).write_text(written, encoding="utf-8", newline="")


def read_record(release: Path) -> Record:
    """Return the record of a release, read from its folder.

    Raises DamagedError if the record is missing, unreadable or incomplete.
    """
    path = release / RECORD
    try:
        loaded = json.loads(_read(path))
    except (ValueError, RecursionError):
        raise _damaged(path, "is not JSON") from None
    if not isinstance(loaded, dict) or loaded.get("name") != release.name:
        raise _damaged(path, f"is not the record of release {release.name}")
    files, standing, together = (loaded.get(part) for part in ("files", "standing", "beside"))
    if not _are_digests(files) or set(files) != set(TABLES):
        raise _damaged(path, "does not say the SHA-256 of its tables")
    if not _are_digests(standing) or not all(re.fullmatch(r"[a-z_0-9]+", table) for table in standing):
        raise _damaged(path, "does not say the SHA-256 of the standing tables that it is read with")
    if not isinstance(together, list) or release.name not in together:
        raise _damaged(path, "does not say which releases it is read beside, itself among them")
    if not all(isinstance(name, str) and is_name(name) for name in together):
        raise _damaged(path, "names something among the releases it is read beside that is no release")
    try:
        sealed = date.fromisoformat(str(loaded.get("sealed"))).isoformat()
    except ValueError:
        raise _damaged(path, "does not say the day on which it was sealed") from None
    return Record(
        name=release.name,
        sealed=sealed,
        beside=tuple(sorted(together, key=order)),
        files=files,
        standing=standing,
        provenance={part: loaded[part] for part in ("source", "exported_by", "inputs") if part in loaded},
    )


_REMEDY = "restore it from the repository (git checkout -- data/releases) or cut the release again."


def _are_digests(part: Any) -> TypeGuard[dict[str, str]]:
    return isinstance(part, dict) and all(_SHA256.fullmatch(str(sha256)) for sha256 in part.values())


def _copy(copies: Path, table: str, *, sha256: str) -> Path:
    return copies / f"{table}-{sha256[:12]}.csv"


def _damaged(path: Path, what: str) -> DamagedError:
    return DamagedError(f"{path} {what}: {_REMEDY}")


def _verified(path: Path, sha256: str) -> Content:
    content = _read(path)
    if digest(content) != sha256:
        raise _damaged(path, "is not the file this release was cut with")
    return Content(sha256=sha256, packed=zlib.compress(content, _FAST))


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
