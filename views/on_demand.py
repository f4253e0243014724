"""A row of things, each made when it is first read: a view's figures need not wait for its further charts."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from threading import RLock
from typing import Any, Generic, TypeVar, overload

from data.releases import reading, tables
from views.compute_pool import check_cancelled

Item = TypeVar("Item")


class OnDemand(Sequence[Item], Generic[Item]):
    """What ``make`` yields, in order and without its Nones; each is made when first read, then kept.

    An item is made from the tables of the release that was read when the row was begun. The row
    reads like a tuple and is equal to one with the same items. An item that cannot be made raises its error
    whenever it is read, not only the first time. Safe to read from several threads.
    """

    def __init__(self, make: Callable[[], Iterable[Item | None]]) -> None:
        self._make = make
        self._tables = tables()
        self._made: list[Item] = []
        self._rest: Iterator[Item | None] | None = None
        self._complete = False
        self._lock = RLock()

    def _first(self, number: float) -> list[Item]:
        """Return the items made, which are so many at least unless there are fewer."""
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
            self._rest, self._make = None, tuple  # lets go of what the items were made from
        except BaseException:
            self._rest = None
            raise
        else:
            if item is not None:
                self._made.append(item)

    def __iter__(self) -> Iterator[Item]:
        """Return the items one by one; a reader that stops early leaves the rest unmade."""
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
        """Return one item, making it and those before it, or a tuple of several, making all."""
        if isinstance(index, slice):
            return tuple(self._first(math.inf)[index])
        made = self._first(index + 1 if index >= 0 else math.inf)
        if index >= len(made):
            raise IndexError(f"there are {len(made)} items; got the place {index}.")
        return made[index]

    def __len__(self) -> int:
        """Return how many items there are, making all."""
        return len(self._first(math.inf))

    def __bool__(self) -> bool:
        """Return whether there is an item, making the first."""
        return bool(self._first(1))

    def __eq__(self, other: Any) -> bool:
        """Return whether the other row holds the same items in the same order."""
        return isinstance(other, OnDemand | tuple) and tuple(self) == tuple(other)

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        """Return the items made so far, and whether there may be more."""
        return f"OnDemand({', '.join([*map(repr, self._made), *([] if self._complete else ['...'])])})"
