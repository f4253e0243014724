"""Import of an Epoch AI export. It is read, curated and validated; excluded rows are reported.

A row with an implausible value is left out: while reading by :mod:`data.epoch`, or here for a value out of bounds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from data import contract, curation, epoch, table_text
from data.contract import Problem
from data.curation import DATES
from data.curation_tables import Curation

WHOLE_SHARE = 0.75
OLDEST_EXPORT = "2025-02-01"
LATE = np.timedelta64(60, "D")  # tolerance in comparing a file whose last rows were removed
TABLES = tuple(DATES)
READERS = dict(zip(TABLES, (epoch.models, epoch.hardware), strict=True))


@dataclass(frozen=True, kw_only=True)
class Taken:
    """A table of an export after curation, and the excluded rows of its file.

    ``absent`` are columns missing from the file; ``subset`` is a message if it looks like part of an export.
    """

    curated: curation.Curated
    left_out: tuple[Problem, ...]
    absent: str
    subset: str


def rows_left_out(tables: Mapping[str, Taken]) -> tuple[str, ...]:
    """Return one line of text per excluded row."""
    return tuple(f"row left out: {problem}" for taken in tables.values() for problem in taken.left_out)


def notes(tables: Mapping[str, Taken]) -> tuple[str, ...]:
    """Return notes on a reader's export, including the first twenty excluded rows."""
    subsets, absent = ([getattr(one, part) for one in tables.values()] for part in ("subset", "absent"))
    rows = rows_left_out(tables)
    more = len(rows) - epoch.MAX_PROBLEMS
    named = [*rows[: epoch.MAX_PROBLEMS], f"and {more} more rows left out" if more > 0 else ""]
    return tuple(filter(None, [*subsets, *named, *absent]))


def take(
    files: Mapping[str, tuple[str, bytes]],
    *,
    lines: Curation,
    ground: Mapping[str, pd.DataFrame],
    strict: bool = False,
    keys: Mapping[str, set[str]] | None = None,
) -> dict[str, Taken]:
    """Return the tables of an export, curated with ``lines`` and keyed by name.

    ``files`` maps tables to the file's name in messages and its bytes; ``ground`` has the tables of a release for
    comparison; ``keys`` are those of :func:`data.contract.breaches`.

    Raises data.epoch.ExportError if a file is not an export, or has more faulty rows than can be left out (with
    ``strict``: any).
    """
    exports: dict[str, epoch.Export] = {}
    problems: list[Problem] = []
    for table, (file, content) in files.items():
        try:
            exports[table] = READERS[table](content, file=file, strict=strict)
        except epoch.ExportError as fault:
            problems += fault.problems
    if problems:
        raise epoch.ExportError([*problems, *(row for export in exports.values() for row in export.left_out)])
    parts = ground.get("accelerators")
    tables: dict[str, Taken] = {}
    for table in sorted(exports):  # accelerators first, as training runs refer to them
        file, export = files[table][0], exports[table]
        names = set() if parts is None else set(parts["name"])
        curate = partial(curation.curate, table=table, curation=lines, part_names=names)
        curated = curate(export.frame)
        breaches = _breaches(curated, export=export, table=table, file=file, lines=lines, keys=keys or {})
        rows = {problem.row for problem in breaches}
        bad = rows | {problem.row for problem in export.left_out}
        left_out = tuple(sorted((*export.left_out, *breaches), key=lambda problem: problem.row or 0))
        if breaches and (strict or None in rows or not epoch.tolerable(len(bad), of=export.of)):
            problems += breaches
        elif breaches:
            good = [export.rows[name] not in rows for name in export.frame["name"]]
            curated = curate(export.frame.loc[good].reset_index(drop=True))
        parts = curated.frame if table == "accelerators" else parts
        absent = f"{file} has no column {', '.join(map(repr, export.absent))}: these stay unknown."
        tables[table] = Taken(
            curated=curated,
            left_out=left_out,
            absent=absent if export.absent else "",
            subset=_subset(export, table=table, file=file, ground=ground.get(table)),
        )
    if problems:
        raise epoch.ExportError(problems)
    return {table: tables[table] for table in files}


def _breaches(
    curated: curation.Curated,
    *,
    export: epoch.Export,
    table: str,
    file: str,
    lines: Curation,
    keys: Mapping[str, set[str]],
) -> list[Problem]:
    """Return the violations of the contract in a curated table, each with its row in the exported file."""
    now = curation.newest_names(export.frame, table=table, curation=lines)
    rows = {now.get(name, name): row for name, row in export.rows.items()}
    problems: list[Problem] = []
    for breach in contract.breaches(table_text.rows(curated.frame, table=table), table=table, keys=keys):
        name = str(curated.frame["name"].iloc[breach.row - 2]) if breach.row and breach.row > 1 else ""
        problems.append(replace(breach, file=file, row=rows.get(name), name=name))
    return problems


def _subset(export: epoch.Export, *, table: str, file: str, ground: pd.DataFrame | None) -> str:
    """Return a message if a file has far fewer rows than a release of its date, otherwise ``""``."""
    if ground is None:
        return ""
    day = DATES[table]
    newest = max(OLDEST_EXPORT, *(str(cell) for cell in export.frame[day]))
    days = ground.loc[ground["origin"] == "epoch", day].to_numpy(dtype="datetime64[D]")
    whole = int(np.sum(np.isnat(days) | (days <= np.datetime64(newest) + LATE)))
    if export.of >= WHOLE_SHARE * whole:
        return ""
    return f"{file}: {export.of:,} of {whole:,} rows: is this the whole export?"
