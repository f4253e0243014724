"""What is computed from a release is computed once, as it never changes; a reader's own is packed while it rests."""

import pickle
import zlib
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar, cast
from uuid import uuid4

from cachetools import LRUCache

from analysis.placement.fits import PlacementModels
from analysis.serving.predict import ServingFit
from data.releases import OWN, Release, is_frozen, reading
from data.shelf import TableSet
from views.store import MEBIBYTE, Store, byte_of

Further = ParamSpec("Further")
Made = TypeVar("Made")

SHARED = (Release, TableSet, PlacementModels, ServingFit)
"""What a process has once, whatever it keeps: answers refer to it and do not hold it."""
KEEP_BYTE = 128 * MEBIBYTE
FINDINGS: Store[Any] = Store(KEEP_BYTE, name="findings", shared=SHARED)
"""What this process keeps of what it computed; an answer of /placement takes 7 MB, most others a tenth of one."""
NOTHING = object()
"""Stands in the store for None."""


ANSWERS_BYTE = 64 * MEBIBYTE
"""What the answers from all readers' own data may hold together. [byte]"""
READERS = 4
"""The answers of so many readers are kept, of each an equal part."""
QUICK = 1
"""The level of compression that takes least time; it leaves a fifth of a release."""

UNPACKED: Store[Release] = Store(64 * MEBIBYTE)
"""The releases of readers that were read last; one of 5,000 models takes 2 MB, packed 0.4."""

_lock = Lock()
_answers: LRUCache[Release, Store[Any]] = LRUCache(READERS)


class OwnData:
    """A reader's own release as a session has it: packed, and unpacked for as long as it is read now and then.

    A copy that has passed between processes is the same release.
    """

    def __init__(self, release: Release, *, files: tuple[str, ...] = ()) -> None:
        rows = (len(getattr(release, table)) for table, kind in OWN.items() if kind in release.origin)
        taken = (f"{file}, {count:,} rows" for file, count in zip(filter(None, files), rows, strict=False))
        self.words = f"Your data: {'; '.join(taken)}."
        self.warnings, self.refused = release.warnings, release.refused
        self._name = uuid4()
        self._packed = zlib.compress(pickle.dumps(release), QUICK)

    @property
    def release(self) -> Release:
        """Return the release; whoever keeps it keeps it unpacked."""
        release = UNPACKED.get(self._name)
        if release is None:
            release = pickle.loads(zlib.decompress(self._packed))
            UNPACKED.put(self._name, release, byte=byte_of(release))
        return release


def store_of(release: Release) -> Store[Any]:
    """Return where to keep what is computed from a release; that of a reader's own goes when enough others came."""
    if is_frozen(release):
        return FINDINGS
    with _lock:
        answers = _answers.get(release)
        if answers is None:
            answers = _answers[release] = Store(ANSWERS_BYTE / READERS, shared=SHARED)
        return answers


def kept(
    make: Callable[Concatenate[Release, Further], Made],
) -> Callable[Concatenate[Release, Further], Made]:
    """Return ``make`` that remembers what it made of a release: of a reader's own, as long as the reader has it.

    What it returns is shared: treat it as read-only. Its further arguments can be hashed.
    """

    @wraps(make)
    def remembering(release: Release, *further: Further.args, **named: Further.kwargs) -> Made:
        def made() -> object:
            with reading(release.stands_on):
                value = make(release, *further, **named)
            return NOTHING if value is None else value

        key = (make, release if is_frozen(release) else None, further, tuple(sorted(named.items())))
        value = store_of(release).get_or_compute(key, made, kind=make)
        return cast(Made, None if value is NOTHING else value)

    return remembering
