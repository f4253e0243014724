"""Names of releases, such as 2026-07 or 2026-07-18, and of corrections, such as 2026-07.1."""

import re

_NAME = re.compile(r"(\d{4}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)(?:\.([1-9]\d{0,3}))?", re.ASCII)


def is_name(text: str) -> bool:
    """Return whether a text is a valid release name, a month or a day with an optional correction."""
    return _NAME.fullmatch(text) is not None


def order(name: str) -> tuple[str, int]:
    """Return a sort key for releases, old to new: 2026-07, 2026-07.1, 2026-07.10, 2026-08."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is no name of a release; one is a month or a day such as 2026-07-18.")
    return match[1], int(match[2] or 0)


def correction_of(name: str) -> str:
    """Return the release that a correction corrects, 2026-07 for 2026-07.2. Other names are returned unchanged."""
    return order(name)[0]


def corrected(name: str) -> str:
    """Return the release that a correction replaces, 2026-07 for 2026-07.1, or ``""`` for other names."""
    base, number = order(name)
    return f"{base}.{number - 1}" if number > 1 else base if number else ""


def next_correction(name: str, known: tuple[str, ...]) -> str:
    """Return the name of a release's next correction: 2026-07.1, or 2026-07.2 if that exists."""
    corrected = correction_of(name)
    last = max((order(one)[1] for one in known if correction_of(one) == corrected), default=0)
    return f"{corrected}.{last + 1}"


def beside(name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the releases to compare a new release with: itself, and the last correction of each earlier release."""
    return tuple({correction_of(one): one for one in sorted({*known, name}, key=order)}.values())
