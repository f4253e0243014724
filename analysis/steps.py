"""Cancellation points between the steps of a long computation, independent of who requested it."""

from collections.abc import Callable

_asked: list[Callable[[], None]] = []


def at_each_step(ask: Callable[[], None]) -> None:
    """Register ``ask`` to be called between steps; an exception from it ends the computation."""
    if ask not in _asked:
        _asked.append(ask)


def between_steps() -> None:
    """Return if the computation should continue; otherwise raise the exception that cancels it."""
    for ask in _asked:
        ask()
