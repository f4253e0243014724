"""Lazy sequence. An item is computed when first needed, so that figures need not wait for charts."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from threading import RLock
from typing import Any, Generic, TypeVar, overload

from data.releases import reading, tables
from views.compute_pool import check_cancelled

Item = TypeVar("Item")


class LazySequence(Sequence[Item], Generic[Item]):
    """The items of the iterator ``make``, without None. Each is computed when first needed, then cached.

    Items are computed from the tables of the release that was current when the sequence was created. The sequence
    behaves like a tuple and equals one with the same items. An item that fails raises its error on every access, not
    only the first. It is thread-safe.
    """

    def __init__(self, make: Callable[[], Iterable[Item | None]]) -> None:
        self._make = make
        self._tables = tables()
        self._made: list[Item] = []
        self._rest: Iterator[Item | None] | None = None
        self._complete = False
        self._lock = RLock()

    def _first(self, number: float) -> list[Item]:
        """Return the computed items, after computing at least ``number`` of them if there are that many."""
        with self._lock:
            while len(self._made) < number and not self._complete:
                check_cancelled()
                with reading(self._tables):
                    self._make_next()
            return self._made

    def _make_next(self) -> None:
        if self._rest is None:
            self._made = []
            self._rest = iter(self._make())
        try:
            item = next(self._rest)
        except StopIteration:
            self._complete = True
            self._rest, self._make = None, tuple  # releases the inputs of the items
        except BaseException:
            self._rest = None
            raise
        else:
            if item is not None:
                self._made.append(item)

    def __iter__(self) -> Iterator[Item]:
        """Yield the items one by one. Items that are not requested are not computed."""
        for place in count():
            made = self._first(place + 1)
            if len(made) <= place:
                return
            yield made[place]

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        """Return one item, after computing those before it, or a slice as a tuple, after computing all items."""
        if isinstance(index, slice):
            return tuple(self._first(math.inf)[index])
        made = self._first(index + 1 if index >= 0 else math.inf)
        if index >= len(made):
            raise IndexError(f"there are {len(made)} items; got the place {index}.")
        return made[index]

    def __len__(self) -> int:
        """Return the number of items, after computing all of them."""
        return len(self._first(math.inf))

    def __bool__(self) -> bool:
        """Return whether there is any item, after computing the first."""
        return bool(self._first(1))

    def __eq__(self, other: Any) -> bool:
        """Return whether the other sequence has equal items in the same order."""
        return isinstance(other, LazySequence | tuple) and tuple(self) == tuple(other)

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        """Return the items computed so far as text, with "..." if there may be more."""
        return f"LazySequence({', '.join([*map(repr, self._made), *([] if self._complete else ['...'])])})"
