"""Access to the frozen releases, and to a reader's own export in the same form."""

import io
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from threading import RLock
from typing import Any, Literal

import pandas as pd

from data import contract, curation, curation_tables, intake, seal, table_text
from data.release_name import correction_of, order
from data.seal import Record, Sealed
from data.shelf import Shelf, TableSet, opened

DIRECTORY = seal.FOLDER
TABLES = ("training_runs", "accelerators", "corrections")
OWN = {"training_runs": "models", "accelerators": "hardware"}
"""Tables that an export may contain, and the names of their files."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Release:
    """A release: the data as of one date.

    ``training_runs`` and ``accelerators`` have the columns of their schemas; dates are datetime64, numbers float64 with
    NaN for missing, text ``""`` for missing, flags bool. ``corrections`` are those applied in this release. ``origin``
    lists the tables that are a reader's own, ``warnings`` their anomalies. The frames are shared and read-only.
    """

    name: str
    training_runs: pd.DataFrame
    accelerators: pd.DataFrame
    corrections: pd.DataFrame
    origin: Literal["curated", "own models and hardware", "own models", "own hardware"] = "curated"
    base: str = ""
    refused: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def stands_on(self) -> str:
        """Return the release that supplies standing tables and chips: for a reader's own data, the base release."""
        return self.name if self.origin == "curated" else self.base or reference()

    @property
    def words(self) -> str:
        """Return the release's name in a sentence: “release 2026-07”. A reader's data also name the base release."""
        return (
            f"release {self.name}" if self.origin == "curated" else f"{self.name} on release {self.stands_on}"
        )

    @cached_property
    def exported_accelerators(self) -> pd.DataFrame:
        """Return the accelerators without corrections, cached for each release. The result is read-only."""
        return curation.as_exported(self.accelerators, corrections=self.corrections)

    @property
    def exclusions(self) -> pd.DataFrame:
        """Return the rows excluded from series, with table, row, series, reason and source."""
        frames = {"training_runs": self.training_runs, "accelerators": self.accelerators}
        kept_out = [frame.loc[frame["excluded"] != ""].assign(table=table) for table, frame in frames.items()]
        names = {"name": "row", "excluded": "series", "exclusion_reason": "reason"}
        lines = pd.concat(kept_out, ignore_index=True).rename(columns=names)
        return lines.loc[:, ["table", "row", "series", "reason", "source_id"]]


log = logging.getLogger(__name__)

_shelves: dict[Path, Shelf] = {}
_opening = RLock()
_refusals: dict[Path, tuple[Record | None, str]] = {}
_SHELF_IN_HAND: ContextVar[Shelf | None] = ContextVar("shelf", default=None)
TABLES_IN_HAND: ContextVar[TableSet | None] = ContextVar("tables", default=None)
"""Tables of the release that the current answer uses. None outside of an answer."""


def shelf() -> Shelf:
    """Return the releases of this process. The first call reads and verifies them.

    Raises data.seal.DamagedError if there is no release, or one is incomplete.
    """
    here = _SHELF_IN_HAND.get()
    if here is not None:
        return here
    if DIRECTORY not in _shelves:
        with _opening:
            if DIRECTORY not in _shelves:
                _shelves[DIRECTORY] = opened(DIRECTORY)
    return _shelves[DIRECTORY]


def names() -> tuple[str, ...]:
    """Return the names of this process's releases, newest last."""
    return shelf().names


def latest() -> str:
    """Return the name of the newest release."""
    return names()[-1]


def tables() -> TableSet:
    """Return the tables of the current answer's release, or of the newest release outside of an answer."""
    held = shelf()
    return TABLES_IN_HAND.get() or held.table_sets[held.names[-1]]


def beside() -> tuple[str, ...]:
    """Return the releases to compare with the current answer's release, newest last."""
    return tables().beside


def before(name: str) -> str:
    """Return the release to compare ``name`` with: the newest before it and its corrections, or "" if none is older."""
    older = [one for one in beside() if order(one) < order(correction_of(name))]
    return older[-1] if older else ""


def reference() -> str:
    """Return the release whose accelerators the current standing tables refer to."""
    return tables().reference


@contextmanager
def _in_hand(variable: ContextVar[Any], value: object) -> Iterator[None]:
    token = variable.set(value)
    try:
        yield
    finally:
        variable.reset(token)


def reading(what: str | TableSet) -> AbstractContextManager[None]:
    """Return a context in which :func:`tables` returns the named release's tables."""
    return _in_hand(TABLES_IN_HAND, shelf().table_sets[what] if isinstance(what, str) else what)


def look(trial: Callable[[str], object] | None = None) -> tuple[str, ...]:
    """Load new releases, each atomically, and return their names. No release is removed while the process runs.

    ``trial`` answers from a release before it is loaded. An incomplete release, such as one being copied, or one whose
    trial fails is skipped until its files change; a line in the log has the reason.

    Raises OSError if the folder of the releases cannot be read.
    """
    came = []
    with _opening:
        for name in seal.names(DIRECTORY):
            folder, record = DIRECTORY / name, None
            if name in shelf().releases:
                continue
            try:
                candidate = shelf().with_release(folder)
                record = candidate.releases[name].record
                if _refusals.get(folder, (None, ""))[0] == record:
                    continue
                with _in_hand(_SHELF_IN_HAND, candidate):
                    (trial or load)(name)
            except Exception as fault:  # whatever the error, earlier releases are served
                why = " ".join(f"{type(fault).__name__}: {fault}".split())[:400]
                if _refusals.get(folder) != (record, why):
                    _refusals[folder] = (record, why)
                    log.warning("Release %s is not taken: %s", folder.name, why)
            else:
                _shelves[DIRECTORY] = candidate
                came.append(name)
    return tuple(came)


def load(name: str) -> Release:
    """Return the release with a name such as ``2026-07``, cached.

    Raises LookupError if the release does not exist; the message lists those that do.
    """
    return _loaded(sealed(name))


def sealed(name: str) -> Sealed:
    """Return the verified files of the named release.

    Raises LookupError if the release does not exist; the message lists those that do.
    """
    if name not in shelf().releases:
        raise LookupError(f"there is no release {name!r}; there are {', '.join(names())}.")
    return shelf().releases[name]


def is_frozen(release: Release) -> bool:
    """Return whether a release is one of this process, not a reader's own."""
    return release.name in shelf().releases and load(release.name) is release


@lru_cache(maxsize=128)
def _loaded(sealed: Sealed) -> Release:
    runs, parts, corrections = (
        contract.read_table(
            io.StringIO(sealed.files[f"{table}.csv"].whole().decode(), newline=""), table=table
        )
        for table in TABLES
    )
    return Release(name=sealed.record.name, training_runs=runs, accelerators=parts, corrections=corrections)


def exported_on(name: str) -> str:
    """Return the date of a release's data, such as 2026-07-18, from its record, or from its name if that has none."""
    day = correction_of(name)
    return sealed(name).record.provenance.get("exported_by") or (
        day if len(day) == len("2026-07-18") else f"{day}-01"
    )


def from_export(
    models: bytes | None,
    hardware: bytes | None,
    *,
    name: str,
    base: str | None = None,
    files: tuple[str, str] = ("models file", "hardware file"),
) -> Release:
    """Return a reader's own Epoch export as a release in memory, imported and curated as ours are.

    A table that is not given comes from the release ``base`` (by default the newest), as stated in ``origin``.
    ``files`` are the names of both files in messages.

    Raises ValueError if neither file is given; data.epoch.ExportError if a file is not an export or has more than a few
    faulty rows, with up to twenty problems; nothing of it is kept. A few faulty rows are left out, as stated in
    ``warnings``.
    """
    contents = {"training_runs": models, "accelerators": hardware}
    exports = {
        table: (file, content)
        for (table, content), file in zip(contents.items(), files, strict=True)
        if content is not None
    }
    if not exports:
        raise ValueError("no export was given; give a models file, a hardware file, or both.")
    ground = load(base or latest())
    taken = intake.take(
        exports, lines=curation_tables.read(), ground={table: getattr(ground, table) for table in contents}
    )
    origin: Any = f"own {' and '.join(OWN[table] for table in taken)}"
    return of_export(
        taken, name=name, ground=ground, origin=origin, base=ground.name, warnings=intake.notes(taken)
    )


def of_export(
    taken: Mapping[str, intake.Taken], *, name: str, ground: Release | None = None, **parts: Any
) -> Release:
    """Return an imported export as a release. Missing tables come from ``ground``."""
    curated = {table: one.curated for table, one in taken.items()}
    frames: dict[str, pd.DataFrame] = {}
    corrections: list[pd.DataFrame] = []
    for table in OWN:
        if table in curated:
            frames[table] = table_text.typed(curated[table].frame, table=table)
            corrections.append(curated[table].corrections)
        elif ground is not None:
            frames[table] = getattr(ground, table)
            corrections.append(ground.corrections.loc[ground.corrections["table"] == table])
    return Release(
        name=name,
        training_runs=frames["training_runs"],
        accelerators=frames["accelerators"],
        corrections=pd.concat(corrections, ignore_index=True),
        refused=tuple(line for one in curated.values() for line in one.refused),
        settled=tuple(line for one in curated.values() for line in one.settled),
        **parts,
    )
