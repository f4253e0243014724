"""What rows of the measured tables say in their own words of when their software was out."""

import re


def decimal_year(date: str) -> float:
    """Return the middle of the day, month or year that a date begins with; NaN where it names none. [year]

    Of a range, ``2025-12..2026``, the first counts.
    """
    found = re.match(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", date)
    if not found:
        return float("nan")
    year, month, day = found.groups()
    if not month:
        return float(year) + 0.5
    return float(year) + (int(month) - 1 + (int(day) - 0.5 if day else 15.2) / 30.4) / 12
