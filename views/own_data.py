"""Readers' own data in memory: packed while they rest, and what was computed from them, within one bound each."""

import pickle
import time
import zlib
from collections.abc import Hashable
from threading import Lock
from typing import Any
from uuid import uuid4
from weakref import WeakSet

from data.releases import OWN, Release
from views.store import MEBIBYTE, Store, byte_of

ANSWERS_BYTE = 64 * MEBIBYTE
"""What the answers from all readers' own data may hold together. [byte]"""
SHARE_BYTE = ANSWERS_BYTE // 4
"""What the answers from the data of one reader may hold. [byte]"""
QUICK = 1
"""The level of compression that takes least time; it leaves a fifth of a release."""

UNPACKED: Store[Release] = Store(64 * MEBIBYTE)
"""The releases of readers that were read last; one of 5,000 models takes 2 MB, packed 0.4."""

_lock = Lock()
_live: "WeakSet[OwnAnswers]" = WeakSet()


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


class OwnAnswers(Store[Any]):
    """Answers from the data of one reader; when all readers' hold too much, those unused for longest are dropped."""

    def __init__(self, *, shared: tuple[type, ...]) -> None:
        super().__init__(SHARE_BYTE, shared=shared)
        self.used_s = time.monotonic()
        with _lock:
            _live.add(self)

    def put(self, key: Hashable, thing: Any, *, byte: float) -> None:
        """Keep a thing of that size, and make room for it among all readers' answers. [byte]"""
        super().put(key, thing, byte=byte)
        with _lock:
            self.used_s = time.monotonic()
            longest_unused_first = sorted(_live, key=lambda answers: answers.used_s)
        excess_byte = sum(answers.kept_byte for answers in longest_unused_first) - ANSWERS_BYTE
        for answers in longest_unused_first:
            if excess_byte <= 0:
                break
            excess_byte -= answers.kept_byte
            answers.clear()


def answers_of(release: Release, *, shared: tuple[type, ...]) -> OwnAnswers:
    """Return the answers from a reader's own release; the release owns them, so they go with it."""
    owned = vars(release)
    if "own_answers" not in owned:
        owned.setdefault("own_answers", OwnAnswers(shared=shared))
    return owned["own_answers"]
