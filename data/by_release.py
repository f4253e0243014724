"""What is computed of frozen tables is computed once, and never has to be forgotten: whoever reads others asks anew."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, wraps
from typing import Any, Generic, ParamSpec, TypeVar

from data.releases import TABLES_IN_HAND, latest, reading
from data.shelf import TableSet

MOST_TABLE_SETS = 4
"""Of so many sets of standing tables what was computed is kept: the fits of one take some 20 MB."""

Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")
Key = TypeVar("Key")
Value = TypeVar("Value", covariant=True)


def kept_by_release(
    maxsize: int | None = None,
) -> Callable[[Callable[Arguments, Made]], Callable[Arguments, Made]]:
    """Return a decorator: a function remembers what it made of the tables that are read with the release in hand.

    It depends on nothing but its arguments, :func:`data.releases.tables` and releases it is named, none of which ever
    changes; ``maxsize`` results are kept for each of :data:`MOST_TABLE_SETS`. What a call computes while a release
    arrives belongs to the tables that it began with. Arguments can be hashed; results are shared, so read-only.
    """

    def decorated(make: Callable[Arguments, Made]) -> Callable[Arguments, Made]:
        @wraps(make)
        def remembering(*arguments: Arguments.args, **named: Arguments.kwargs) -> Made:
            here = TABLES_IN_HAND.get()
            if here is None:
                with reading(latest()):
                    return remembering(*arguments, **named)
            results = _results_of(here)
            remembered = results.get(make)
            if remembered is None:
                remembered = results.setdefault(make, lru_cache(maxsize)(make))
            return remembered(*arguments, **named)

        return remembering

    return decorated


class Live(Mapping[Key, Value], Generic[Key, Value]):
    """A mapping that is made anew whenever it is read: a running app may get more of what it has."""

    def __init__(self, make: Callable[[], Mapping[Key, Value]]) -> None:
        self.now = make

    def __getitem__(self, key: Key) -> Value:
        """Return what the mapping has now."""
        return self.now()[key]

    def __iter__(self) -> Iterator[Key]:
        """Return its keys as they are now."""
        return iter(self.now())

    def __len__(self) -> int:
        """Return how many there are now."""
        return len(self.now())


class ByRelease(Live[Key, Value]):
    """A mapping that a module holds and that is, whenever it is read, the one of the release in hand."""

    def __init__(self, make: Callable[[], Mapping[Key, Value]]) -> None:
        super().__init__(kept_by_release()(make))


@lru_cache(maxsize=MOST_TABLE_SETS)
def _results_of(_tables: TableSet) -> dict[Callable[..., Any], Callable[..., Any]]:
    return {}
