"""Functions that build and write a release from an export, or a correction from the release's stored export.

The same files, curation and standing tables give the same bytes.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import pandas as pd

from data import (
    contract,
    curation_tables,
    epoch,
    inputs,
    intake,
    releases,
    seal,
    sources,
    standing,
    table_text,
)
from data.release_name import correction_of, next_correction

Say = Callable[[str], None]
_CHANGED = re.compile(rb"\b(20\d\d-\d\d-\d\d) \d\d:\d\d:\d\d\+00:00")


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A release that is built but not yet written.

    ``texts`` are its tables by file name, ``record`` is the provenance for release.json, ``inputs`` are the stored
    parts of the export, by kind.
    """

    release: releases.Release
    texts: Mapping[str, str]
    record: Mapping[str, Any]
    inputs: Mapping[str, bytes]

    def has_tables_of(self, name: str) -> bool:
        """Return whether the draft's tables equal another release's byte for byte."""
        sha256 = {table: seal.digest(text.encode()) for table, text in self.texts.items()}
        return sha256 == dict(releases.sealed(name).record.files)


def draft(
    exports: Mapping[str, tuple[str, bytes]],
    *,
    release: str,
    say: Say,
    strict: bool = False,
    subset: bool = False,
) -> Draft:
    """Return a release built from an export, without writing it.

    ``exports`` maps kinds to the file's name in messages and its bytes. ``say`` gets one line per step and per anomaly;
    ``warnings`` of the release has one per excluded row. ``strict`` rejects a file for one faulty row; ``subset``
    accepts one with far fewer rows than the newest release.

    Raises data.epoch.ExportError if an input is not an export, or a built table violates its contract; ValueError if an
    input has far fewer rows than the newest release, without ``subset``.
    """
    say(f"reading and curating {' and '.join(file for file, _ in exports.values())}")
    keys = {"sources": set(contract.read_table(sources.PATH, table="sources")["source_id"])}
    taken = intake.take(
        {table: exports[kind] for table, kind in releases.OWN.items()},
        lines=curation_tables.read(),
        ground=_newest(say=say),
        strict=strict,
        keys=keys,
    )
    subsets = [one.subset for one in taken.values() if one.subset]
    if subsets and not subset:
        raise ValueError("\n".join((*subsets, "Give --subset if it is meant to be a part.")))
    for line in (*subsets, *(one.absent for one in taken.values() if one.absent)):
        say(f"note: {line}")
    built = releases.of_export(taken, name=release, warnings=intake.rows_left_out(taken))
    tables: dict[str, pd.DataFrame] = {table: getattr(built, table) for table in releases.TABLES}
    say("checking names, types, bounds, keys and sources")
    if breaches := [
        breach
        for table, frame in tables.items()
        for breach in contract.breaches(table_text.rows(frame, table=table), table=table, keys=keys)
    ]:
        raise epoch.ExportError(breaches)
    for name in taken["accelerators"].curated.unmatched:
        say(f"note: {name} has no line in products.csv")
    for name in taken["training_runs"].curated.unmatched:
        say(f"note: training hardware {name} is no accelerator and has no line in hardware_aliases.csv")
    return Draft(
        release=built,
        texts={f"{table}.csv": table_text.text(frame, table=table) for table, frame in tables.items()},
        record={
            "source": "Epoch AI, CC BY 4.0",
            # The date of the newest change in a row, empty if not stated. The clock is not read.
            "exported_by": max(_CHANGED.findall(exports["hardware"][1]), default=b"").decode(),
            "inputs": {
                kind: {"sha256": seal.digest(content), "bytes": len(content)}
                for kind, (_, content) in exports.items()
            },
            "rows": {table: len(frame) for table, frame in tables.items()},
        },
        inputs={
            kind: inputs.facts(
                exports[kind][1], kind=kind, left_out={problem.row for problem in taken[table].left_out}
            )
            for table, kind in releases.OWN.items()
        },
    )


def correction(release: str, *, say: Say) -> Draft:
    """Return the next correction of a release, made from its export with the current curation and tables.

    Raises LookupError if the release does not exist; the message lists those that do; ValueError if the correction
    would change nothing; data.epoch.ExportError if a table violates its contract; data.seal.DamagedError if the stored
    export is not the one that the release was built from.
    """
    first, known = correction_of(release), releases.names()
    releases.sealed(first)
    newest = [name for name in known if correction_of(name) == first][-1]
    exports = {kind: (f"the {kind} of {first}", content) for kind, content in inputs.read(release).items()}
    built = draft(exports, release=next_correction(release, known), say=say, strict=True, subset=True)
    now = {table: seal.digest(content) for table, content in standing.working().items()}
    if built.has_tables_of(newest) and now == dict(releases.sealed(newest).record.standing):
        raise ValueError(
            f"release {newest} already has these tables and standing tables. "
            "Change data/curation, data/standing or data/sources.csv first."
        )
    record = {**releases.sealed(newest).record.provenance, "rows": built.record["rows"]}
    return replace(built, record=record, inputs={})


def write(built: Draft, *, sealed: date) -> None:
    """Write a release to its folder, sealed on the given day. An interrupted write leaves nothing behind.

    Raises FileExistsError if a sealed release of that name exists.
    """
    folder = releases.DIRECTORY / built.release.name
    seal.check_unsealed(folder)
    if built.inputs:
        inputs.write(folder.name, contents=built.inputs)
    seal.cut(folder, record=built.record, tables=built.texts, standing=standing.working(), sealed=sealed)


def _newest(*, say: Say) -> dict[str, pd.DataFrame]:
    """Return the tables of the newest release, or none, after a message, if a release is damaged or none exists."""
    try:
        newest = releases.load(releases.latest())
    except seal.DamagedError as fault:
        say(f"note: {fault}")
        return {}
    return {table: getattr(newest, table) for table in intake.TABLES}
