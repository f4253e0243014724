"""Stored inputs of releases: the names, dates, numbers and links of each export, without notes.

They are in ``data/inputs/<release>/``, so that a correction of a release needs no export (:mod:`data.curate`).
"""

from collections.abc import Collection, Mapping
from pathlib import Path

from data import publish, releases, seal
from data.curation_tables import HARDWARE, MODELS
from data.epoch import link_of, records
from data.release_name import correction_of
from data.table_text import csv_of

KINDS = {"models": MODELS, "hardware": HARDWARE}
_DIGITS = 12


def facts(content: bytes, *, kind: str, left_out: Collection[int | None]) -> bytes:
    """Return an export reduced to the columns and rows in use. The same tables are read from it.

    Cells are unchanged, except that links are reduced to the first web address and control characters become spaces.
    ``left_out`` numbers rows as in :class:`data.epoch.Problem`.
    """
    header, rows = records(content, file=kind, columns=KINDS[kind])
    links = {alias.casefold() for column in KINDS[kind] if column.kind == "link" for alias in column.aliases}
    is_link = [name.casefold() in links for name in header]
    kept = [
        [link_of(cell) if link else _plain(cell) for cell, link in zip(row, is_link, strict=True)]
        for number, row in enumerate(rows, start=2)
        if number not in left_out
    ]
    return csv_of([header, *kept]).encode()


def _plain(cell: str) -> str:
    return "".join(mark if mark.isprintable() or mark == "\n" else " " for mark in cell)


def folder(release: str) -> Path:
    """Return the folder with the inputs of a release and its corrections."""
    return releases.DIRECTORY.parent / "inputs" / correction_of(release)


def write(release: str, *, contents: Mapping[str, bytes]) -> None:
    """Write all inputs of a release, or none. A file's name includes the start of its SHA-256."""
    with publish.replacing(folder(release)) as work:
        for kind, content in contents.items():
            (work / f"{kind}-{seal.digest(content)[:_DIGITS]}.csv").write_bytes(content)


def read(release: str) -> dict[str, bytes]:
    """Return the inputs of a release, keyed by kind. Each is verified against its file name.

    Raises data.seal.DamagedError if a file is missing or was changed.
    """
    contents: dict[str, bytes] = {}
    for kind in KINDS:
        for path in folder(release).glob(f"{kind}-*.csv"):
            content = path.read_bytes()
            if path.stem == f"{kind}-{seal.digest(content)[:_DIGITS]}":
                contents[kind] = content
        if kind not in contents:
            raise seal.DamagedError(
                f"{folder(release)} has not the {kind} that the release was built from: restore them from the "
                "repository (git checkout -- data/inputs)."
            )
    return contents
