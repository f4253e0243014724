"""The releases of a process. Each byte is verified once, kept in memory, and not read again."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from data import seal
from data.release_name import order
from data.seal import Content, Sealed


@dataclass(frozen=True, kw_only=True, eq=False)
class TableSet:
    """Standing tables of a release, keyed by name, and the releases to compare it with.

    Releases sealed with the same tables and comparisons share one set, and so the results computed from it.
    """

    standing: Mapping[str, Content]
    beside: tuple[str, ...]

    @property
    def reference(self) -> str:
        """Return the release whose accelerators the standing tables refer to."""
        return self.beside[-1]


@dataclass(frozen=True, kw_only=True, eq=False)
class Shelf:
    """The releases, keyed by name with the newest last, and their tables. Immutable."""

    releases: Mapping[str, Sealed]
    table_sets: Mapping[str, TableSet]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the names of the releases, newest last."""
        return tuple(self.releases)

    @cached_property
    def fingerprint(self) -> str:
        """Return a digest of every number in every table."""
        total = hashlib.sha256()
        for name, release in self.releases.items():
            files = (*release.record.files.items(), *release.record.standing.items())
            total.update(repr((name, release.record.beside, sorted(files))).encode())
        return total.hexdigest()[:16]

    def with_release(self, folder: Path) -> "Shelf":
        """Return a shelf with one more release. The other releases are not read again.

        Raises data.seal.DamagedError if the release is incomplete.
        """
        releases = seal.read_all(folder.parent, only=folder.name, held=self.releases)
        return _shelved(releases, before=self.table_sets)


def opened(folder: Path) -> Shelf:
    """Return a shelf with all releases of a folder.

    Raises data.seal.DamagedError if there is no release, or one is incomplete.
    """
    return _shelved(seal.read_all(folder), before={})


def _shelved(releases: Mapping[str, Sealed], *, before: Mapping[str, TableSet]) -> Shelf:
    """Return the shelf with these releases. Releases sealed with the same tables share one table set.

    A table that did not exist when a release was sealed is read from the first release that has it.
    """
    first: dict[str, Content] = {}
    for release in sorted(releases.values(), key=lambda one: (one.record.sealed, order(one.record.name))):
        first = dict(release.standing) | first
    ordered = sorted(releases, key=order)
    shared: dict[tuple[object, ...], TableSet] = {}
    sets: dict[str, TableSet] = {}
    for name in ordered:
        release = releases[name]
        alike = (release.record.beside, tuple(sorted(release.record.standing.items())))
        if alike not in shared:
            shared[alike] = before.get(name) or TableSet(
                standing={**first, **release.standing}, beside=release.record.beside
            )
        sets[name] = shared[alike]
    return Shelf(releases={name: releases[name] for name in ordered}, table_sets=sets)
