"""Gives the frozen releases of the data, and a reader's own export in the same form."""

import io
import sys
from dataclasses import dataclass
from functools import _lru_cache_wrapper, cached_property, lru_cache
from pathlib import Path
from typing import Literal

import pandas as pd

from data import contract, curation, curation_tables, intake, seal, table_text

DIRECTORY = seal.FOLDER
TABLES = ("training_runs", "accelerators", "corrections")


@dataclass(frozen=True, kw_only=True, eq=False)
class Release:
    """One state of the data.

    ``training_runs`` and ``accelerators`` have the columns of their schemas; dates are datetime64,
    numbers float64 with NaN for missing, text ``""`` for missing, flags bool. ``corrections`` are those
    applied in this release, ``exclusions`` the rows kept out of series. ``origin`` says which tables
    are the reader's own, ``warnings`` what is odd about them. Treat the frames as read-only: they are shared.
    """

    name: str
    training_runs: pd.DataFrame
    accelerators: pd.DataFrame
    corrections: pd.DataFrame
    exclusions: pd.DataFrame
    origin: Literal["curated", "own models and hardware", "own models", "own hardware"] = "curated"
    base: str = ""
    refused: tuple[str, ...] = ()
    settled: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @cached_property
    def exported_accelerators(self) -> pd.DataFrame:
        """Return the accelerators with every correction undone; made once a release, shared, read-only."""
        return curation.as_exported(self.accelerators, corrections=self.corrections)


_seen: dict[Path, tuple[str, ...]] = {}
FORGETFUL = ("analysis", "data", "views")
"""The packages that keep what they computed; some of it holds for the newest release alone."""


def names() -> tuple[str, ...]:
    """Return the names of the releases there are, the newest last, as :func:`look` last saw them.

    All that a process answers agrees on them, so a release that arrives while it runs is taken at one moment.
    """
    if DIRECTORY not in _seen:
        _seen[DIRECTORY] = seal.names(DIRECTORY)
    return _seen[DIRECTORY]


def look() -> tuple[str, ...]:
    """Take the releases that have come or gone since; return those that came and are whole.

    One that is not whole, as while it is being copied, is left out until it is. What was kept of the releases of
    before is forgotten, since some of it is of the newest.
    """
    before = names()
    there = tuple(name for name in seal.names(DIRECTORY) if name in before or _is_whole(name))
    if there and there != before:
        _seen[DIRECTORY] = there
        _forget()
    return tuple(name for name in names() if name not in before)


def _is_whole(name: str) -> bool:
    try:
        seal.whole(DIRECTORY / name)
    except seal.DamagedError:
        return False
    return True


def _forget() -> None:
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] in FORGETFUL]
    for module in modules:
        for value in list(vars(module).values()):
            if isinstance(value, _lru_cache_wrapper):
                value.cache_clear()


def latest() -> str:
    """Return the name of the newest release."""
    return names()[-1]


@lru_cache(maxsize=8)
def load(name: str) -> Release:
    """Return a release by its name, such as ``2026-07``; read once, then kept.

    Raises
    ------
    LookupError
        A release that does not exist; the message names those that do.
    data.seal.DamagedError
        A release whose files are not those it was cut with.
    """
    if name not in names():
        raise LookupError(f"there is no release {name!r}; there are {', '.join(names())}.")
    files = seal.whole(DIRECTORY / name)
    runs, parts, corrections = (
        contract.read_table(io.StringIO(files[f"{table}.csv"].decode(), newline=""), table=table)
        for table in TABLES
    )
    return Release(
        name=name,
        training_runs=runs,
        accelerators=parts,
        corrections=corrections,
        exclusions=exclusions(runs, parts),
    )


@lru_cache(maxsize=64)
def exported_on(name: str) -> str:
    """Return the day that the data of a release are of, as 2026-07-18, by its record or else by its name."""
    return seal.exported_by(DIRECTORY / name) or (name if len(name) == len("2026-07-18") else f"{name}-01")


def as_exported(release: Release) -> pd.DataFrame:
    """Return the accelerators as Epoch exported them: no correction or addition, every listing a row."""
    return curation.as_exported(release.accelerators, corrections=release.corrections)


def from_export(
    models: bytes | None,
    hardware: bytes | None,
    *,
    name: str,
    base: str | None = None,
    files: tuple[str, str] = ("models file", "hardware file"),
) -> Release:
    """Return a reader's own Epoch export as a release: same importer and curation, in memory only.

    A table that is not given comes from the release ``base`` (the newest by default), and ``origin``
    says so. ``files`` are the names that errors call the two files by.

    Raises
    ------
    ValueError
        Neither file was given.
    data.epoch.ExportError
        A file that is no export or has more than a few faulty rows, with up to twenty problems; nothing of it
        is kept. A few faulty rows are left out, as ``warnings`` say.
    """
    if models is None and hardware is None:
        raise ValueError("no export was given; give a models file, a hardware file, or both.")
    ground = load(base or latest())
    own = intake.take(
        intake.Files(models=models, hardware=hardware, names=files),
        lines=curation_tables.read(),
        ground={"training_runs": ground.training_runs, "accelerators": ground.accelerators},
    )
    return _release(own, ground=ground, name=name)


def _release(own: intake.Taken, *, ground: Release, name: str) -> Release:
    runs, parts = own.runs, own.parts
    tables = {"training_runs": runs, "accelerators": parts}
    frames = {
        table: table_text.typed(mine.frame, table=table) if mine else getattr(ground, table)
        for table, mine in tables.items()
    }
    corrections = [
        mine.corrections if mine else ground.corrections.loc[ground.corrections["table"] == table]
        for table, mine in tables.items()
    ]
    return Release(
        name=name,
        training_runs=frames["training_runs"],
        accelerators=frames["accelerators"],
        corrections=pd.concat(corrections, ignore_index=True),
        exclusions=exclusions(frames["training_runs"], frames["accelerators"]),
        origin="own models and hardware" if runs and parts else "own models" if runs else "own hardware",
        base="" if runs and parts else ground.name,
        refused=tuple(line for mine in tables.values() if mine for line in mine.refused),
        settled=tuple(line for mine in tables.values() if mine for line in mine.settled),
        warnings=(*own.subsets, *own.notes),
    )


def exclusions(runs: pd.DataFrame, parts: pd.DataFrame) -> pd.DataFrame:
    """Return the rows kept out of series: table, row, series, reason, source."""
    frames = []
    for table, frame in (("training_runs", runs), ("accelerators", parts)):
        kept_out = frame.loc[frame["excluded"] != "", ["name", "excluded", "exclusion_reason", "source_id"]]
        frames.append(kept_out.assign(table=table))
    renamed = pd.concat(frames, ignore_index=True).rename(
        columns={"name": "row", "excluded": "series", "exclusion_reason": "reason"}
    )
    return renamed.loc[:, ["table", "row", "series", "reason", "source_id"]]
