"""Cache of results with a memory limit for the whole process."""

import gc
import sys
import types
from collections.abc import Callable, Hashable
from functools import partial
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet

import numpy as np
import pandas as pd
from cachetools import LRUCache

from views.compute_pool import check_cancelled

MEBIBYTE = 2**20
MEASURED_EVERY = 16
"""Number of objects of a kind for each measured one. Measuring takes time."""
GROWS_TO = 2.0
"""Maximum growth of an object after it was cached, because of lazy parts. [1]"""
NOT_ITS_OWN = (type, types.ModuleType, types.CodeType, types.BuiltinFunctionType)
"""Types of objects that others refer to but do not own."""
TABLES = (pd.DataFrame, pd.Series, pd.Index)

Thing = TypeVar("Thing")

_all: WeakSet["Store[Any]"] = WeakSet()


def stores() -> dict[str, list["Store[Any]"]]:
    """Return the named caches of this process, keyed by name."""
    named: dict[str, list[Store[Any]]] = {}
    for store in list(_all):
        if store.name:
            named.setdefault(store.name, []).append(store)
    return named


def byte_of(thing: Any, *, shared: tuple[type, ...] = ()) -> int:
    """Return the memory used by an object and by all that it owns, except objects of ``shared`` types. [byte]"""
    elsewhere = (*NOT_ITS_OWN, *shared)
    seen: set[int] = set()
    waiting, total = [thing], 0
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, elsewhere):
            continue
        seen.add(id(one))
        # A table reports the size of its columns, which are counted separately.
        total += object.__sizeof__(one) if isinstance(one, TABLES) else sys.getsizeof(one)
        if isinstance(one, np.ndarray):
            if one.base is not None:
                waiting.append(one.base)
            if one.dtype.hasobject:
                waiting.extend(one.ravel().tolist())
        elif isinstance(one, types.FunctionType):
            waiting.extend((*(one.__closure__ or ()), *(one.__defaults__ or ())))
        else:
            waiting.extend(gc.get_referents(one))
    return total


class Store(Generic[Thing]):
    """Cache of at most ``keep_byte`` of objects. The least recently used object is evicted first. [byte]

    It is thread-safe. ``hits`` and ``misses`` count lookups.
    """

    def __init__(self, keep_byte: float, *, name: str = "", shared: tuple[type, ...] = ()) -> None:
        self.name = name
        self.hits = self.misses = 0
        self._kept: LRUCache[Hashable, tuple[Thing, float]] = LRUCache(keep_byte, getsizeof=_charged_byte)
        self._of_kind: dict[Hashable, tuple[int, float]] = {}
        self._shared = shared
        self._lock = Lock()
        _all.add(self)

    @property
    def keep_byte(self) -> float:
        """Return the maximum memory of the cache. [byte]"""
        return self._kept.maxsize

    @property
    def kept_byte(self) -> float:
        """Return the memory in use. [byte]"""
        return self._kept.currsize

    def get(self, key: Hashable) -> Thing | None:
        """Return the object cached for a key. None if there is no such object."""
        with self._lock:
            entry = self._kept.get(key)
            if entry is None:
                self.misses += 1
                return None
            self.hits += 1
            return entry[0]

    def put(self, key: Hashable, thing: Thing, *, byte: float) -> None:
        """Cache an object of a given size, unless it alone exceeds the limit. [byte]"""
        with self._lock:
            if byte <= self._kept.maxsize:
                self._kept[key] = (thing, byte)

    def get_or_compute(self, key: Hashable, make: Callable[[], Thing], *, kind: Hashable) -> Thing:
        """Return the object cached for a key or, if there is none, the result of ``make``.

        Computing it is a step of the caller's job: see :func:`views.compute_pool.check_cancelled`.
        """
        thing = self.get(key)
        if thing is None:
            check_cancelled()
            thing = make()
            self.put(key, thing, byte=self._of(kind, partial(byte_of, thing, shared=self._shared)))
        return thing

    def _of(self, kind: Hashable, measure: Callable[[], int]) -> float:
        """Return the assumed size of an object: the largest size measured for its kind. [byte]"""
        with self._lock:
            seen, most_byte = self._of_kind.get(kind, (0, 0.0))
            self._of_kind[kind] = (seen + 1, most_byte)
        if seen % MEASURED_EVERY:
            return most_byte
        measured_byte = max(most_byte, GROWS_TO * measure())
        with self._lock:
            self._of_kind[kind] = (seen + 1, measured_byte)
        return measured_byte

    def clear(self) -> None:
        """Remove all objects from the cache."""
        with self._lock:
            self._kept.clear()


def _charged_byte(kept: tuple[Any, float]) -> float:
    return kept[1]
