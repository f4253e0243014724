"""What is computed from a frozen release is computed once: a release never changes."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from analysis.placement.fits import PlacementModels
from analysis.serving.predict import ServingFit
from data.releases import Release, is_frozen, reading
from data.shelf import TableSet
from views.own_data import answers_of
from views.store import MEBIBYTE, Store

Further = ParamSpec("Further")
Made = TypeVar("Made")

SHARED = (Release, TableSet, PlacementModels, ServingFit)
"""What a process has once, whatever it keeps: answers refer to it and do not hold it."""
KEEP_BYTE = 128 * MEBIBYTE
FINDINGS: Store[Any] = Store(KEEP_BYTE, name="findings", shared=SHARED)
"""What this process keeps of what it computed; an answer of /placement takes 7 MB, most others a tenth of one."""
NOTHING = object()
"""Stands in the store for None."""


def store_of(release: Release) -> Store[Any]:
    """Return where to keep what is computed from a release: a reader's own has a store of its own."""
    return FINDINGS if is_frozen(release) else answers_of(release, shared=SHARED)


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
