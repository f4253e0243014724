"""Points between the steps of a long computation at which it can be cancelled, whoever requested it."""

from collections.abc import Callable

_checks: list[Callable[[], None]] = []


def at_each_step(check: Callable[[], None]) -> None:
    """Register ``check`` to be called between steps; an exception raised by ``check`` ends the computation."""
    if check not in _checks:
        _checks.append(check)


def between_steps() -> None:
    """Return if the computation may continue; otherwise raise the exception that cancels it."""
    for check in _checks:
        check()
