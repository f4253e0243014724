"""Between two steps of a long computation, whoever asked for it may end it; analysis does not know who that is."""

from collections.abc import Callable

_asked: list[Callable[[], None]] = []


def at_each_step(ask: Callable[[], None]) -> None:
    """Have ``ask`` called between steps from now on; what it raises ends the computation."""
    if ask not in _asked:
        _asked.append(ask)


def between_steps() -> None:
    """Return when the next step is wanted; else raise what says that it is not."""
    for ask in _asked:
        ask()
