"""Cache of results by release. A reader's own release is compressed while unused."""

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
"""Types of objects that exist once per process. Caches do not count their memory."""
KEEP_BYTE = 128 * MEBIBYTE
FINDINGS: Store[Any] = Store(KEEP_BYTE, name="findings", shared=SHARED)
"""Cache of this process. An answer of /placement takes 7 MB, most others a tenth of that."""
NOTHING = object()
"""Marker for a cached None."""


ANSWERS_BYTE = 64 * MEBIBYTE
"""Memory limit of cached answers from readers' own data. [byte]"""
READERS = 4
"""Number of readers with cached answers. Each has an equal part of the memory."""
QUICK = 1
"""Fastest compression level. It reduces a release to a fifth of its size."""

UNPACKED: Store[Release] = Store(64 * MEBIBYTE)
"""The readers' releases used last. One of 5,000 models takes 2 MB, or 0.4 MB compressed."""

_lock = Lock()
_answers: LRUCache[Release, Store[Any]] = LRUCache(READERS)


class OwnData:
    """A reader's own release in a session. It is compressed except while in use.

    A copy passed between processes is the same release.
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
        """Return the release. It stays decompressed while something refers to it."""
        release = UNPACKED.get(self._name)
        if release is None:
            release = pickle.loads(zlib.decompress(self._packed))
            UNPACKED.put(self._name, release, byte=byte_of(release))
        return release


def store_of(release: Release) -> Store[Any]:
    """Return the cache of a release's results."""
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
    """Return ``make`` with results cached by release. Those of a reader's own release live as long as that release.

    Results are shared and must be treated as read-only. Additional arguments must be hashable.
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
