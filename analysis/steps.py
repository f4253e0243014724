"""Points in a long computation at which it can be cancelled."""

from collections.abc import Callable

_checks: list[Callable[[], None]] = []


def at_each_step(check: Callable[[], None]) -> None:
    """Register ``check`` to be called between steps. An exception from ``check`` ends the computation."""
    if check not in _checks:
        _checks.append(check)


def between_steps() -> None:
    """Raise the exception that cancels the computation, if it was cancelled."""
    for check in _checks:
        check()
