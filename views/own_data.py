"""Readers' own data in memory: packed while they rest, and what was computed from them, within one bound each."""

import pickle
import zlib
from threading import Lock
from typing import Any
from uuid import uuid4

from cachetools import LRUCache

from data.releases import OWN, Release
from views.store import MEBIBYTE, Store, byte_of

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


def answers_of(release: Release, *, shared: tuple[type, ...]) -> Store[Any]:
    """Return the answers from a reader's own release; they go when so many others have come since."""
    with _lock:
        answers = _answers.get(release)
        if answers is None:
            answers = _answers[release] = Store(ANSWERS_BYTE / READERS, shared=shared)
        return answers
