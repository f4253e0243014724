"""What is computed from a frozen release is computed once: a release never changes."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

from data.releases import Release, load, names

Further = ParamSpec("Further")
Found = TypeVar("Found")


def kept(
    make: Callable[Concatenate[Release, Further], Found],
) -> Callable[Concatenate[Release, Further], Found]:
    """Return ``make`` that remembers what it made of a frozen release; of a reader's own it remembers nothing.

    What it returns is shared: treat it as read-only. Its further arguments can be hashed.
    """

    @lru_cache(maxsize=128)
    def of_frozen(name: str, *further: Further.args, **named: Further.kwargs) -> Found:
        return make(load(name), *further, **named)

    @wraps(make)
    def remembering(release: Release, *further: Further.args, **named: Further.kwargs) -> Found:
        frozen = release.name in names() and load(release.name) is release
        return of_frozen(release.name, *further, **named) if frozen else make(release, *further, **named)

    return remembering
