"""Takes an Epoch AI export through reading, curation and contract; what is left out or looks odd is said.

A row that cannot be believed is left out: in reading by :mod:`data.epoch`, here for a value outside its bounds.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from data import contract, curation, epoch, table_text
from data.curation_tables import Curation

WHOLE_SHARE = 0.75
OLDEST_EXPORT = "2025-02-01"
LATE = np.timedelta64(60, "D")  # a file whose last rows were taken out is compared with these days too
TABLES = {"training_runs": "published_on", "accelerators": "released_on"}


@dataclass(frozen=True, kw_only=True)
class Files:
    """An export: its two files as bytes, or None for one that was not given, and what errors call them."""

    models: bytes | None
    hardware: bytes | None
    names: tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class Taken:
    """An export after curation.

    ``subsets`` says which file looks like a part of one, ``left_out`` which rows could not be believed, by table,
    ``absent`` which columns a file does not have.
    """

    runs: curation.Curated | None
    parts: curation.Curated | None
    subsets: tuple[str, ...]
    left_out: Mapping[str, tuple[epoch.Problem, ...]]
    absent: tuple[str, ...]

    @property
    def rows_left_out(self) -> tuple[str, ...]:
        """Return a line about each row that could not be believed."""
        return tuple(f"row left out: {problem}" for rows in self.left_out.values() for problem in rows)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what a reader should know beside ``subsets``; of the rows left out the first twenty."""
        rows = self.rows_left_out
        more = len(rows) - epoch.MAX_PROBLEMS
        named = rows[: epoch.MAX_PROBLEMS]
        return (*named, *([f"and {more} more rows left out"] if more > 0 else []), *self.absent)

    def both(self) -> tuple[curation.Curated, curation.Curated]:
        """Return runs and parts of an export of which both files were given."""
        if self.runs is None or self.parts is None:
            raise ValueError("both files of an export are needed: models and hardware.")
        return self.runs, self.parts


@dataclass(frozen=True, kw_only=True)
class _Contract:
    """What a curated table is held to, and what its file and its rows are called."""

    file: str
    table: str
    keys: Mapping[str, set[str]]
    lines: Curation
    strict: bool

    def breaches(self, curated: curation.Curated, *, export: epoch.Export) -> list[epoch.Problem]:
        """Return what the contract says against a curated table, by the rows of the file."""
        now = curation.newest_names(export.frame, table=self.table, curation=self.lines)
        rows = {now.get(name, name): row for name, row in export.rows.items()}
        cells = table_text.rows(curated.frame, table=self.table)
        problems: list[epoch.Problem] = []
        for breach in contract.breaches(cells, table=self.table, keys=self.keys):
            name = str(curated.frame["name"].iloc[breach.row - 2]) if breach.row and breach.row > 1 else ""
            where = {"file": self.file, "row": rows.get(name), "name": name, "column": breach.column}
            problems.append(epoch.Problem(**where, message=breach.message))
        return problems


def take(
    files: Files,
    *,
    lines: Curation,
    ground: Mapping[str, pd.DataFrame],
    strict: bool = False,
    keys: Mapping[str, set[str]] | None = None,
) -> Taken:
    """Return an export curated by ``lines``; ``ground`` has the tables of a release to hold it against.

    Raises
    ------
    data.epoch.ExportError
        A file that is no export, or has more faulty rows than can be left out (``strict``: any).
    """
    runs, parts = _read(files, strict=strict)
    problems: list[epoch.Problem] = []
    curated_runs = curated_parts = None
    held = _Contract(file=files.names[1], table="accelerators", keys=keys or {}, lines=lines, strict=strict)
    if parts is not None:
        parts, curated_parts = _held(
            parts,
            curate=lambda frame: curation.curate_parts(frame, curation=lines),
            to=held,
            problems=problems,
        )
    known = curated_parts.frame if curated_parts else ground.get("accelerators")
    names = set() if known is None else set(known["name"])
    if runs is not None:
        runs, curated_runs = _held(
            runs,
            curate=lambda frame: curation.curate_runs(frame, curation=lines, part_names=names),
            to=replace(held, file=files.names[0], table="training_runs"),
            problems=problems,
        )
    if problems:
        raise epoch.ExportError(problems)
    return Taken(
        runs=curated_runs,
        parts=curated_parts,
        subsets=tuple(
            line
            for table, export, file in zip(TABLES, (runs, parts), files.names, strict=True)
            if export and (line := _subset(export, table=table, file=file, ground=ground.get(table)))
        ),
        left_out={
            table: export.left_out if export else ()
            for table, export in zip(TABLES, (runs, parts), strict=True)
        },
        absent=tuple(
            f"{file} has no column {', '.join(map(repr, export.absent))}: these stay unknown."
            for export, file in zip((runs, parts), files.names, strict=True)
            if export and export.absent
        ),
    )


def _read(files: Files, *, strict: bool) -> tuple[epoch.Export | None, epoch.Export | None]:
    exports: list[epoch.Export | None] = []
    problems: list[epoch.Problem] = []
    contents = (files.models, files.hardware)
    for read, content, file in zip((epoch.models, epoch.hardware), contents, files.names, strict=True):
        try:
            exports.append(None if content is None else read(content, file=file, strict=strict))
        except epoch.ExportError as fault:
            problems += fault.problems
    if problems:
        left_out = [problem for export in exports if export for problem in export.left_out]
        raise epoch.ExportError([*problems, *left_out])
    return exports[0], exports[1]


def _held(
    export: epoch.Export,
    *,
    curate: Callable[[pd.DataFrame], curation.Curated],
    to: _Contract,
    problems: list[epoch.Problem],
) -> tuple[epoch.Export, curation.Curated]:
    """Return an export without the rows that leave the contract of its table, and the rest curated."""
    curated = curate(export.frame)
    found = to.breaches(curated, export=export)
    if not found:
        return export, curated
    rows = {problem.row for problem in found}
    bad = rows | {problem.row for problem in export.left_out}
    if to.strict or None in rows or not epoch.tolerable(len(bad), of=export.of):
        problems += found
        return export, curated
    good = [export.rows[name] not in rows for name in export.frame["name"]]
    rest = replace(
        export,
        frame=export.frame.loc[good].reset_index(drop=True),
        left_out=tuple(sorted((*export.left_out, *found), key=lambda problem: problem.row or 0)),
    )
    return rest, curate(rest.frame)


def _subset(export: epoch.Export, *, table: str, file: str, ground: pd.DataFrame | None) -> str:
    """Return that a file has far fewer rows than a release has until about the file's last date, or nothing."""
    if ground is None:
        return ""
    day = TABLES[table]
    newest = max(OLDEST_EXPORT, *(str(cell) for cell in export.frame[day]))
    days = ground.loc[ground["origin"] == "epoch", day].to_numpy(dtype="datetime64[D]")
    whole = int(np.sum(np.isnat(days) | (days <= np.datetime64(newest) + LATE)))
    if export.of >= WHOLE_SHARE * whole:
        return ""
    return f"{file}: {export.of:,} of {whole:,} rows: is this the whole export?"
