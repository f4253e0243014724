"""Caches of results from frozen tables. Each release has its own cache, so results never become stale."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, wraps
from typing import Any, Generic, ParamSpec, TypeVar

from data.releases import TABLES_IN_HAND, latest, reading, sealed
from data.shelf import TableSet

MOST_TABLE_SETS = 8
"""Number of sets of standing tables with cached results. One set's fits take some 20 MB."""

Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")
Key = TypeVar("Key")
Value = TypeVar("Value", covariant=True)


def kept_by_release(
    maxsize: int | None = None, *, reads: tuple[str, ...] = ()
) -> Callable[[Callable[Arguments, Made]], Callable[Arguments, Made]]:
    """Return a decorator that caches a function's results for the tables of the current release.

    The function may depend only on its arguments, :func:`data.releases.tables` and releases given by name, which never
    change; ``maxsize`` results are cached for each of :data:`MOST_TABLE_SETS`. A result computed while a release
    arrives belongs to the earlier tables. Arguments must be hashable; results are shared and read-only. Releases with
    the same tables that a function ``reads`` share its results; ``accelerators`` are the reference's.
    """

    def decorated(make: Callable[Arguments, Made]) -> Callable[Arguments, Made]:
        same = lru_cache(MOST_TABLE_SETS)(lambda _digests, *further, **named: make(*further, **named))

        @wraps(make)
        def remembering(*arguments: Arguments.args, **named: Arguments.kwargs) -> Made:
            here = TABLES_IN_HAND.get()
            if here is None:
                with reading(latest()):
                    return remembering(*arguments, **named)
            if reads:
                digests = {name: one.sha256 for name, one in here.standing.items()}
                digests["accelerators"] = sealed(here.reference).record.files["accelerators.csv"]
                return same(tuple(map(digests.get, reads)), *arguments, **named)
            results = _results_of(here)
            remembered = results.get(make)
            if remembered is None:
                remembered = results.setdefault(make, lru_cache(maxsize)(make))
            return remembered(*arguments, **named)

        return remembering

    return decorated


class Live(Mapping[Key, Value], Generic[Key, Value]):
    """A mapping that is rebuilt on every access. Its content may grow while the app runs."""

    def __init__(self, make: Callable[[], Mapping[Key, Value]]) -> None:
        self.now = make

    def __getitem__(self, key: Key) -> Value:
        """Return the current value of a key."""
        return self.now()[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self.now())

    def __len__(self) -> int:
        """Return the current number of keys."""
        return len(self.now())


class ByRelease(Live[Key, Value]):
    """A mapping with the content of the current release."""

    def __init__(self, make: Callable[[], Mapping[Key, Value]]) -> None:
        super().__init__(kept_by_release()(make))


@lru_cache(maxsize=MOST_TABLE_SETS)
def _results_of(_tables: TableSet) -> dict[Callable[..., Any], Callable[..., Any]]:
    return {}
